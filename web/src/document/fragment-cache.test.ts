import { expect, test } from 'vitest';
import { createFragmentCache } from './fragment-cache.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

test('returns a fragment only for the input it was rendered from, and replaces it', () => {
  const cache = createFragmentCache(10_000);
  cache.add('text', { input: 'first', bytes: bytesOf('<p>1</p>') });
  expect(cache.find('text', 'second')).toBeUndefined();
  const size = cache.bytes();
  cache.add('text', { input: 'other', bytes: bytesOf('<p>2</p>') });
  expect(cache.find('text', 'first')).toBeUndefined();
  expect(cache.find('text', 'other')).toEqual(bytesOf('<p>2</p>'));
  expect(cache.bytes()).toBe(size);
});

test('evicts the least recently used fragments above its limit', () => {
  const cache = createFragmentCache(5000);
  const add = (key: string) => cache.add(key, { input: key, bytes: new Uint8Array(1000) });
  for (const key of ['a', 'b', 'c']) add(key);
  cache.find('a', 'a');
  add('d');
  expect(['a', 'b', 'c', 'd'].map((key) => cache.find(key, key) !== undefined)).toEqual([
    true,
    false,
    true,
    true,
  ]);
  expect(cache.bytes()).toBeLessThanOrEqual(5000);
  cache.add('large', { input: '', bytes: new Uint8Array(6000) });
  expect(cache.bytes()).toBe(0);
  add('e');
  cache.clear();
  expect([cache.bytes(), cache.find('e', 'e')]).toEqual([0, undefined]);
});
