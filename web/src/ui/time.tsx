import { useSyncExternalStore } from 'react';
import { formatDate, formatDateTime, timeAgo } from '../lib/format.ts';

const TICK_MS = 60_000;

const listeners = new Set<() => void>();
/** 0 while the clock stands. */
let now = 0;
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}

function readClock(): number {
  now ||= Date.now();
  return now;
}

/** One clock for all of them, which runs while somebody looks at it. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
    now = 0;
  };
}

/** For what the server renders: its page may lie in a cache, and what it says must not change when it is taken over. */
export const Day = ({ at }: { at: string }) => (
  <time dateTime={at} title={formatDateTime(at)}>
    {formatDate(at)}
  </time>
);

/** How long ago, for what only the browser renders. */
export function Time({ at }: { at: string }) {
  const moment = useSyncExternalStore(subscribe, readClock, () => 0);
  return (
    <time dateTime={at} title={formatDateTime(at)}>
      {moment === 0 ? formatDate(at) : timeAgo(at, moment)}
    </time>
  );
}
