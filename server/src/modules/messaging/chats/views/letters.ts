import type { Letter, Thread } from '@mozhan/contract/letters.ts';
import type { Ctx } from '../../../../ctx.ts';
import { toUserCard } from '../../../accounts/users/index.ts';
import type { User } from '../../../accounts/users/tables.ts';
import { withBasePath } from '../../../content/essays/index.ts';
import { startOf } from '../../../platform/text/index.ts';
import type { ThreadForUser } from '../queries/letters.ts';
import type { LetterRow } from '../tables.ts';

const MAX_EXCERPT_LENGTH = 100;

export const excerptOf = ({ plain }: LetterRow): string => startOf(plain, MAX_EXCERPT_LENGTH);

export const toThread = (ctx: Ctx, { thread, member, last, other, essay }: ThreadForUser): Thread => ({
  id: thread.id,
  subject: thread.subject,
  essay,
  other: toUserCard(other, ctx.now),
  excerpt: excerptOf(last),
  fromMe: last.fromId === member.userId,
  unread: member.unread,
  letterCount: last.seq - member.hiddenSeq,
  updatedAt: last.createdAt.toISOString(),
});

/** The viewer and the other participant, and the number of the last letter that each has read. */
export interface ThreadParticipants {
  own: User;
  ownRead: number;
  other: User;
  otherRead: number;
}

export function toLetter(
  ctx: Ctx,
  letter: LetterRow,
  { own, ownRead, other, otherRead }: ThreadParticipants,
): Letter {
  const isOwn = letter.fromId === own.id;
  const [from, to] = isOwn ? [own, other] : [other, own];
  return {
    id: letter.id,
    threadId: letter.threadId,
    from: toUserCard(from, ctx.now),
    to: toUserCard(to, ctx.now),
    content: isOwn ? letter.content : (letter.masked ?? letter.content),
    html: withBasePath(letter.html, ctx.services.config),
    parentId: letter.parentId,
    read: letter.seq <= (isOwn ? otherRead : ownRead),
    createdAt: letter.createdAt.toISOString(),
  };
}
