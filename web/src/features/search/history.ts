import { readItem, writeItem } from '@mozhan/client/storage.ts';

const KEY = 'search-history';
const MOST = 10;

/** What was searched for on this device, the latest first. */
export function readHistory(): string[] {
  try {
    const words: unknown = JSON.parse(readItem(KEY) ?? '[]');
    return Array.isArray(words) ? words.filter((word) => typeof word === 'string') : [];
  } catch {
    return [];
  }
}

export function addToHistory(word: string): void {
  const others = readHistory().filter((each) => each !== word);
  writeItem(KEY, JSON.stringify([word, ...others].slice(0, MOST)));
}

export const clearHistory = (): void => writeItem(KEY, null);
