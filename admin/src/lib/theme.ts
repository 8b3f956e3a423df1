import { readItem, writeItem } from '@mozhan/client/storage.ts';
import { useSyncExternalStore } from 'react';

export type Scheme = 'light' | 'dark';

/** Shared with the reader's site and with boot.ts, which sets the attribute before the first paint. */
const KEY = 'theme';
const darkSystem = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

function readScheme(): Scheme {
  const chosen = readItem(KEY);
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return darkSystem.matches ? 'dark' : 'light';
}

function apply(): void {
  document.documentElement.dataset.theme = readScheme();
  for (const listener of listeners) listener();
}

/** Choosing what the system shows anyway means following the system again. */
export function toggleScheme(): void {
  const next = readScheme() === 'dark' ? 'light' : 'dark';
  const system = darkSystem.matches ? 'dark' : 'light';
  writeItem(KEY, next === system ? null : next);
  apply();
}

/** Follows the system and the other tabs for as long as the page lives. */
export function followScheme(): void {
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
