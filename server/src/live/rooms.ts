import { setTimeout as sleep } from 'node:timers/promises';
import { id } from '@mozhan/contract/common.ts';
import type { LiveEvents, LiveWishes } from '@mozhan/contract/live.ts';
import type { Server, Socket } from 'socket.io';
import { z } from 'zod';
import type { Viewer } from '../ctx.ts';
import { createBatch } from '../db/batch.ts';

/** All who listen to a room, somebody in all of theirs, or somebody in one. */
export type Listeners = { essayId: string; userId?: string } | { essayId?: undefined; userId: string };

/** What processes say to each other. */
export interface Between {
  recheck: (listeners: Listeners) => void;
  count: (essayIds: string[], answer: (counts: number[]) => void) => void;
  connections: (answer: (count: number) => void) => void;
  /** The connections of an account, each with the moment it came. */
  held: (userId: string, answer: (held: [socketId: string, since: number][]) => void) => void;
  /** Connections that are too many. */
  cut: (socketIds: string[]) => void;
}

interface SocketData {
  viewer: Viewer;
  /** Asks again when a membership ends. */
  timer?: NodeJS.Timeout;
}

export type LiveServer = Server<LiveWishes, LiveEvents, Between, SocketData>;
type LiveSocket = Socket<LiveWishes, LiveEvents, Between, SocketData>;

interface Checks {
  mayHear: (viewer: Viewer, essayIds: string[]) => Promise<string[]>;
  findMembership: (viewer: Viewer) => Promise<number | null>;
}

const MOST_ROOMS = 50;
const WISHES_A_MINUTE = 120;
/** How many people are asked about at once. */
const AT_ONCE = 4;
/** Everybody is asked about this often, in case a word between processes was lost. */
const SWEEP_MS = 5 * 60_000;
/** A process that has just died answers no more, and nobody waits for it. */
const COUNT_MS = 500;
const LONGEST_TIMER = 2 ** 31 - 1;

const wish = z.array(id).max(MOST_ROOMS);
const PREFIX = 'room:';
export const roomOf = (essayId: string): string => PREFIX + essayId;

const heardBy = (socket: LiveSocket): string[] =>
  [...socket.rooms].filter((room) => room.startsWith(PREFIX)).map((room) => room.slice(PREFIX.length));

