export type Tone = 'ok' | 'warn' | 'bad';

export interface Toast {
  id: number;
  /** Set for notifications only. */
  title?: string;
  text: string;
  tone: Tone;
  /** A button, such as 撤销; a click dismisses the toast. */
  action?: { label: string; run: () => void };
}

/** Notifications stay longer, because they contain more text. */
const durationMs = ({ title, action }: Toast) =>
  action !== undefined ? 10_000 : title === undefined ? 5000 : 8000;
const MAX_TOASTS = 3;

const listeners = new Set<() => void>();
const timers = new Map<number, ReturnType<typeof setTimeout>>();
const EMPTY: readonly Toast[] = [];
let toasts = EMPTY;
let lastId = 0;
let isPaused = false;

function setToasts(next: readonly Toast[]): void {
  toasts = next;
  // The last toast may disappear under the pointer, in which case no mouseleave event is fired.
  if (next.length === 0) isPaused = false;
  for (const [id, timer] of timers) {
    if (next.some((toast) => toast.id === id)) continue;
    clearTimeout(timer);
    timers.delete(id);
  }
  for (const listener of listeners) listener();
}

function startTimer(toast: Toast): void {
  if (!isPaused)
    timers.set(
      toast.id,
      setTimeout(() => dismissToast(toast.id), durationMs(toast)),
    );
}

export function dismissToast(id: number): void {
  setToasts(toasts.filter((toast) => toast.id !== id));
}

/** An equal toast replaces the previous one, so that repeated errors are shown once. */
export function addToast(toast: Omit<Toast, 'id'>): void {
  lastId += 1;
  const added = { ...toast, id: lastId };
  const others = toasts.filter(({ title, text }) => title !== toast.title || text !== toast.text);
  setToasts([...others, added].slice(-MAX_TOASTS));
  startTimer(added);
}

/** Pauses while the pointer or focus is on a toast; resuming restarts all timers. */
export function setToastsPaused(on: boolean): void {
  isPaused = on;
  for (const timer of timers.values()) clearTimeout(timer);
  timers.clear();
  for (const toast of toasts) startTimer(toast);
}

export function subscribeToToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const getToasts = (): readonly Toast[] => toasts;
export const getServerToasts = (): readonly Toast[] => EMPTY;
