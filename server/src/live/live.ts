import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as pause, setTimeout as sleep } from 'node:timers/promises';
import { CallError } from '@mozhan/contract/errors.ts';
import { LIVE_PATH, type LiveEvents } from '@mozhan/contract/live.ts';
import { Server, type Socket } from 'socket.io';
import type { Config } from '../config/config.ts';
import type { Viewer } from '../ctx.ts';
import { toFailure } from '../http/errors.ts';
import type { LiveAdapter } from './adapter.ts';
import { AUTH_TIMEOUT_MS, createConnectionLimit, createUnauthenticatedLimit } from './limits.ts';
import { createRooms, type LiveServer, type RoomListeners, roomName, watchName } from './rooms.ts';

export interface Live {
  emitToUser: <E extends keyof LiveEvents>(
    userId: string,
    event: E,
    ...args: Parameters<LiveEvents[E]>
  ) => void;
  /** Sends to the users in the room and to those who have it in a list. */
  emitToRoom: <E extends keyof LiveEvents>(
    essayId: string,
    event: E,
    ...args: Parameters<LiveEvents[E]>
  ) => void;
  /** Checks the access of listeners in all processes after a change, and removes those who lost it. */
  recheckAccess: (listeners: RoomListeners) => void;
  /** Checks the access to rooms of everybody in this process. */
  recheckAllLocally: () => void;
  /** Closes the connections of this process, except those of staff. */
  disconnectReadersLocally: () => void;
  /** Closes the connections of this process whose address is banned now. */
  disconnectBannedLocally: () => void;
  /** Closes the connections of ended sessions in all processes. */
  disconnectSessions: (sessionIds: readonly string[]) => void;
  /** Number of connections per process, this one first. */
  countConnections: () => Promise<number[]>;
  /** Pings Redis; null if PostgreSQL is used. */
  ping: LiveAdapter['ping'];
}

/** Other processes that do not respond within this time are ignored. */
const RESPONSE_TIMEOUT_MS = 500;
/** Sockets that are checked before other work gets its turn. */
const CHECK_BATCH_SIZE = 500;

type EngineSocket = Socket['conn'];

export interface LiveHandlers {
  findViewer: (token: string) => Promise<Viewer | null>;
  /** False while only staff may connect. */
  isOpenTo: (viewer: Viewer) => boolean;
  onConnect: (viewer: Viewer) => Promise<void>;
  filterAccessibleRooms: (viewer: Viewer, essayIds: string[]) => Promise<string[]>;
  /** Milliseconds until the membership ends, on which access to rooms may depend; null without one. */
  findMembership: (viewer: Viewer) => Promise<number | null>;
}

/** Socket.IO clients start with polling by default and would only get "Transport unknown". */
function rejectPolling(request: IncomingMessage, response: ServerResponse, next: () => void): void {
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

interface LiveOptions {
  config: Pick<Config, 'basePath' | 'trustProxy'>;
  isBanned: (request: IncomingMessage) => boolean;
  onError: (error: Error) => void;
}

/** Serves live connections at `/api/live`, authenticated by the same token as the API. */
export function createLive(
  { adapter, onReconnect, ping, close }: LiveAdapter,
  { config, isBanned, onError }: LiveOptions,
) {
  const unauthenticated = createUnauthenticatedLimit(config);
  const io: LiveServer = new Server({
    path: config.basePath + LIVE_PATH,
    connectTimeout: AUTH_TIMEOUT_MS,
    allowRequest: (request, respond) => respond(null, !isBanned(request) && !unauthenticated.isFull(request)),
    serveClient: false,
    // WebSocket needs no sticky sessions between processes.
    transports: ['websocket'],
    maxHttpBufferSize: 64 * 1024,
    adapter,
  });
  const rooms = createRooms(io, onError);
  const closeExcess = createConnectionLimit(io);
  // Clients may have missed events, so they must reconnect and reload.
  onReconnect(() => {
    for (const { conn } of io.sockets.sockets.values()) conn.close();
  });
  io.on('connections', (respond) => respond(io.sockets.sockets.size));
  /** Callbacks for unauthenticated connections, to call when they authenticate. */
  const releases = new WeakMap<EngineSocket, () => void>();
  /** In parts, because a process may have thousands of connections; new ones are checked when they connect. */
  async function closeBanned(): Promise<void> {
    for (const [index, { conn }] of [...io.sockets.sockets.values()].entries()) {
      if (index % CHECK_BATCH_SIZE === CHECK_BATCH_SIZE - 1) await pause();
      if (isBanned(conn.request)) conn.close();
    }
  }
  const live: Live = {
    emitToUser(userId, event, ...args) {
      io.to(`user:${userId}`).emit(event, ...args);
    },
    emitToRoom(essayId, event, ...args) {
      io.to([roomName(essayId), watchName(essayId)]).emit(event, ...args);
    },
    recheckAccess: rooms.recheck,
    recheckAllLocally: rooms.recheckAll,
    disconnectBannedLocally() {
      closeBanned().catch(onError);
    },
    disconnectReadersLocally() {
      for (const { data, conn } of io.sockets.sockets.values()) if (!data.viewer?.isStaff) conn.close();
    },
    disconnectSessions(sessionIds) {
      if (sessionIds.length > 0) io.in(sessionIds.map((id) => `session:${id}`)).disconnectSockets(true);
    },
    async countConnections() {
      const elsewhere = new Promise<number[]>((resolve) => {
        io.serverSideEmit('connections', (_error: Error | null, counts: number[]) => resolve(counts));
      });
      const counts = await Promise.race([elsewhere, sleep(RESPONSE_TIMEOUT_MS, [], { ref: false })]);
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
              // After the error is sent; the client would keep retrying on an open connection.
              return void setImmediate(() => socket.conn.close());
            }
            if (!handlers.isOpenTo(viewer)) {
              next(new Error('UNAVAILABLE'));
              return void setImmediate(() => socket.conn.close());
            }
            socket.data.viewer = viewer;
            releases.get(socket.conn)?.();
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
        // The session may have ended, or the address been banned, before the socket joined its rooms.
        const isLate = !(await findViewer(socket.handshake).catch(onError)) || isBanned(socket.conn.request);
        if (isLate || !handlers.isOpenTo(viewer)) return void socket.conn.close();
        await Promise.all([closeExcess(viewer.id), handlers.onConnect(viewer)]).catch(onError);
      });
      io.attach(server);
      io.engine.on('connection', (connection: EngineSocket) => {
        const release = unauthenticated.enter(connection.request);
        connection.once('close', release);
        releases.set(connection, release);
      });
      io.engine.use(rejectPolling);
    },
    async close() {
      rooms.close();
      await io.close();
      await close();
    },
  };
}
