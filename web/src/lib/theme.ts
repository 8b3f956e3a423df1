import { readItem, writeItem } from './storage.ts';

/** Keys and attributes are shared with boot.ts, which sets them before the first paint. */
const KEY = 'theme';
const darkSystem = () => matchMedia('(prefers-color-scheme: dark)');

function shown(): 'light' | 'dark' {
  const chosen = readItem(KEY);
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return darkSystem().matches ? 'dark' : 'light';
}

function apply(): void {
  document.documentElement.dataset.theme = shown();
  const background = getComputedStyle(document.documentElement).getPropertyValue('--bg').trim();
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]'))
    meta.content = background;
}

/** Choosing what the system shows anyway means following the system again. */
export function toggleTheme(): void {
  const next = shown() === 'dark' ? 'light' : 'dark';
  const system = darkSystem().matches ? 'dark' : 'light';
  writeItem(KEY, next === system ? null : next);
  apply();
}

/** Follows the system and the other tabs. */
export function followTheme(): () => void {
  const system = darkSystem();
  const onStorage = (event: StorageEvent) => {
    if (event.key === KEY || event.key === null) apply();
  };
  apply();
  system.addEventListener('change', apply);
  addEventListener('storage', onStorage);
  return () => {
    system.removeEventListener('change', apply);
    removeEventListener('storage', onStorage);
  };
}
