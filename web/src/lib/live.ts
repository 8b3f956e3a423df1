import { readToken } from '@mozhan/client/session.ts';
import { LIVE_PATH, type LiveEvents, type LiveWishes } from '@mozhan/contract/live.ts';
import { useSyncExternalStore } from 'react';
import type { Socket } from 'socket.io-client';

type Handler = (told: never) => void;

const handlers = new Map<keyof LiveEvents, Set<Handler>>();
const connections = new Set<() => void>();
/** Rooms to be heard, each with those who want to know how many listen. */
const rooms = new Map<string, Set<(online: number) => void>>();
let socket: Socket<LiveEvents, LiveWishes> | undefined;

/** Stops all of them. */
export const together = (stops: readonly (() => unknown)[]) => (): void => {
  for (const stop of stops) stop();
};

const ASK_AGAIN_MS = 60_000;

function setOf<K, V>(map: Map<K, Set<V>>, key: K): Set<V> {
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

function stateChanged(): void {
  for (const listener of connections) listener();
}

/** What the server tells, as long as somebody is connected; gives back the way to stop. */
export function onLive<Event extends keyof LiveEvents>(event: Event, handler: LiveEvents[Event]): () => void {
  const set = setOf(handlers, event);
  set.add(handler as Handler);
  return () => set.delete(handler as Handler);
}

function subscribe(listener: () => void): () => void {
  connections.add(listener);
  return () => connections.delete(listener);
}

const isConnected = () => socket?.connected === true;

export const useIsLive = (): boolean => useSyncExternalStore(subscribe, isConnected, () => false);

/** Runs at every connection: what was said in between was not heard. */
export function onConnected(listener: () => void): () => void {
  let was = isConnected();
  return subscribe(() => {
    const is = isConnected();
    if (is && !was) listener();
    was = is;
  });
}

/** Hears what is said about an essay; tells from time to time how many do. */
export function hearRoom(essayId: string, onOnline: (online: number) => void): () => void {
  const listeners = setOf(rooms, essayId);
  listeners.add(onOnline);
  join([essayId]);
  const timer = setInterval(() => join([essayId]), ASK_AGAIN_MS);
  return () => {
    clearInterval(timer);
    listeners.delete(onOnline);
    if (listeners.size > 0) return;
    rooms.delete(essayId);
    if (socket?.connected) socket.emit('leave', [essayId]);
  };
}

/** Listens to what the server has to tell a signed-in reader; its code is fetched only then. Gives back the way to stop. */
export function connectLive(basePath: string): () => void {
  let stopped = false;
  let stop = () => {
    stopped = true;
  };

  async function open(): Promise<void> {
    const { io } = await import('socket.io-client');
    if (stopped) return;
    const own: Socket<LiveEvents, LiveWishes> = io({
      path: basePath + LIVE_PATH,
      transports: ['websocket'],
      // Asked for at every attempt: the token is renewed from time to time.
      auth: (send) => send({ token: readToken() }),
    });
    socket = own;
    own.onAny((event: keyof LiveEvents, told) => {
      for (const handler of handlers.get(event) ?? []) handler(told as never);
    });
    own.on('connect', () => {
      join([...rooms.keys()]);
      stateChanged();
    });
    own.on('disconnect', stateChanged);
    // Too many pages are open: this one comes back when somebody looks at it.
    let isCut = false;
    own.on('crowded', () => {
      isCut = true;
    });
    const onVisible = () => {
      if (!isCut || document.visibilityState !== 'visible') return;
      isCut = false;
      own.connect();
    };
    document.addEventListener('visibilitychange', onVisible);
    stop = () => {
      document.removeEventListener('visibilitychange', onVisible);
      own.disconnect();
      if (socket === own) socket = undefined;
      stateChanged();
    };
  }

  // Live news are a convenience; without them the pages still ask for themselves.
  open().catch(() => {});
  return () => stop();
}