/** Rooms of essays: who may hear is asked at joining, and again whenever it may have changed. */
export function createRooms(io: LiveServer, onError: (error: Error) => void) {
  let checks: Checks | undefined;
  /** Counts what may have changed, so that a joining under way when it did is looked at again. */
  let changes = 0;
  const sweep = setInterval(() => void check([...io.sockets.sockets.values()]), SWEEP_MS).unref();

  function localIn(room: string): LiveSocket[] {
    const ids = io.sockets.adapter.rooms.get(room) ?? [];
    return [...ids].flatMap((socketId) => io.sockets.sockets.get(socketId) ?? []);
  }

  /** People, not their pages. */
  const countHere = (essayId: string): number =>
    new Set(localIn(roomOf(essayId)).map((socket) => socket.data.viewer.id)).size;

  const findOnline = createBatch(async (essayIds) => {
    const totals = new Map(essayIds.map((essayId) => [essayId, countHere(essayId)]));
    const elsewhere = new Promise<number[][]>((resolve) => {
      io.serverSideEmit('count', essayIds, (_error: Error | null, counts: number[][]) => resolve(counts));
    });
    const counts = await Promise.race([elsewhere, sleep(COUNT_MS, [], { ref: false })]);
    for (const [at, essayId] of essayIds.entries()) {
      for (const there of counts) totals.set(essayId, (totals.get(essayId) ?? 0) + (there[at] ?? 0));
    }
    return totals;
  });

  /** Those that may be heard, asking again when a membership ends on which it may rest. */
  async function ask(viewer: Viewer, sockets: LiveSocket[], essayIds: string[]): Promise<Set<string>> {
    if (checks === undefined || essayIds.length === 0) return new Set();
    // First, so that none ends between the two unseen.
    const lasts = await checks.findMembership(viewer);
    for (const socket of sockets) {
      clearTimeout(socket.data.timer);
      if (lasts === null || !socket.connected) continue;
      socket.data.timer = setTimeout(() => void check([socket]), Math.min(lasts + 1, LONGEST_TIMER)).unref();
    }
    return new Set(await checks.mayHear(viewer, essayIds));
  }

  async function checkPerson(sockets: LiveSocket[], essayId: string | undefined): Promise<void> {
    const [first] = sockets;
    if (first === undefined) return;
    const inQuestion = (socket: LiveSocket) =>
      heardBy(socket).filter((room) => essayId === undefined || room === essayId);
    const asked = new Set(sockets.flatMap(inQuestion));
    const heard = await ask(first.data.viewer, sockets, [...asked]);
    const lostRooms = asked.difference(heard);
    for (const socket of sockets) {
      // What was joined meanwhile was asked about then.
      for (const lost of inQuestion(socket).filter((room) => lostRooms.has(room))) {
        void socket.leave(roomOf(lost));
        socket.emit('roomLost', { essayId: lost });
      }
    }
  }

  async function check(sockets: LiveSocket[], essayId?: string): Promise<void> {
    const people = Map.groupBy(sockets, (socket) => socket.data.viewer.id).values();
    const work = async () => {
      for (const theirs of people) {
        await checkPerson(theirs, essayId).catch((error: Error) => {
          onError(error);
          // Until it is known: nobody hears what they may not for want of a database.
          setTimeout(() => void check(theirs, essayId), 1000).unref();
        });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }

  function recheckHere({ essayId, userId }: Listeners): void {
    changes += 1;
    const ofUser = userId === undefined ? undefined : localIn(`user:${userId}`);
    if (essayId === undefined) return void check(ofUser ?? []);
    const listening = localIn(roomOf(essayId));
    void check(ofUser === undefined ? listening : ofUser.filter((one) => listening.includes(one)), essayId);
  }

  async function join(
    socket: LiveSocket,
    essayIds: string[],
  ): Promise<{ essayId: string; online: number }[]> {
    const before = changes;
    const heard = await ask(socket.data.viewer, [socket], essayIds);
    const list = essayIds.filter((essayId) => heard.has(essayId));
    if (list.length === 0 || !socket.connected) return [];
    await socket.join(list.map(roomOf));
    if (changes !== before) await check([socket]);
    return Promise.all(list.map(async (essayId) => ({ essayId, online: (await findOnline(essayId)) ?? 0 })));
  }

  /** What a page says, one after the other; one that says too much or nonsense is cut. */
  function serve(socket: LiveSocket): void {
    let said = 0;
    let since = Date.now();
    let last: Promise<void> = Promise.resolve();
    const read = (given: unknown): string[] | null => {
      if (Date.now() - since > 60_000) {
        said = 0;
        since = Date.now();
      }
      said += 1;
      const { data } = wish.safeParse(given);
      if (data === undefined || said > WISHES_A_MINUTE) socket.conn.close();
      return data === undefined || said > WISHES_A_MINUTE ? null : [...new Set(data)];
    };
    const next = (work: () => Promise<void>) => {
      last = last.then(work).catch((error: Error) => {
        onError(error);
        // The page comes back and asks again.
        socket.conn.close();
      });
    };
    socket.on('join', (given, answer) => {
      const essayIds = read(given);
      if (essayIds === null) return;
      next(async () => {
        const room = MOST_ROOMS - heardBy(socket).length;
        const list = await join(socket, essayIds.slice(0, Math.max(room, 0)));
        if (typeof answer === 'function') answer(list);
      });
    });
    socket.on('leave', (given) => {
      const essayIds = read(given);
      if (essayIds === null) return;
      next(async () => {
        for (const essayId of essayIds) await socket.leave(roomOf(essayId));
      });
    });
    socket.on('disconnect', () => clearTimeout(socket.data.timer));
  }

  return {
    open(given: Checks): void {
      checks = given;
      io.on('recheck', recheckHere);
      io.on('count', (essayIds, answer) => answer(essayIds.map(countHere)));
    },
    serve,
    recheck(listeners: Listeners): void {
      recheckHere(listeners);
      io.serverSideEmit('recheck', listeners);
    },
    close: () => clearInterval(sweep),
  };
}
