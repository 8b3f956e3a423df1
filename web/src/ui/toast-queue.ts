export type Tone = 'ok' | 'warn' | 'bad';

export interface Toast {
  id: number;
  /** Only a notification has one. */
  title?: string;
  text: string;
  tone: Tone;
}

/** A notification has more to read. */
const shownMs = ({ title }: Toast) => (title === undefined ? 5000 : 8000);
const MOST = 3;

const listeners = new Set<() => void>();
const timers = new Map<number, ReturnType<typeof setTimeout>>();
const none: readonly Toast[] = [];
let toasts = none;
let lastId = 0;
let held = false;

function set(next: readonly Toast[]): void {
  toasts = next;
  // The last one may go from under the pointer, which then never leaves it.
  if (next.length === 0) held = false;
  for (const [id, timer] of timers) {
    if (next.some((toast) => toast.id === id)) continue;
    clearTimeout(timer);
    timers.delete(id);
  }
  for (const listener of listeners) listener();
}

function wait(toast: Toast): void {
  if (!held)
    timers.set(
      toast.id,
      setTimeout(() => dismiss(toast.id), shownMs(toast)),
    );
}

export function dismiss(id: number): void {
  set(toasts.filter((toast) => toast.id !== id));
}

/** The same once more takes the place of the first, so that a row of equal failures is one. */
export function add(toast: Omit<Toast, 'id'>): void {
  lastId += 1;
  const added = { ...toast, id: lastId };
  const others = toasts.filter(({ title, text }) => title !== toast.title || text !== toast.text);
  set([...others, added].slice(-MOST));
  wait(added);
}

/** While somebody reads or has the focus on one, none goes away; afterwards each has its time again. */
export function hold(on: boolean): void {
  held = on;
  for (const timer of timers.values()) clearTimeout(timer);
  timers.clear();
  for (const toast of toasts) wait(toast);
}

export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const shown = (): readonly Toast[] => toasts;
export const shownOnServer = (): readonly Toast[] => none;
