import { RECALL_MINUTES } from '@mozhan/contract/chats.ts';
import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type { Viewer } from '../../../../ctx.ts';
import { holds } from '../../../../viewer.ts';
import { isMember } from '../../../accounts/users/index.ts';
import { canReadAll, noEssay } from '../../../content/essays/index.ts';
import { fold, hash } from '../../../platform/search/index.ts';
import type { Door } from '../queries/doors.ts';
import type { MessageRow } from '../tables.ts';

/** What keeps somebody out of an essay's room; null: nothing does. */
export function refusalOf(viewer: Viewer, door: Door | undefined, now: Date): CallError | null {
  if (door === undefined) return noEssay();
  const { essay, isBought, user, isBlocked } = door;
  if (essay.deletedAt !== null) return new CallError('GONE', { message: '这篇文章已被删除' });
  if (essay.status !== ESSAY_STATUS.onShelf)
    return isBought || viewer.id === essay.authorId
      ? new CallError('CHAT_LOCKED', { message: '文章已不在架上，群聊也关闭了' })
      : noEssay();
  if (isBlocked) return new CallError('BLOCKED');
  return canReadAll(viewer, essay, { isBought, isMember: isMember(user, now) })
    ? null
    : new CallError('CHAT_LOCKED');
}

/** The same of anybody who is not here to show what else they may. */
export function isWelcome({ essay, isBought, user, isBlocked }: Door, now: Date): boolean {
  const isOpen = user.id === essay.authorId || isBought || (essay.memberFree && isMember(user, now));
  const has = { isBought: isOpen, isMember: false };
  return essay.status === ESSAY_STATUS.onShelf && !isBlocked && canReadAll(null, essay, has);
}

/** In China, where the readers are. */
const untilFormat = new Intl.DateTimeFormat('zh-CN', {
  timeZone: 'Asia/Shanghai',
  month: 'long',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** What keeps somebody from speaking where they may listen. */
export function silenceOf({ mutedUntil }: Door, now: Date): CallError | null {
  if (mutedUntil === null || mutedUntil <= now) return null;
  return new CallError('CHAT_MUTED', {
    message: `你在这个群聊里被禁言了，${untilFormat.format(mutedUntil)}后可以发言`,
  });
}

export const isModerator = (viewer: Viewer): boolean => holds(viewer, 'comment:update');

export const isTooLate = ({ createdAt }: Pick<MessageRow, 'createdAt'>, now: Date): boolean =>
  now.getTime() - createdAt.getTime() > RECALL_MINUTES * 60_000;

/** Two people, in the one order that they are stored in. */
export const pairOf = (one: string, other: string): { userA: string; userB: string } =>
  one < other ? { userA: one, userB: other } : { userA: other, userB: one };

/** Text as it is compared. */
export const foldLine = (plain: string): string => fold(plain.replace(/\s+/g, ' ').trim());

/** Characters and their pairs; the same ones are others in another conversation, so that each is searched alone. */
export function tokensOf(conversationId: string, folded: string): number[] {
  const tokens = new Set<number>();
  for (let at = 0; at < folded.length; at++) {
    tokens.add(hash(conversationId + folded.charAt(at)));
    if (at + 1 < folded.length) tokens.add(hash(conversationId + folded.slice(at, at + 2)));
  }
  return [...tokens];
}

/** What all that contains the keyword has: its pairs, of a single character itself. */
export const wantedOf = (conversationId: string, folded: string): number[] =>
  folded.length === 1
    ? [hash(conversationId + folded)]
    : Array.from({ length: folded.length - 1 }, (_, at) => hash(conversationId + folded.slice(at, at + 2)));
