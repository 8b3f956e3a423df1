import { readItem, writeItem } from '@mozhan/client/storage.ts';

const KEY = 'search-history';
const MAX_ENTRIES = 10;

/** Keywords searched for on this device, latest first. */
export function readSearchHistory(): string[] {
  try {
    const keywords: unknown = JSON.parse(readItem(KEY) ?? '[]');
    return Array.isArray(keywords) ? keywords.filter((keyword) => typeof keyword === 'string') : [];
  } catch {
    return [];
  }
}

export function addToSearchHistory(keyword: string): void {
  const others = readSearchHistory().filter((each) => each !== keyword);
  writeItem(KEY, JSON.stringify([keyword, ...others].slice(0, MAX_ENTRIES)));
}

export const clearSearchHistory = (): void => writeItem(KEY, null);
