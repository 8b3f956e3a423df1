import { expect, test } from 'vitest';
import { compare } from './compare.ts';

test('compares with the period before in plain words', () => {
  expect(compare(212, 100)).toEqual({ text: '比上期多 112%', trend: 'up' });
  expect(compare(69, 100)).toEqual({ text: '比上期少 31%', trend: 'down' });
  expect(compare(7, 7)).toEqual({ text: '与上期持平', trend: 'same' });
  expect(compare(0, 0)).toEqual({ text: '与上期持平', trend: 'same' });
  expect(compare(5, 0)).toEqual({ text: '上期没有', trend: 'up' });
  expect(compare(-3, 0)).toEqual({ text: '比上期少', trend: 'down' });
});
