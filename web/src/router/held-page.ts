import { useEffect, useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let holders = 0;

function change(by: number): void {
  holders += by;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What is being written here must not vanish with the session: the page stays, and asks to sign in by itself. */
export function useHoldPage(): void {
  useEffect(() => {
    change(1);
    return () => change(-1);
  }, []);
}

export const usePageHeld = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => holders > 0,
    () => false,
  );
