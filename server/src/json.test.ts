import { expect, test } from 'vitest';
import { isWithinJsonLimits } from './json.ts';

const list = (count: number, item: string) => `[${Array(count).fill(item).join()}]`;

test('accepts long texts and rejects deep nesting or too many values', () => {
  expect(isWithinJsonLimits(JSON.stringify({ content: '[{,"\\'.repeat(100_000), tags: ['a', 'b'] }))).toBe(
    true,
  );
  expect(isWithinJsonLimits(list(9000, '1'))).toBe(true);
  expect(isWithinJsonLimits(list(11_000, '1'))).toBe(false);
  expect(isWithinJsonLimits(list(11_000, '{}'))).toBe(false);
  expect(isWithinJsonLimits(`${'['.repeat(30)}${']'.repeat(30)}`)).toBe(true);
  expect(isWithinJsonLimits('['.repeat(33))).toBe(false);
});

test('escaped quotes do not end a string, and an unterminated string is left to the parser', () => {
  expect(isWithinJsonLimits(`["\\\\\\"${'['.repeat(100)}"]`)).toBe(true);
  expect(isWithinJsonLimits(`["\\\\",${'['.repeat(100)}]`)).toBe(false);
  expect(isWithinJsonLimits(`"${'['.repeat(100_000)}`)).toBe(true);
});
