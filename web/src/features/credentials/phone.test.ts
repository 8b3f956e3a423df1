import { expect, test } from 'vitest';
import { isPhone, normalizeTarget } from './phone.ts';

test('normalizes phone numbers and keeps names and e-mail addresses', () => {
  for (const typed of [
    '13800138000',
    ' 138 0013 8000',
    '+8613800138000',
    '+86 138 0013 8000',
    '+86-13800138000',
  ])
    expect(normalizeTarget(typed)).toBe('13800138000');
  for (const typed of ['8613800138000', '138-0013-8000', 'me+86@example.com', 'shen qing-wu'])
    expect(normalizeTarget(` ${typed} `)).toBe(typed);
  expect(['13800138000', 'me@example.com', '138'].map(isPhone)).toEqual([true, false, false]);
});
