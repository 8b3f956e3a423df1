import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { CallError } from '@mozhan/contract/errors.ts';
import { LIVE_PATH, type LiveEvents } from '@mozhan/contract/live.ts';
import { Server, type Socket } from 'socket.io';
import type { Config } from '../config/config.ts';
import type { Viewer } from '../ctx.ts';
import { toFailure } from '../http/errors.ts';
import type { LiveAdapter } from './adapter.ts';
import { CONNECT_MS, createCrowd, createDoor } from './limits.ts';
import { createRooms, type Listeners, type LiveServer, roomOf } from './rooms.ts';

export interface Live {
  toUser: <E extends keyof LiveEvents>(userId: string, event: E, ...args: Parameters<LiveEvents[E]>) => void;
  /** To whoever listens to the essay's room. */
  toRoom: <E extends keyof LiveEvents>(essayId: string, event: E, ...args: Parameters<LiveEvents[E]>) => void;
  /** After what decides access has changed: those listeners, in every process, are put out who may no longer hear. */
  recheck: (listeners: Listeners) => void;
  /** Cuts the connections of ended sessions, in every process. */
  endSessions: (sessionIds: readonly string[]) => void;
  /** Connections of each process, of which this one is the first. */
  countConnections: () => Promise<number[]>;
  /** Of Redis, where processes speak through it. */
  ping: LiveAdapter['ping'];
}

/** A process that has just died answers no more, and nobody waits for it. */
const COUNT_MS = 500;

type EngineSocket = Socket['conn'];

export interface LiveHandlers {
  findViewer: (token: string) => Promise<Viewer | null>;
  onConnect: (viewer: Viewer) => Promise<void>;
  /** Those of the rooms that the viewer may hear. */
  mayHear: (viewer: Viewer, essayIds: string[]) => Promise<string[]>;
  /** How many milliseconds a membership still lasts, which may be what opens rooms. */
  findMembership: (viewer: Viewer) => Promise<number | null>;
}

/** Socket.IO's clients begin with polling unless told otherwise, and would be told nothing but "Transport unknown". */
function refusePolling(request: IncomingMessage, response: ServerResponse, next: () => void): void {
  if (request.headers.upgrade !== undefined) {
    next();
    return;
  }
  const message = "实时连接只支持 WebSocket：请在 Socket.IO 客户端中设置 transports: ['websocket']";
  const error = new CallError('MALFORMED', { message });
  response
    .writeHead(error.status, {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    .end(JSON.stringify(toFailure(error, '')));
}

/** Live connections at `/api/live`, authenticated by the same token as the calls. */
export function createLive(
  { adapter, onHeardAgain, ping, close }: LiveAdapter,
  config: Pick<Config, 'basePath' | 'trustProxy'>,
  onError: (error: Error) => void,
) {
  const door = createDoor(config);
  const io: LiveServer = new Server({
    path: config.basePath + LIVE_PATH,
    connectTimeout: CONNECT_MS,
    allowRequest: (request, answer) => answer(null, !door.isFull(request)),
    serveClient: false,
    // Nothing has to be kept between two requests, so any process may answer.
    transports: ['websocket'],
    maxHttpBufferSize: 64 * 1024,
    adapter,
  });
  const rooms = createRooms(io, onError);
  const thin = createCrowd(io);
  // Pages that may have missed something come back, and ask for it.
  onHeardAgain(() => {
    for (const { conn } of io.sockets.sockets.values()) conn.close();
  });
  io.on('connections', (answer) => answer(io.sockets.sockets.size));
  /** Of connections that have not said who they are: what to call when they do. */
  const entered = new WeakMap<EngineSocket, () => void>();
  const live: Live = {
    toUser(userId, event, ...args) {
      io.to(`user:${userId}`).emit(event, ...args);
    },
    toRoom(essayId, event, ...args) {
      io.to(roomOf(essayId)).emit(event, ...args);
    },
    recheck: rooms.recheck,
    endSessions(sessionIds) {
      if (sessionIds.length > 0) io.in(sessionIds.map((id) => `session:${id}`)).disconnectSockets(true);
    },
    async countConnections() {
      const elsewhere = new Promise<number[]>((resolve) => {
        io.serverSideEmit('connections', (_error: Error | null, counts: number[]) => resolve(counts));
      });
      const counts = await Promise.race([elsewhere, sleep(COUNT_MS, [], { ref: false })]);
      return [io.sockets.sockets.size, ...counts];
    },
    ping,
  };
  return {
    live,
    attach(server: HttpServer, handlers: LiveHandlers): void {
      const findViewer = ({ auth: { token } }: { auth: { token?: unknown } }) =>
        handlers.findViewer(typeof token === 'string' ? token : '');
      io.use((socket, next) => {
        findViewer(socket.handshake).then(
          (viewer) => {
            if (viewer === null) {
              next(new Error('SIGN_IN_REQUIRED'));
              // Behind the refusal: it would go on asking otherwise.
              return void setImmediate(() => socket.conn.close());
            }
            socket.data.viewer = viewer;
            entered.get(socket.conn)?.();
            next();
          },
          () => next(new Error('UNAVAILABLE')),
        );
      });
      rooms.open(handlers);
      io.on('connection', async (socket) => {
        const { viewer } = socket.data;
        rooms.serve(socket);
        await socket.join([`user:${viewer.id}`, `session:${viewer.sessionId}`]);
        // One that ended before it could be cut here must not stay.
        if (!(await findViewer(socket.handshake).catch(onError))) return void socket.conn.close();
        await Promise.all([thin(viewer.id), handlers.onConnect(viewer)]).catch(onError);
      });
      io.attach(server);
      io.engine.on('connection', (connection: EngineSocket) => {
        const leave = door.enter(connection.request);
        connection.once('close', leave);
        entered.set(connection, leave);
      });
      io.engine.use(refusePolling);
    },
    async close() {
      rooms.close();
      await io.close();
      await close();
    },
  };
}
