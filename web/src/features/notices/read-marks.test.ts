import type { Notice, UnreadCounts } from '@mozhan/contract/notices.ts';
import { expect, test } from 'vitest';
import { lowerUnreadCounts, markPagesRead, type NoticePages } from './read-marks.ts';

const notice = (id: string, kind: Notice['kind'], read = false): Notice => ({
  id,
  kind,
  read,
  text: id,
  actors: [],
  count: 0,
  verb: '',
  target: null,
  excerpt: '',
  items: [],
  createdAt: '2026-11-20T04:00:00Z',
});

const pagesOf = (...lists: Notice[][]): NoticePages => ({
  pages: lists.map((list, index) => ({ list, total: 9, page: index + 1, pageSize: 10, next: null })),
  pageParams: lists.map(() => null),
});

const everything = pagesOf([notice('a', 'like'), notice('b', 'system')], [notice('c', 'like', true)]);
const likes = pagesOf([notice('a', 'like'), notice('c', 'like', true)]);

const counts = (like: number, system: number): UnreadCounts => {
  const none = { comment: 0, reply: 0, mention: 0, collect: 0, follow: 0, column: 0, reward: 0 };
  return {
    latest: 9,
    total: like + system,
    kinds: { ...none, purchase: 0, audit: 0, message: 0, like, system },
  };
};

const unreadIn = ({ pages }: NoticePages) =>
  pages.flatMap(({ list }) => list.filter(({ read }) => !read).map(({ id }) => id));

test('marks the given notices on every page and leaves the others unchanged', () => {
  expect(unreadIn(markPagesRead(everything, ['a']))).toEqual(['b']);
  expect(unreadIn(markPagesRead(everything, 'all'))).toEqual([]);
  expect(unreadIn(everything)).toEqual(['a', 'b']);
  const [first] = everything.pages;
  expect(markPagesRead(everything, ['a']).pages[0]?.list[1]).toBe(first?.list[1]);
});

test('lowers the counts by kind, once per notice, and never for a read or unknown one', () => {
  expect(lowerUnreadCounts(counts(5, 2), ['a', 'c', 'elsewhere'], [everything, likes])).toEqual(counts(4, 2));
  expect(lowerUnreadCounts(counts(5, 2), ['a', 'b'], [everything])).toEqual(counts(4, 1));
  expect(lowerUnreadCounts(counts(5, 2), 'all', [])).toEqual(counts(0, 0));
});

test('never lowers a count below zero', () => {
  expect(lowerUnreadCounts(counts(0, 0), ['a'], [everything])).toEqual(counts(0, 0));
});
