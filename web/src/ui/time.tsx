import { useSyncExternalStore } from 'react';
import { formatDate, formatDateTime, timeAgo } from '../lib/format.ts';

const TICK_MS = 60_000;

const listeners = new Set<() => void>();
/** 0 while nothing subscribes. */
let clock = 0;
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  clock = Date.now();
  for (const listener of listeners) listener();
}

function readClock(): number {
  clock ||= Date.now();
  return clock;
}

/** All components share one timer, which runs only while there are subscribers. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
    clock = 0;
  };
}

/** For server-rendered content: pages are cached, and a relative time would differ during hydration. */
export const DateText = ({ at }: { at: string }) => (
  <time dateTime={at} title={formatDateTime(at)}>
    {formatDate(at)}
  </time>
);

/** Relative time, for content rendered only in the browser. */
export function RelativeTime({ at }: { at: string }) {
  const now = useSyncExternalStore(subscribe, readClock, () => 0);
  return (
    <time dateTime={at} title={formatDateTime(at)}>
      {now === 0 ? formatDate(at) : timeAgo(at, now)}
    </time>
  );
}
