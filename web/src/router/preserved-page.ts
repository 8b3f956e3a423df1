import { useEffect, useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let preserveCount = 0;

function changeCount(by: number): void {
  preserveCount += by;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Keeps the page mounted when the session ends, so that unsaved text is not lost; the page itself asks to sign in. */
export function usePreservePage(): void {
  useEffect(() => {
    changeCount(1);
    return () => changeCount(-1);
  }, []);
}

export const useIsPagePreserved = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => preserveCount > 0,
    () => false,
  );
