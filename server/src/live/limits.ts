import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_CONNECTIONS } from '@mozhan/contract/live.ts';
import { createGroupOf } from '../address.ts';
import type { Config } from '../config/config.ts';
import type { Between, LiveServer } from './rooms.ts';

/** Connections of one address that have not said who they are; a whole office comes back at once after a restart. */
const MAX_UNKNOWN = 200;
/** How long a connection has for saying who it is. */
export const CONNECT_MS = 10_000;
/** A process that has just died answers no more, and nobody waits for it. */
const COUNT_MS = 500;

/** Counts connections that are open but not signed in, by address. */
export function createDoor(config: Pick<Config, 'trustProxy'>) {
  const unknown = new Map<string, number>();
  const groupOf = createGroupOf(config);

  function leave(group: string): void {
    const left = (unknown.get(group) ?? 1) - 1;
    if (left === 0) unknown.delete(group);
    else unknown.set(group, left);
  }

  return {
    isFull: (request: IncomingMessage): boolean => (unknown.get(groupOf(request)) ?? 0) >= MAX_UNKNOWN,
    /** Returns what to call when it is signed in or closed, whichever comes first. */
    enter(request: IncomingMessage): () => void {
      const group = groupOf(request);
      unknown.set(group, (unknown.get(group) ?? 0) + 1);
      let isInside = true;
      return () => {
        if (isInside) leave(group);
        isInside = false;
      };
    },
  };
}

type Held = Parameters<Parameters<Between['held']>[1]>[0];

/** Keeps an account to so many connections; the oldest ones are cut, which are the pages left open longest. */
export function createCrowd(io: LiveServer) {
  function heldHere(userId: string): Held {
    const ids = io.sockets.adapter.rooms.get(`user:${userId}`) ?? [];
    return [...ids].flatMap((id): Held => {
      const socket = io.sockets.sockets.get(id);
      return socket === undefined ? [] : [[id, socket.handshake.issued]];
    });
  }
  /** In one step: told by two messages, a process might cut before it says why. */
  function cutHere(socketIds: readonly string[]): void {
    for (const id of socketIds) {
      const socket = io.sockets.sockets.get(id);
      socket?.emit('crowded');
      socket?.disconnect(true);
    }
  }
  io.on('held', (userId, answer) => answer(heldHere(userId)));
  io.on('cut', cutHere);

  return async function thin(userId: string): Promise<void> {
    const elsewhere = new Promise<Held[]>((resolve) => {
      io.serverSideEmit('held', userId, (_error: Error | null, held: Held[]) => resolve(held));
    });
    const others = await Promise.race([elsewhere, sleep(COUNT_MS, [], { ref: false })]);
    const newestFirst = [heldHere(userId), ...others]
      .flat()
      .toSorted(([idA, a], [idB, b]) => b - a || (idA < idB ? -1 : 1));
    const cut = newestFirst.slice(MAX_CONNECTIONS).map(([id]) => id);
    if (cut.length === 0) return;
    cutHere(cut);
    io.serverSideEmit('cut', cut);
  };
}
