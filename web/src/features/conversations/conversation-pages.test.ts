import type { ChatMessage, Conversation } from '@mozhan/contract/chats.ts';
import { expect, test } from 'vitest';
import {
  type ConversationPages,
  includesConversation,
  withMessage,
  withReadSeq,
} from './conversation-pages.ts';

const createConversation = (id: string, more: Partial<Conversation> = {}) =>
  ({
    user: { id },
    essay: null,
    last: null,
    lastSeq: 4,
    readSeq: 4,
    unread: 0,
    updatedAt: '1',
    ...more,
  }) as Conversation;

const pagesOf = (...lists: Conversation[][]): ConversationPages => ({
  pages: lists.map((list, at) => ({ list, total: 9, page: at + 1, pageSize: 10, next: null })),
  pageParams: lists.map(() => null),
});

const createMessage = (seq: number, more: Partial<ChatMessage> = {}) =>
  ({ seq, createdAt: '2', removed: false, ...more }) as ChatMessage;

const order = ({ pages }: ConversationPages) => pages.flatMap(({ list }) => list.map(({ user }) => user?.id));
const find = ({ pages }: ConversationPages, id: string) =>
  pages.flatMap(({ list }) => list).find(({ user }) => user?.id === id);

const all = pagesOf([createConversation('a'), createConversation('b')], [createConversation('c')]);

test('moves a conversation with a new message to the top and counts it as unread', () => {
  const updated = withMessage(all, { userId: 'c' }, createMessage(5), false);
  expect(order(updated)).toEqual(['c', 'a', 'b']);
  expect(find(updated, 'c')).toMatchObject({ unread: 1, lastSeq: 5, updatedAt: '2' });
  expect(find(withMessage(updated, { userId: 'c' }, createMessage(5), false), 'c')?.unread).toBe(1);
  expect(find(withMessage(updated, { userId: 'c' }, createMessage(8), false), 'c')?.unread).toBe(4);
  expect(find(withMessage(updated, { userId: 'c' }, createMessage(6), true), 'c')).toMatchObject({
    unread: 0,
    readSeq: 6,
  });
});

test('updates a removed message in place and ignores old or unknown ones', () => {
  const removed = withMessage(all, { userId: 'b' }, createMessage(4, { removed: true }), false);
  expect(order(removed)).toEqual(['a', 'b', 'c']);
  expect(find(removed, 'b')?.last?.removed).toBe(true);
  expect(withMessage(all, { userId: 'b' }, createMessage(2), false)).toBe(all);
  expect(withMessage(all, { essayId: 'b' }, createMessage(9), false)).toBe(all);
  expect(includesConversation(all, { essayId: 'b' })).toBe(false);
});

test('never decreases the read position', () => {
  const updated = withMessage(all, { userId: 'a' }, createMessage(9), false);
  expect(find(withReadSeq(updated, { userId: 'a' }, 9), 'a')).toMatchObject({ unread: 0, readSeq: 9 });
  expect(find(withReadSeq(updated, { userId: 'a' }, 3), 'a')?.unread).toBe(5);
});
