import { expect, test } from 'vitest';
import { describeResultCounts } from './result-counts.ts';

test('lists what a search found and omits empty groups', () => {
  expect(describeResultCounts({ essays: 0, authors: 1, columns: 0, tags: 0 })).toBe('找到 1 位作者');
  expect(describeResultCounts({ essays: 12, authors: 0, columns: 0, tags: 0 })).toBe('找到 12 篇文章');
  expect(describeResultCounts({ essays: 3, authors: 2, columns: 1, tags: 5 })).toBe(
    '找到 3 篇文章、2 位作者、1 个专栏、5 个标签',
  );
  expect(describeResultCounts({ essays: 0, authors: 0, columns: 0, tags: 0 })).toBe('没有找到');
});

test('shows 1000+ above the highest count of the server', () => {
  expect(describeResultCounts({ essays: 1000, authors: 0, columns: 0, tags: 0 })).toBe('找到 1000 篇文章');
  expect(describeResultCounts({ essays: 1001, authors: 0, columns: 0, tags: 0 })).toBe('找到 1000+ 篇文章');
});
