import { expect, test } from 'vitest';
import { toCsv } from './csv.ts';

const essay = (title: string) => ({
  id: 'a'.repeat(32),
  title,
  publishedAt: '2026-11-01T02:03:04.000Z',
  reads: 12,
  likes: 3,
  comments: -1,
  collects: 2,
  shares: 0,
});

test('has the mark of UTF-8, Chinese heads and a line for each essay', () => {
  expect(toCsv([essay('纸上的墨')])).toBe(
    '\ufeff标题,发布时间,阅读,点赞,收藏,评论,分享\r\n纸上的墨,2026-11-01 10:03:04,12,3,2,-1,0\r\n',
  );
});

test('quotes what would break a line, and disarms what would be run', () => {
  const [, comma, formula] = toCsv([essay('甲, "乙"'), essay('=1+1')]).split('\r\n');
  expect(comma).toMatch(/^"甲, ""乙""",/);
  expect(formula).toMatch(/^'=1\+1,/);
});
