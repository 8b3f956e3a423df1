/** A small value of the database that every process keeps in memory, because every request needs it. */
export interface SharedState<T> {
  current: () => T;
  /** Takes a value that was committed; the database is read again afterwards, because another process may have won. */
  set: (value: T) => void;
  refresh: () => Promise<void>;
}

interface SharedStateOptions<T> {
  initial: T;
  load: () => Promise<T>;
  /** Called when a loaded or committed value differs from the current one. */
  onChange?: (value: T, before: T) => void;
  onError: (error: unknown) => void;
}

/** Keeps the current value while the database cannot be read. */
export function createSharedState<T>({
  initial,
  load,
  onChange,
  onError,
}: SharedStateOptions<T>): SharedState<T> {
  let value = initial;
  let running: Promise<void> | null = null;
  let isStale = false;

  function take(next: T): void {
    const before = value;
    value = next;
    if (JSON.stringify(before) !== JSON.stringify(next)) onChange?.(next, before);
  }

  async function loadUntilFresh(): Promise<void> {
    do {
      isStale = false;
      await load().then(take, onError);
    } while (isStale);
    running = null;
  }

  function refresh(): Promise<void> {
    isStale = true;
    running ??= loadUntilFresh();
    return running;
  }

  return {
    current: () => value,
    set(next) {
      take(next);
      void refresh();
    },
    refresh,
  };
}
