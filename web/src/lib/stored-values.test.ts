import { afterEach, expect, test, vi } from 'vitest';
import { storedValues } from './stored-values.ts';

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

test('returns a value by name until it is replaced or removed', () => {
  const items = storage();
  const { read, save } = storedValues<string>('drafts', 5);
  expect(read('a')).toBeUndefined();
  save('a', 'first');
  save('b', 'other');
  save('a', 'second');
  expect([read('a'), read('b')]).toEqual(['second', 'other']);
  save('a', undefined);
  save('b', undefined);
  expect(read('a')).toBeUndefined();
  expect(items.has('drafts')).toBe(false);
});

test('evicts the least recently saved values', () => {
  storage();
  const { read, save } = storedValues<number>('places', 2);
  save('a', 1);
  save('b', 2);
  save('a', 3);
  save('c', 4);
  expect(['a', 'b', 'c'].map(read)).toEqual([3, undefined, 4]);
});

test.each(['{', '7', '{"a":1}'])('starts empty when the storage contains %s', (text) => {
  storage().set('drafts', text);
  const { read, save } = storedValues<string>('drafts', 5);
  expect(read('a')).toBeUndefined();
  save('a', 'words');
  expect(read('a')).toBe('words');
});
