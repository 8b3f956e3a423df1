import { setTimeout as sleep } from 'node:timers/promises';
import { id } from '@mozhan/contract/common.ts';
import type { LiveEvents, LiveRequests } from '@mozhan/contract/live.ts';
import type { Server, Socket } from 'socket.io';
import { z } from 'zod';
import type { Viewer } from '../ctx.ts';
import { createBatchLoader } from '../db/batch.ts';

/** All listeners of a room, one user in all rooms, or one user in one room. */
export type RoomListeners = { essayId: string; userId?: string } | { essayId?: undefined; userId: string };

type OnlineUsers = string[] | number;

export interface InterServerEvents {
  recheck: (listeners: RoomListeners) => void;
  /** Per room: the ids of the users in it, or only their number if they are many. */
  count: (essayIds: string[], respond: (online: OnlineUsers[]) => void) => void;
  connections: (respond: (count: number) => void) => void;
  /** Lists the connections of an account with their start times. */
  held: (userId: string, respond: (held: [socketId: string, since: number][]) => void) => void;
  cut: (socketIds: string[]) => void;
}

interface SocketData {
  viewer: Viewer;
  /** Checks access again when a membership ends. */
  timer?: NodeJS.Timeout;
}

export type LiveServer = Server<LiveRequests, LiveEvents, InterServerEvents, SocketData>;
type LiveSocket = Socket<LiveRequests, LiveEvents, InterServerEvents, SocketData>;

interface AccessChecks {
  filterAccessibleRooms: (viewer: Viewer, essayIds: string[]) => Promise<string[]>;
  findMembership: (viewer: Viewer) => Promise<number | null>;
}

const MAX_ROOMS = 50;
const MAX_REQUESTS_PER_MINUTE = 120;
const CHECK_CONCURRENCY = 4;
/** Interval of checking everybody, in case a message between processes was lost. */
const CHECK_ALL_INTERVAL_MS = 5 * 60_000;
/** Other processes that do not respond within this time are ignored. */
const RESPONSE_TIMEOUT_MS = 500;
const MAX_TIMER_MS = 2 ** 31 - 1;
/** Changes of a room within this time are sent to its users as one number. */
const ONLINE_DELAY_MS = 300;
/** Larger rooms of a process are only counted, so that a user on two processes counts twice there. */
const MAX_LISTED_USERS = 200;

const essayIdList = z.array(id).max(MAX_ROOMS);
const PREFIX = 'room:';
export const roomName = (essayId: string): string => PREFIX + essayId;
const WATCH_PREFIX = 'watch:';
export const watchName = (essayId: string): string => WATCH_PREFIX + essayId;

const essaysOf = (socket: LiveSocket, prefix: string): string[] =>
  [...socket.rooms].filter((room) => room.startsWith(prefix)).map((room) => room.slice(prefix.length));
const joinedRooms = (socket: LiveSocket): string[] => essaysOf(socket, PREFIX);
const watchedRooms = (socket: LiveSocket): string[] => essaysOf(socket, WATCH_PREFIX);

function countUsers(lists: readonly OnlineUsers[]): number {
  const ids = new Set(lists.flatMap((list) => (typeof list === 'number' ? [] : list)));
  return lists.reduce<number>((sum, list) => sum + (typeof list === 'number' ? list : 0), ids.size);
}

