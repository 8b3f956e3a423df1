import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatPriceTag, formatSignedYuan, formatYuan, parseYuan, toYuan } from './money.ts';

test('formats fen as yuan', () => {
  expect([0, 1, 10, 990, 100_000, 123_456_789].map(formatYuan)).toEqual([
    '¥ 0.00',
    '¥ 0.01',
    '¥ 0.10',
    '¥ 9.90',
    '¥ 1,000.00',
    '¥ 1,234,567.89',
  ]);
  expect([-5, -990].map(formatYuan)).toEqual(['-¥ 0.05', '-¥ 9.90']);
  expect([100, 0, -100].map(formatSignedYuan)).toEqual(['+¥ 1.00', '¥ 0.00', '-¥ 1.00']);
  expect([1000, 990, 100_000].map(formatPriceTag)).toEqual(['¥ 10', '¥ 9.90', '¥ 1,000']);
  expect([990, -5].map(toYuan)).toEqual(['9.90', '-0.05']);
});

test('parses typed yuan to exact fen and rejects other text', () => {
  expect(['9.9', ' 9.90 ', '0.29', '1.15', '19.', '１２．５', '007'].map(parseYuan)).toEqual([
    990, 990, 29, 115, 1900, 1250, 700,
  ]);
  const refused = ['', '.5', '-1', '+1', '1.234', '1e3', '1,000', '一', '0x10', 'NaN', '1 2', '9999999999'];
  expect(refused.map(parseYuan)).toEqual(refused.map(() => null));
});

test('parsing a formatted amount returns the same fen', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99_999_999_999 }), (fen) => {
      expect(parseYuan(toYuan(fen))).toBe(fen);
    }),
  );
});
