import { expect, test } from 'vitest';
import { formatTimeLeft } from './time-left.ts';

test.each([
  [0, '1 秒'],
  [400, '1 秒'],
  [29_001, '30 秒'],
  [60_000, '1 分钟'],
  [569_500, '9 分 30 秒'],
  [3_600_000, '60 分钟'],
  [3_600_001, '1 小时 1 分钟'],
  [7_200_000, '2 小时'],
  [86_400_000, '1 天'],
  [2 * 86_400_000 + 3 * 3_600_000 - 5, '2 天 3 小时'],
])('%d ms left', (ms, text) => {
  expect(formatTimeLeft(ms)).toBe(text);
});
