import { readItem, writeItem } from '@mozhan/client/storage.ts';
import { useSyncExternalStore } from 'react';

/** Keys and attributes are shared with boot.ts, which sets them before the first paint. */
const THEME = 'theme';
const WEAK = 'weak';
const READING = 'reading';

const themes = ['system', 'light', 'dark'] as const;
const readings = ['s', 'm', 'l', 'xl'] as const;
export type Theme = (typeof themes)[number];
export type Reading = (typeof readings)[number];

/** How a reader wants to see the site; kept on this device. */
interface Preferences {
  theme: Theme;
  /** Stronger contrast, nothing told by colour alone. */
  weak: boolean;
  reading: Reading;
}

const unknown: Preferences = { theme: 'system', weak: false, reading: 'm' };
const listeners = new Set<() => void>();
let current: Preferences | undefined;

const root = () => document.documentElement;
const darkSystem = () => matchMedia('(prefers-color-scheme: dark)');
const oneOf = <Value extends string>(values: readonly Value[], text: string | null): Value | undefined =>
  values.find((value) => value === text);

const read = (): Preferences => ({
  theme: oneOf(themes, readItem(THEME)) ?? unknown.theme,
  weak: root().dataset.weak === 'on',
  reading: oneOf(readings, readItem(READING)) ?? unknown.reading,
});

function shown(): 'light' | 'dark' {
  const { theme } = read();
  if (theme !== 'system') return theme;
  return darkSystem().matches ? 'dark' : 'light';
}

function apply(): void {
  const { dataset } = root();
  dataset.theme = shown();
  // Without a choice of the reader's own the operator's stays.
  dataset.weak = readItem(WEAK) ?? dataset.weak ?? 'off';
  current = read();
  dataset.reading = current.reading;
  // With the next frame, which computes the styles anyway.
  requestAnimationFrame(paintBrowser);
  for (const listener of listeners) listener();
}

/** The browser's own bars take the colour of the header. */
function paintBrowser(): void {
  const bar = document.querySelector('header[data-theme]') ?? root();
  const background = getComputedStyle(bar).getPropertyValue('--bg').trim();
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]'))
    meta.content = background;
}

function choose(key: string, value: string | null): void {
  writeItem(key, value);
  apply();
}

export const chooseTheme = (theme: Theme): void => choose(THEME, theme === 'system' ? null : theme);
export const chooseWeak = (on: boolean): void => choose(WEAK, on ? 'on' : 'off');
export const chooseReading = (size: Reading): void => choose(READING, size === 'm' ? null : size);

/** Choosing what the system shows anyway means following the system again. */
export function toggleTheme(): void {
  const next = shown() === 'dark' ? 'light' : 'dark';
  const system = darkSystem().matches ? 'dark' : 'light';
  chooseTheme(next === system ? 'system' : next);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The reader's choices; the defaults on the server and while its page is taken over. */
export const useTheme = (): Preferences =>
  useSyncExternalStore(
    subscribe,
    () => {
      current ??= read();
      return current;
    },
    () => unknown,
  );

/** Follows the system and the other tabs. */
export function followTheme(): () => void {
  const system = darkSystem();
  const onStorage = ({ key }: StorageEvent) => {
    if (key === null || [THEME, WEAK, READING].includes(key)) apply();
  };
  apply();
  system.addEventListener('change', apply);
  addEventListener('storage', onStorage);
  return () => {
    system.removeEventListener('change', apply);
    removeEventListener('storage', onStorage);
  };
}
