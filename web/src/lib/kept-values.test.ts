import { afterEach, expect, test, vi } from 'vitest';
import { keptValues } from './kept-values.ts';

afterEach(() => vi.unstubAllGlobals());

function storage() {
  const items = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => items.set(key, value),
    removeItem: (key: string) => items.delete(key),
  });
  return items;
}

test('a value is found by its name until it is replaced or forgotten', () => {
  const items = storage();
  const { read, keep } = keptValues<string>('drafts', 5);
  expect(read('a')).toBeUndefined();
  keep('a', 'first');
  keep('b', 'other');
  keep('a', 'second');
  expect([read('a'), read('b')]).toEqual(['second', 'other']);
  keep('a', undefined);
  keep('b', undefined);
  expect(read('a')).toBeUndefined();
  expect(items.has('drafts')).toBe(false);
});

test('drops the values that were not kept for the longest time', () => {
  storage();
  const { read, keep } = keptValues<number>('places', 2);
  keep('a', 1);
  keep('b', 2);
  keep('a', 3);
  keep('c', 4);
  expect(['a', 'b', 'c'].map(read)).toEqual([3, undefined, 4]);
});

test.each(['{', '7', '{"a":1}'])('starts over when the storage holds %s', (text) => {
  storage().set('drafts', text);
  const { read, keep } = keptValues<string>('drafts', 5);
  expect(read('a')).toBeUndefined();
  keep('a', 'words');
  expect(read('a')).toBe('words');
});
