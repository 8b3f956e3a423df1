import { useSyncExternalStore } from 'react';

/** A value shared by React components and the editor, which is outside React. */
export interface ValueStore<T> {
  get: () => T;
  set: (value: T) => void;
  subscribe: (listener: () => void) => () => void;
}

export function createValueStore<T>(initial: T): ValueStore<T> {
  const listeners = new Set<() => void>();
  let current = initial;
  return {
    get: () => current,
    set(value) {
      if (Object.is(value, current)) return;
      current = value;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const useStoreValue = <T>({ subscribe, get }: Pick<ValueStore<T>, 'subscribe' | 'get'>): T =>
  useSyncExternalStore(subscribe, get, get);