/** Rooms of essays. Access is checked when joining and again whenever it may have changed. */
export function createRooms(io: LiveServer, onError: (error: Error) => void) {
  let checks: AccessChecks | undefined;
  /** Counts access changes, so that a join that overlaps with one is checked again. */
  let changes = 0;
  const checkTimer = setInterval(
    () => void check([...io.sockets.sockets.values()]),
    CHECK_ALL_INTERVAL_MS,
  ).unref();

  function localSocketsIn(room: string): LiveSocket[] {
    const ids = io.sockets.adapter.rooms.get(room) ?? [];
    return [...ids].flatMap((socketId) => io.sockets.sockets.get(socketId) ?? []);
  }

  function listHere(essayId: string): OnlineUsers {
    const ids = new Set(localSocketsIn(roomName(essayId)).map((socket) => socket.data.viewer.id));
    return ids.size > MAX_LISTED_USERS ? ids.size : [...ids];
  }

  const findOnline = createBatchLoader(async (essayIds) => {
    const remote = new Promise<OnlineUsers[][]>((resolve) => {
      io.serverSideEmit('count', essayIds, (_error: Error | null, online: OnlineUsers[][]) =>
        resolve(online),
      );
    });
    const others = await Promise.race([remote, sleep(RESPONSE_TIMEOUT_MS, [], { ref: false })]);
    return new Map(
      essayIds.map((essayId, at) => [
        essayId,
        countUsers([listHere(essayId), ...others.map((each) => each[at] ?? 0)]),
      ]),
    );
  });

  const onlineTimers = new Map<string, NodeJS.Timeout>();

  /** Tells the users of a room how many they are, after somebody entered or left it in this process. */
  function pushOnlineSoon(room: string): void {
    if (!room.startsWith(PREFIX) || onlineTimers.has(room)) return;
    const essayId = room.slice(PREFIX.length);
    const push = async () => {
      onlineTimers.delete(room);
      const online = (await findOnline(essayId)) ?? 0;
      io.to(room).emit('online', { essayId, online });
    };
    onlineTimers.set(room, setTimeout(() => void push().catch(onError), ONLINE_DELAY_MS).unref());
  }

  /** Returns the accessible rooms, and schedules another check for when the viewer's membership ends. */
  async function findAccessible(
    viewer: Viewer,
    sockets: LiveSocket[],
    essayIds: string[],
  ): Promise<Set<string>> {
    if (checks === undefined || essayIds.length === 0) return new Set();
    // Before the access check, so that a membership cannot end unnoticed in between.
    const remainingMs = await checks.findMembership(viewer);
    for (const socket of sockets) {
      clearTimeout(socket.data.timer);
      if (remainingMs === null || !socket.connected) continue;
      socket.data.timer = setTimeout(
        () => void check([socket]),
        Math.min(remainingMs + 1, MAX_TIMER_MS),
      ).unref();
    }
    return new Set(await checks.filterAccessibleRooms(viewer, essayIds));
  }

  async function checkUser(sockets: LiveSocket[], essayId: string | undefined): Promise<void> {
    const [first] = sockets;
    if (first === undefined) return;
    const roomsToCheck = (socket: LiveSocket) =>
      [...new Set([...joinedRooms(socket), ...watchedRooms(socket)])].filter(
        (room) => essayId === undefined || room === essayId,
      );
    const checkedRooms = new Set(sockets.flatMap(roomsToCheck));
    const accessible = await findAccessible(first.data.viewer, sockets, [...checkedRooms]);
    const lostRooms = checkedRooms.difference(accessible);
    for (const socket of sockets) {
      // Rooms joined meanwhile were checked when joining.
      for (const lost of roomsToCheck(socket).filter((room) => lostRooms.has(room))) {
        void socket.leave(roomName(lost));
        void socket.leave(watchName(lost));
        socket.emit('roomLost', { essayId: lost });
      }
    }
  }

  async function check(sockets: LiveSocket[], essayId?: string): Promise<void> {
    const users = Map.groupBy(sockets, (socket) => socket.data.viewer.id).values();
    const work = async () => {
      for (const userSockets of users) {
        await checkUser(userSockets, essayId).catch((error: Error) => {
          onError(error);
          // Retries until the check succeeds, so that nobody keeps access because of a database failure.
          setTimeout(() => void check(userSockets, essayId), 1000).unref();
        });
      }
    };
    await Promise.all(Array.from({ length: CHECK_CONCURRENCY }, work));
  }

  function recheckLocally({ essayId, userId }: RoomListeners): void {
    changes += 1;
    const ofUser = userId === undefined ? undefined : localSocketsIn(`user:${userId}`);
    if (essayId === undefined) return void check(ofUser ?? []);
    const listening = [
      ...new Set([roomName(essayId), watchName(essayId)].flatMap((room) => localSocketsIn(room))),
    ];
    void check(ofUser === undefined ? listening : ofUser.filter((one) => listening.includes(one)), essayId);
  }

  /** Returns the rooms among these that the viewer may read and now gets the events of. */
  async function enter(
    socket: LiveSocket,
    essayIds: string[],
    nameOf: (essayId: string) => string,
  ): Promise<string[]> {
    const before = changes;
    const accessible = await findAccessible(socket.data.viewer, [socket], essayIds);
    const list = essayIds.filter((essayId) => accessible.has(essayId));
    if (list.length === 0 || !socket.connected) return [];
    await socket.join(list.map(nameOf));
    if (changes !== before) await check([socket]);
    return list;
  }

  const withOnline = (essayIds: string[]): Promise<{ essayId: string; online: number }[]> =>
    Promise.all(essayIds.map(async (essayId) => ({ essayId, online: (await findOnline(essayId)) ?? 0 })));

  /** Handles the requests of a client in order; disconnects it after invalid or too many requests. */
  function serve(socket: LiveSocket): void {
    let requestCount = 0;
    let since = Date.now();
    let last: Promise<void> = Promise.resolve();
    const read = (given: unknown): string[] | null => {
      if (Date.now() - since > 60_000) {
        requestCount = 0;
        since = Date.now();
      }
      requestCount += 1;
      const { data } = essayIdList.safeParse(given);
      if (data === undefined || requestCount > MAX_REQUESTS_PER_MINUTE) socket.conn.close();
      return data === undefined || requestCount > MAX_REQUESTS_PER_MINUTE ? null : [...new Set(data)];
    };
    const next = (work: () => Promise<void>) => {
      last = last.then(work).catch((error: Error) => {
        onError(error);
        // The client reconnects and joins again.
        socket.conn.close();
      });
    };
    socket.on('join', (given, respond) => {
      const essayIds = read(given);
      if (essayIds === null) return;
      next(async () => {
        const room = MAX_ROOMS - joinedRooms(socket).length;
        const list = await enter(socket, essayIds.slice(0, Math.max(room, 0)), roomName);
        if (typeof respond === 'function') respond(await withOnline(list));
      });
    });
    socket.on('watch', (given, respond) => {
      const essayIds = read(given);
      if (essayIds === null) return;
      next(async () => {
        const room = MAX_ROOMS - watchedRooms(socket).length;
        const list = await enter(socket, essayIds.slice(0, Math.max(room, 0)), watchName);
        if (typeof respond === 'function') respond(list);
      });
    });
    const leave = (given: unknown, nameOf: (essayId: string) => string) => {
      const essayIds = read(given);
      if (essayIds === null) return;
      next(async () => {
        for (const essayId of essayIds) await socket.leave(nameOf(essayId));
      });
    };
    socket.on('leave', (given) => leave(given, roomName));
    socket.on('unwatch', (given) => leave(given, watchName));
    socket.on('disconnect', () => clearTimeout(socket.data.timer));
  }

  return {
    open(given: AccessChecks): void {
      checks = given;
      io.on('recheck', recheckLocally);
      io.on('count', (essayIds, respond) => respond(essayIds.map(listHere)));
      io.of('/').adapter.on('join-room', pushOnlineSoon);
      io.of('/').adapter.on('leave-room', pushOnlineSoon);
    },
    serve,
    /** Checks everybody in this process. */
    recheckAll(): void {
      changes += 1;
      void check([...io.sockets.sockets.values()]);
    },
    recheck(listeners: RoomListeners): void {
      recheckLocally(listeners);
      io.serverSideEmit('recheck', listeners);
    },
    close(): void {
      clearInterval(checkTimer);
      for (const timer of onlineTimers.values()) clearTimeout(timer);
      onlineTimers.clear();
    },
  };
}
