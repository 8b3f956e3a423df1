import { expect, test } from 'vitest';
import { passwordStrength } from './password-strength.ts';

test.each([
  ['', '', 0],
  ['short', '', 1],
  ['12345678901', '', 1],
  ['aaaaaaaaaaaa', '', 1],
  ['linyan-2026', 'linyan', 1],
  ['quiethill', '', 2],
  ['Quiet-hill-7', '', 3],
  ['three quiet hills', '', 3],
  ['山外青山楼外楼一二三四五六七', '', 3],
])('%j for account %j is level %i', (password, account, level) => {
  expect(passwordStrength(password, account).level).toBe(level);
});

test('tells how many characters are missing', () => {
  expect(passwordStrength('abcde').advice).toBe('还差 3 个字符');
});
