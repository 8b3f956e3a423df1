import type { Server as HttpServer } from 'node:http';
import { createAdapter } from '@socket.io/postgres-adapter';
import type pg from 'pg';
import { Server } from 'socket.io';
import { LIVE_PATH, type LiveEvents } from '#contract/live.ts';
import type { Viewer } from './ctx.ts';

export interface Live {
  toUser: <E extends keyof LiveEvents>(userId: string, event: E, ...args: Parameters<LiveEvents[E]>) => void;
  /** Cuts the connections of ended sessions, in every process. */
  endSessions: (sessionIds: readonly string[]) => void;
}

type LiveServer = Server<Record<string, never>, LiveEvents, Record<string, never>, { viewer: Viewer }>;

export interface LiveHandlers {
  findViewer: (token: string) => Promise<Viewer | null>;
  onConnect: (viewer: Viewer) => Promise<void>;
}

/** Live connections at `/api/live`, authenticated by the same token as the calls. */
export function createLive(pool: pg.Pool, basePath: string, onError: (error: Error) => void) {
  const io: LiveServer = new Server({
    path: basePath + LIVE_PATH,
    serveClient: false,
    maxHttpBufferSize: 64 * 1024,
    adapter: createAdapter(pool, { errorHandler: onError, tableName: 'live_attachments' }),
  });
  const live: Live = {
    toUser(userId, event, ...args) {
      io.to(`user:${userId}`).emit(event, ...args);
    },
    endSessions(sessionIds) {
      if (sessionIds.length > 0) io.in(sessionIds.map((id) => `session:${id}`)).disconnectSockets(true);
    },
  };
  return {
    live,
    attach(server: HttpServer, handlers: LiveHandlers): void {
      io.use((socket, next) => {
        const token: unknown = socket.handshake.auth.token;
        handlers.findViewer(typeof token === 'string' ? token : '').then(
          (viewer) => {
            if (viewer === null) return next(new Error('SIGN_IN_REQUIRED'));
            socket.data.viewer = viewer;
            next();
          },
          () => next(new Error('UNAVAILABLE')),
        );
      });
      io.on('connection', async (socket) => {
        const { viewer } = socket.data;
        await socket.join([`user:${viewer.id}`, `session:${viewer.sessionId}`]);
        await handlers.onConnect(viewer).catch(onError);
      });
      io.attach(server);
    },
    close: () => io.close(),
  };
}
