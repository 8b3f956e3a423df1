import { expect, test } from 'vitest';
import { describeFound } from './found.ts';

test('says what a search found, and leaves out what it did not', () => {
  expect(describeFound({ essays: 0, people: 1, tags: 0 })).toBe('找到 1 位作者');
  expect(describeFound({ essays: 12, people: 0, tags: 0 })).toBe('找到 12 篇文章');
  expect(describeFound({ essays: 3, people: 2, tags: 5 })).toBe('找到 3 篇文章、2 位作者、5 个标签');
  expect(describeFound({ essays: 0, people: 0, tags: 0 })).toBe('没有找到');
});

test('does not count further than the server', () => {
  expect(describeFound({ essays: 1000, people: 0, tags: 0 })).toBe('找到 1000 篇文章');
  expect(describeFound({ essays: 1001, people: 0, tags: 0 })).toBe('找到 1000+ 篇文章');
});
