import type { ChatMessage, Talk } from '@mozhan/contract/chats.ts';
import { expect, test } from 'vitest';
import { isIn, type TalkPages, withRead, withSaid } from './talk-pages.ts';

const talk = (id: string, more: Partial<Talk> = {}) =>
  ({
    user: { id },
    essay: null,
    last: null,
    lastSeq: 4,
    readSeq: 4,
    unread: 0,
    updatedAt: '1',
    ...more,
  }) as Talk;

const pagesOf = (...lists: Talk[][]): TalkPages => ({
  pages: lists.map((list, at) => ({ list, total: 9, page: at + 1, pageSize: 10, next: null })),
  pageParams: lists.map(() => null),
});

const said = (seq: number, more: Partial<ChatMessage> = {}) =>
  ({ seq, createdAt: '2', removed: false, ...more }) as ChatMessage;

const order = ({ pages }: TalkPages) => pages.flatMap(({ list }) => list.map(({ user }) => user?.id));
const find = ({ pages }: TalkPages, id: string) =>
  pages.flatMap(({ list }) => list).find(({ user }) => user?.id === id);

const all = pagesOf([talk('a'), talk('b')], [talk('c')]);

test('who says something comes first, with what is unread', () => {
  const heard = withSaid(all, { userId: 'c' }, said(5), false);
  expect(order(heard)).toEqual(['c', 'a', 'b']);
  expect(find(heard, 'c')).toMatchObject({ unread: 1, lastSeq: 5, updatedAt: '2' });
  expect(find(withSaid(heard, { userId: 'c' }, said(5), false), 'c')?.unread).toBe(1);
  expect(find(withSaid(heard, { userId: 'c' }, said(8), false), 'c')?.unread).toBe(4);
  expect(find(withSaid(heard, { userId: 'c' }, said(6), true), 'c')).toMatchObject({ unread: 0, readSeq: 6 });
});

test('what was taken away changes its line, not the order; what is old or unknown changes nothing', () => {
  const gone = withSaid(all, { userId: 'b' }, said(4, { removed: true }), false);
  expect(order(gone)).toEqual(['a', 'b', 'c']);
  expect(find(gone, 'b')?.last?.removed).toBe(true);
  expect(withSaid(all, { userId: 'b' }, said(2), false)).toBe(all);
  expect(withSaid(all, { essayId: 'b' }, said(9), false)).toBe(all);
  expect(isIn(all, { essayId: 'b' })).toBe(false);
});

test('reading goes forward', () => {
  const heard = withSaid(all, { userId: 'a' }, said(9), false);
  expect(find(withRead(heard, { userId: 'a' }, 9), 'a')).toMatchObject({ unread: 0, readSeq: 9 });
  expect(find(withRead(heard, { userId: 'a' }, 3), 'a')?.unread).toBe(5);
});
