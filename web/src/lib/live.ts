import { readToken } from '@mozhan/client/session.ts';
import { LIVE_PATH, type LiveEvents, type LiveRequests } from '@mozhan/contract/live.ts';
import { useSyncExternalStore } from 'react';
import type { Socket } from 'socket.io-client';

type Handler = (payload: never) => void;

const handlers = new Map<keyof LiveEvents, Set<Handler>>();
const connections = new Set<() => void>();
/** Joined rooms, each with the listeners for its online count. */
const rooms = new Map<string, Set<(online: number) => void>>();
/** Rooms in lists, each with the number of lists that contain it. */
const watched = new Map<string, number>();
let socket: Socket<LiveEvents, LiveRequests> | undefined;

export const combineCleanups = (stops: readonly (() => unknown)[]) => (): void => {
  for (const stop of stops) stop();
};

/** Repairs the online count after the events of a process were lost. */
const ONLINE_COUNT_INTERVAL_MS = 5 * 60_000;

function getOrCreateSet<K, V>(map: Map<K, Set<V>>, key: K): Set<V> {
  const set = map.get(key) ?? new Set();
  map.set(key, set);
  return set;
}

function join(essayIds: string[]): void {
  if (essayIds.length === 0 || !socket?.connected) return;
  socket.emit('join', essayIds, (heard) => {
    for (const { essayId, online } of heard)
      for (const listener of rooms.get(essayId) ?? []) listener(online);
  });
}

function watch(essayIds: string[]): void {
  if (essayIds.length > 0 && socket?.connected) socket.emit('watch', essayIds, () => {});
}

/** Receives the messages of rooms in a list, without being online in them; returns a function that ends it. */
export function watchRooms(essayIds: readonly string[]): () => void {
  for (const id of essayIds) watched.set(id, (watched.get(id) ?? 0) + 1);
  watch(essayIds.filter((id) => watched.get(id) === 1));
  return () => {
    for (const id of essayIds) watched.set(id, (watched.get(id) ?? 0) - 1);
    const ended = essayIds.filter((id) => (watched.get(id) ?? 0) <= 0);
    for (const id of ended) watched.delete(id);
    if (ended.length > 0 && socket?.connected) socket.emit('unwatch', ended);
  };
}

function notifyConnectionListeners(): void {
  for (const listener of connections) listener();
}

/** Handles a live event while connected; returns a function that removes the handler. */
export function onLiveEvent<Event extends keyof LiveEvents>(
  event: Event,
  handler: LiveEvents[Event],
): () => void {
  const set = getOrCreateSet(handlers, event);
  set.add(handler as Handler);
  return () => set.delete(handler as Handler);
}

function subscribe(listener: () => void): () => void {
  connections.add(listener);
  return () => connections.delete(listener);
}

const isConnected = () => socket?.connected === true;

export const useIsConnected = (): boolean => useSyncExternalStore(subscribe, isConnected, () => false);

/** Calls the listener at every connection, because events sent in between were missed. */
export function onConnect(listener: () => void): () => void {
  let was = isConnected();
  return subscribe(() => {
    const is = isConnected();
    if (is && !was) listener();
    was = is;
  });
}

/** Receives the messages and the online count of an essay's room; returns a function that leaves it. */
export function joinRoom(essayId: string, onOnline: (online: number) => void): () => void {
  const listeners = getOrCreateSet(rooms, essayId);
  listeners.add(onOnline);
  join([essayId]);
  const timer = setInterval(() => join([essayId]), ONLINE_COUNT_INTERVAL_MS);
  return () => {
    clearInterval(timer);
    listeners.delete(onOnline);
    if (listeners.size > 0) return;
    rooms.delete(essayId);
    if (socket?.connected) socket.emit('leave', [essayId]);
  };
}

/** Opens the live connection of a signed-in reader and loads its code on demand; returns a function that closes it. */
export function connectLive(basePath: string): () => void {
  let stopped = false;
  let stop = () => {
    stopped = true;
  };

  async function open(): Promise<void> {
    const { io } = await import('socket.io-client');
    if (stopped) return;
    const connection: Socket<LiveEvents, LiveRequests> = io({
      path: basePath + LIVE_PATH,
      transports: ['websocket'],
      // A function, because the token is renewed from time to time and must be current at every reconnect.
      auth: (send) => send({ token: readToken() }),
    });
    socket = connection;
    connection.onAny((event: keyof LiveEvents, payload) => {
      for (const handler of handlers.get(event) ?? []) handler(payload as never);
    });
    connection.on('online', ({ essayId, online }) => {
      for (const listener of rooms.get(essayId) ?? []) listener(online);
    });
    connection.on('connect', () => {
      join([...rooms.keys()]);
      watch([...watched.keys()]);
      notifyConnectionListeners();
    });
    connection.on('disconnect', notifyConnectionListeners);
    // The server closes connections when too many tabs are open; this tab reconnects when it becomes visible.
    let isDisconnectedByServer = false;
    connection.on('crowded', () => {
      isDisconnectedByServer = true;
    });
    const onVisible = () => {
      if (!isDisconnectedByServer || document.visibilityState !== 'visible') return;
      isDisconnectedByServer = false;
      connection.connect();
    };
    document.addEventListener('visibilitychange', onVisible);
    stop = () => {
      document.removeEventListener('visibilitychange', onVisible);
      connection.disconnect();
      if (socket === connection) socket = undefined;
      notifyConnectionListeners();
    };
  }

  // Live events are optional: without them the pages still refetch.
  open().catch(() => {});
  return () => stop();
}
