import { expect, test } from 'vitest';
import { isPlainJson } from './json.ts';

const list = (count: number, item: string) => `[${Array(count).fill(item).join()}]`;

test('takes long texts and refuses what is deep or of many parts', () => {
  expect(isPlainJson(JSON.stringify({ content: '[{,"\\'.repeat(100_000), tags: ['a', 'b'] }))).toBe(true);
  expect(isPlainJson(list(9000, '1'))).toBe(true);
  expect(isPlainJson(list(11_000, '1'))).toBe(false);
  expect(isPlainJson(list(11_000, '{}'))).toBe(false);
  expect(isPlainJson(`${'['.repeat(30)}${']'.repeat(30)}`)).toBe(true);
  expect(isPlainJson('['.repeat(33))).toBe(false);
});

test('what is escaped ends no string, and one that never ends is left to the parser', () => {
  expect(isPlainJson(`["\\\\\\"${'['.repeat(100)}"]`)).toBe(true);
  expect(isPlainJson(`["\\\\",${'['.repeat(100)}]`)).toBe(false);
  expect(isPlainJson(`"${'['.repeat(100_000)}`)).toBe(true);
});
