import { expect, test } from 'vitest';
import { formatEssayPrice } from './format.ts';

test('the price of an essay says who reads it', () => {
  expect(
    [
      { price: 0, memberFree: false },
      { price: 0, memberFree: true },
      { price: 600, memberFree: false },
      { price: 600, memberFree: true },
    ].map(formatEssayPrice),
  ).toEqual(['免费', '会员可读', '¥ 6.00', '¥ 6.00，会员免费']);
});
