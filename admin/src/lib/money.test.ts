import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatChange, formatYuan, parseYuan, toYuan } from './money.ts';

test('fen are written as yuan', () => {
  expect([0, 5, 990, 100_000, 123_456_789, -990].map(formatYuan)).toEqual([
    '¥ 0.00',
    '¥ 0.05',
    '¥ 9.90',
    '¥ 1,000.00',
    '¥ 1,234,567.89',
    '-¥ 9.90',
  ]);
  expect([100, 0, -100].map(formatChange)).toEqual(['+¥ 1.00', '¥ 0.00', '-¥ 1.00']);
});

test('what is typed becomes exactly its fen, or no amount', () => {
  expect(['9.9', ' 9.90 ', '0.29', '1.15', '19.', '１２．５'].map(parseYuan)).toEqual([
    990, 990, 29, 115, 1900, 1250,
  ]);
  for (const wrong of ['', '.5', '-1', '+1', '1.234', '1e3', '1,000', '一', '0x10', 'NaN', '9999999999'])
    expect(parseYuan(wrong), wrong).toBeNaN();
});

test('every amount comes back as it went', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99_999_999_999 }), (fen) => {
      expect(parseYuan(toYuan(fen))).toBe(fen);
    }),
  );
});
