import { readItem, writeItem } from '@mozhan/client/storage.ts';
import { useSyncExternalStore } from 'react';

export type Scheme = 'light' | 'dark';

/** Also used by the reader's site and by boot.ts, which sets the attribute before the first paint. */
const KEY = 'theme';
const darkSystem = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

function readScheme(): Scheme {
  const stored = readItem(KEY);
  if (stored === 'light' || stored === 'dark') return stored;
  return darkSystem.matches ? 'dark' : 'light';
}

function apply(): void {
  document.documentElement.dataset.theme = readScheme();
  for (const listener of listeners) listener();
}

/** Choosing the system's scheme removes the stored choice. */
export function toggleScheme(): void {
  const next = readScheme() === 'dark' ? 'light' : 'dark';
  const system = darkSystem.matches ? 'dark' : 'light';
  writeItem(KEY, next === system ? null : next);
  apply();
}

/** Applies changes of the system setting and of other tabs. */
export function watchScheme(): void {
  darkSystem.addEventListener('change', apply);
  addEventListener('storage', (event) => {
    if (event.key === KEY || event.key === null) apply();
  });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useScheme = (): Scheme => useSyncExternalStore(subscribe, readScheme);
