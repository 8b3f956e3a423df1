import { readItem, writeItem } from '@mozhan/client/storage.ts';
import { useSyncExternalStore } from 'react';

const KEY = 'passages';
const listeners = new Set<() => void>();

const isShown = (): boolean => readItem(KEY) !== 'off';

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', listener);
  };
}

/** Whether sentences that many readers highlighted are underlined; stored in this browser. */
export const usePassagesShown = (): boolean => useSyncExternalStore(subscribe, isShown, () => true);

export function setPassagesShown(on: boolean): void {
  writeItem(KEY, on ? null : 'off');
  for (const listener of listeners) listener();
}
