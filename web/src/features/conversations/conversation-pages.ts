import type { ChatMessage, Conversation } from '@mozhan/contract/chats.ts';
import type { Page } from '@mozhan/contract/common.ts';
import type { ConversationKey } from '@mozhan/contract/live.ts';
import type { InfiniteData } from '@tanstack/react-query';

export type ConversationPages = InfiniteData<Page<Conversation>>;

const matchesKey = ({ user, essay }: Conversation, { userId, essayId }: ConversationKey): boolean =>
  userId === undefined ? essay?.id === essayId : user?.id === userId;

export const includesConversation = ({ pages }: ConversationPages, key: ConversationKey): boolean =>
  pages.some(({ list }) => list.some((conversation) => matchesKey(conversation, key)));

export const unreadIn = ({ pages }: ConversationPages, key: ConversationKey): number | undefined =>
  pages.flatMap(({ list }) => list).find((conversation) => matchesKey(conversation, key))?.unread;

/** Applies a new or removed message: the conversation moves to the top, and messages of others are unread. */
export function withMessage(
  data: ConversationPages,
  key: ConversationKey,
  message: ChatMessage,
  mine: boolean,
): ConversationPages {
  const found = data.pages.flatMap(({ list }) => list).find((conversation) => matchesKey(conversation, key));
  if (found === undefined || message.seq < found.lastSeq) return data;
  const isNew = message.seq > found.lastSeq;
  const conversation: Conversation = {
    ...found,
    last: message,
    lastSeq: message.seq,
    readSeq: mine ? message.seq : found.readSeq,
    unread: mine ? 0 : found.unread + (isNew ? message.seq - found.lastSeq : 0),
    updatedAt: isNew ? message.createdAt : found.updatedAt,
  };
  if (!isNew) return updateConversation(data, key, () => conversation);
  const pages = data.pages.map((page, at) => {
    const others = page.list.filter((each) => each !== found);
    return { ...page, list: at === 0 ? [conversation, ...others] : others };
  });
  return { ...data, pages };
}

/** Applies a read position from this or another tab. */
export const withReadSeq = (data: ConversationPages, key: ConversationKey, seq: number): ConversationPages =>
  updateConversation(data, key, (conversation) =>
    seq <= conversation.readSeq
      ? conversation
      : { ...conversation, readSeq: seq, unread: seq >= conversation.lastSeq ? 0 : conversation.unread },
  );

const updateConversation = (
  data: ConversationPages,
  key: ConversationKey,
  change: (conversation: Conversation) => Conversation,
): ConversationPages => ({
  ...data,
  pages: data.pages.map((page) => ({
    ...page,
    list: page.list.map((conversation) =>
      matchesKey(conversation, key) ? change(conversation) : conversation,
    ),
  })),
});
