import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_LIVE_CONNECTIONS } from '@mozhan/contract/live.ts';
import { createAddressGroupReader } from '../address.ts';
import type { Config } from '../config/config.ts';
import type { InterServerEvents, LiveServer } from './rooms.ts';

/** Unauthenticated connections per address. High, because a whole office reconnects at once after a restart. */
const MAX_UNAUTHENTICATED = 200;
export const AUTH_TIMEOUT_MS = 10_000;
/** Other processes that do not respond within this time are ignored. */
const RESPONSE_TIMEOUT_MS = 500;

export function createUnauthenticatedLimit(config: Pick<Config, 'trustProxy'>) {
  const unauthenticated = new Map<string, number>();
  const addressGroupOf = createAddressGroupReader(config);

  function release(group: string): void {
    const remaining = (unauthenticated.get(group) ?? 1) - 1;
    if (remaining === 0) unauthenticated.delete(group);
    else unauthenticated.set(group, remaining);
  }

  return {
    isFull: (request: IncomingMessage): boolean =>
      (unauthenticated.get(addressGroupOf(request)) ?? 0) >= MAX_UNAUTHENTICATED,
    /** Counts a connection and returns a function to call when it is authenticated or closed. */
    enter(request: IncomingMessage): () => void {
      const group = addressGroupOf(request);
      unauthenticated.set(group, (unauthenticated.get(group) ?? 0) + 1);
      let isCounted = true;
      return () => {
        if (isCounted) release(group);
        isCounted = false;
      };
    },
  };
}

type ConnectionList = Parameters<Parameters<InterServerEvents['held']>[1]>[0];

/** Limits the connections of an account; closes the oldest ones, which are the pages left open longest. */
export function createConnectionLimit(io: LiveServer) {
  function listLocalConnections(userId: string): ConnectionList {
    const ids = io.sockets.adapter.rooms.get(`user:${userId}`) ?? [];
    return [...ids].flatMap((id): ConnectionList => {
      const socket = io.sockets.sockets.get(id);
      return socket === undefined ? [] : [[id, socket.handshake.issued]];
    });
  }
  /** Sends the reason and disconnects in one step; as two messages between processes the order could change. */
  function closeLocal(socketIds: readonly string[]): void {
    for (const id of socketIds) {
      const socket = io.sockets.sockets.get(id);
      socket?.emit('crowded');
      socket?.disconnect(true);
    }
  }
  io.on('held', (userId, respond) => respond(listLocalConnections(userId)));
  io.on('cut', closeLocal);

  return async function closeExcess(userId: string): Promise<void> {
    const remoteLists = new Promise<ConnectionList[]>((resolve) => {
      io.serverSideEmit('held', userId, (_error: Error | null, held: ConnectionList[]) => resolve(held));
    });
    const others = await Promise.race([remoteLists, sleep(RESPONSE_TIMEOUT_MS, [], { ref: false })]);
    const newestFirst = [listLocalConnections(userId), ...others]
      .flat()
      .toSorted(([idA, a], [idB, b]) => b - a || (idA < idB ? -1 : 1));
    const cut = newestFirst.slice(MAX_LIVE_CONNECTIONS).map(([id]) => id);
    if (cut.length === 0) return;
    closeLocal(cut);
    io.serverSideEmit('cut', cut);
  };
}
