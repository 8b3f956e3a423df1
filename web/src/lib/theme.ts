import { readItem, writeItem } from '@mozhan/client/storage.ts';
import { useSyncExternalStore } from 'react';

/** Storage keys and attributes, shared with boot.ts, which applies them before the first paint. */
const THEME = 'theme';
const HIGH_CONTRAST = 'weak';
const TEXT_SIZE = 'reading';

const themes = ['system', 'light', 'dark'] as const;
const textSizes = ['s', 'm', 'l', 'xl'] as const;
export type Theme = (typeof themes)[number];
export type TextSize = (typeof textSizes)[number];

interface Preferences {
  theme: Theme;
  /** High contrast; nothing is indicated by colour alone. */
  highContrast: boolean;
  textSize: TextSize;
}

const DEFAULT_PREFERENCES: Preferences = { theme: 'system', highContrast: false, textSize: 'm' };
const listeners = new Set<() => void>();
let current: Preferences | undefined;

const root = () => document.documentElement;
const darkSystem = () => matchMedia('(prefers-color-scheme: dark)');
const oneOf = <Value extends string>(values: readonly Value[], text: string | null): Value | undefined =>
  values.find((value) => value === text);

const read = (): Preferences => ({
  theme: oneOf(themes, readItem(THEME)) ?? DEFAULT_PREFERENCES.theme,
  highContrast: root().dataset.weak === 'on',
  textSize: oneOf(textSizes, readItem(TEXT_SIZE)) ?? DEFAULT_PREFERENCES.textSize,
});

function effectiveTheme(): 'light' | 'dark' {
  const { theme } = read();
  if (theme !== 'system') return theme;
  return darkSystem().matches ? 'dark' : 'light';
}

function apply(): void {
  const { dataset } = root();
  dataset.theme = effectiveTheme();
  // Without a stored value, the operator's default stays.
  dataset.weak = readItem(HIGH_CONTRAST) ?? dataset.weak ?? 'off';
  current = read();
  dataset.reading = current.textSize;
  // In the next frame, which computes the styles anyway.
  requestAnimationFrame(updateBrowserThemeColor);
  for (const listener of listeners) listener();
}

/** The browser's address bar uses the colour of the header. */
function updateBrowserThemeColor(): void {
  const bar = document.querySelector('header[data-theme]') ?? root();
  const background = getComputedStyle(bar).getPropertyValue('--bg').trim();
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]'))
    meta.content = background;
}

function savePreference(key: string, value: string | null): void {
  writeItem(key, value);
  apply();
}

export const setTheme = (theme: Theme): void => savePreference(THEME, theme === 'system' ? null : theme);
export const setHighContrast = (on: boolean): void => savePreference(HIGH_CONTRAST, on ? 'on' : 'off');
export const setTextSize = (size: TextSize): void => savePreference(TEXT_SIZE, size === 'm' ? null : size);

/** Choosing the system's theme resets the preference to 'system'. */
export function toggleTheme(): void {
  const next = effectiveTheme() === 'dark' ? 'light' : 'dark';
  const system = darkSystem().matches ? 'dark' : 'light';
  setTheme(next === system ? 'system' : next);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The stored preferences; the defaults on the server and during hydration. */
export const useTheme = (): Preferences =>
  useSyncExternalStore(
    subscribe,
    () => {
      current ??= read();
      return current;
    },
    () => DEFAULT_PREFERENCES,
  );

/** Applies changes of the system theme and of other tabs; returns a function that stops it. */
export function syncTheme(): () => void {
  const system = darkSystem();
  const onStorage = ({ key }: StorageEvent) => {
    if (key === null || [THEME, HIGH_CONTRAST, TEXT_SIZE].includes(key)) apply();
  };
  apply();
  system.addEventListener('change', apply);
  addEventListener('storage', onStorage);
  return () => {
    system.removeEventListener('change', apply);
    removeEventListener('storage', onStorage);
  };
}
