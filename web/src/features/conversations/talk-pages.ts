import type { ChatMessage, Talk } from '@mozhan/contract/chats.ts';
import type { Page } from '@mozhan/contract/common.ts';
import type { TalkKey } from '@mozhan/contract/live.ts';
import type { InfiniteData } from '@tanstack/react-query';

export type TalkPages = InfiniteData<Page<Talk>>;

const isOf = ({ user, essay }: Talk, { userId, essayId }: TalkKey): boolean =>
  userId === undefined ? essay?.id === essayId : user?.id === userId;

export const isIn = ({ pages }: TalkPages, key: TalkKey): boolean =>
  pages.some(({ list }) => list.some((talk) => isOf(talk, key)));

/** Something was said or taken away: its conversation goes to the top, what is not mine is unread. */
export function withSaid(data: TalkPages, key: TalkKey, message: ChatMessage, mine: boolean): TalkPages {
  const found = data.pages.flatMap(({ list }) => list).find((talk) => isOf(talk, key));
  if (found === undefined || message.seq < found.lastSeq) return data;
  const isNew = message.seq > found.lastSeq;
  const talk: Talk = {
    ...found,
    last: message,
    lastSeq: message.seq,
    readSeq: mine ? message.seq : found.readSeq,
    unread: mine ? 0 : found.unread + (isNew ? message.seq - found.lastSeq : 0),
    updatedAt: isNew ? message.createdAt : found.updatedAt,
  };
  if (!isNew) return withTalk(data, key, () => talk);
  const pages = data.pages.map((page, at) => {
    const others = page.list.filter((each) => each !== found);
    return { ...page, list: at === 0 ? [talk, ...others] : others };
  });
  return { ...data, pages };
}

/** Read so far, here or on another page of one's own. */
export const withRead = (data: TalkPages, key: TalkKey, seq: number): TalkPages =>
  withTalk(data, key, (talk) =>
    seq <= talk.readSeq ? talk : { ...talk, readSeq: seq, unread: seq >= talk.lastSeq ? 0 : talk.unread },
  );

const withTalk = (data: TalkPages, key: TalkKey, change: (talk: Talk) => Talk): TalkPages => ({
  ...data,
  pages: data.pages.map((page) => ({
    ...page,
    list: page.list.map((talk) => (isOf(talk, key) ? change(talk) : talk)),
  })),
});
