import type { Letter, Thread } from '@mozhan/contract/letters.ts';
import type { Ctx } from '../../../../ctx.ts';
import { toUserCard } from '../../../accounts/users/index.ts';
import type { User } from '../../../accounts/users/tables.ts';
import { atBase } from '../../../content/essays/index.ts';
import type { SeenThread } from '../queries/letters.ts';
import type { LetterRow } from '../tables.ts';

const EXCERPT = 100;

export const excerptOf = ({ plain }: LetterRow): string => [...plain].slice(0, EXCERPT).join('');

export const toThread = (ctx: Ctx, { thread, place, last, other, essay }: SeenThread): Thread => ({
  id: thread.id,
  subject: thread.subject,
  essay,
  other: toUserCard(other, ctx.now),
  excerpt: excerptOf(last),
  fromMe: last.fromId === place.userId,
  unread: place.unread,
  letterCount: last.seq - place.hiddenSeq,
  updatedAt: last.createdAt.toISOString(),
});

/** The two of a thread as one of them sees it, and how far each has read. */
export interface Sides {
  own: User;
  ownRead: number;
  other: User;
  otherRead: number;
}

export function toLetter(ctx: Ctx, letter: LetterRow, { own, ownRead, other, otherRead }: Sides): Letter {
  const isOwn = letter.fromId === own.id;
  const [from, to] = isOwn ? [own, other] : [other, own];
  return {
    id: letter.id,
    threadId: letter.threadId,
    from: toUserCard(from, ctx.now),
    to: toUserCard(to, ctx.now),
    content: isOwn ? letter.content : (letter.masked ?? letter.content),
    html: atBase(letter.html, ctx.services.config),
    parentId: letter.parentId,
    read: letter.seq <= (isOwn ? otherRead : ownRead),
    createdAt: letter.createdAt.toISOString(),
  };
}
