import { RECALL_MINUTES } from '@mozhan/contract/chats.ts';
import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type { Viewer } from '../../../../ctx.ts';
import { formatChinaTime } from '../../../../day.ts';
import { hasPermission } from '../../../../viewer.ts';
import { isMember } from '../../../accounts/users/index.ts';
import { canReadAll, essayNotFound } from '../../../content/essays/index.ts';
import { hash32, normalizeSearchText } from '../../../platform/search/index.ts';
import type { RoomAccess } from '../queries/room-access.ts';
import type { MessageRow } from '../tables.ts';

/** Returns why the viewer may not enter an essay's room, or null. */
export function getRoomAccessError(
  viewer: Viewer,
  access: RoomAccess | undefined,
  now: Date,
): CallError | null {
  if (access === undefined) return essayNotFound();
  const { essay, isBought, user, isBlocked } = access;
  if (essay.deletedAt !== null) return new CallError('GONE', { message: '这篇文章已被删除' });
  if (essay.status !== ESSAY_STATUS.onShelf)
    return isBought || viewer.id === essay.authorId
      ? new CallError('CHAT_LOCKED', { message: '文章已不在架上，群聊也关闭了' })
      : essayNotFound();
  if (isBlocked) return new CallError('BLOCKED');
  return canReadAll(viewer, essay, { isBought, isMember: isMember(user, now) })
    ? null
    : new CallError('CHAT_LOCKED');
}

/** Checks access for a user who is not the viewer, so staff permissions do not count. */
export function canReadRoom({ essay, isBought, user, isBlocked }: RoomAccess, now: Date): boolean {
  const isOpen = user.id === essay.authorId || isBought || (essay.memberFree && isMember(user, now));
  const has = { isBought: isOpen, isMember: false };
  return essay.status === ESSAY_STATUS.onShelf && !isBlocked && canReadAll(null, essay, has);
}

/** Returns the error for a muted user, who may read but not write. */
export function getMuteError({ mutedUntil }: RoomAccess, now: Date): CallError | null {
  if (mutedUntil === null || mutedUntil <= now) return null;
  return new CallError('CHAT_MUTED', {
    message: `你在这个群聊里被禁言了，${formatChinaTime(mutedUntil)} 以后可以发言`,
  });
}

export const isModerator = (viewer: Viewer): boolean => hasPermission(viewer, 'comment:update');

export const isRecallExpired = ({ createdAt }: Pick<MessageRow, 'createdAt'>, now: Date): boolean =>
  now.getTime() - createdAt.getTime() > RECALL_MINUTES * 60_000;

/** Returns two user ids in the order in which pairs are stored. */
export const toPairKey = (one: string, other: string): { userA: string; userB: string } =>
  one < other ? { userA: one, userB: other } : { userA: other, userB: one };

export const normalizeForSearch = (plain: string): string =>
  normalizeSearchText(plain.replace(/\s+/g, ' ').trim());

/** Hashes of all characters and adjacent pairs, salted with the conversation so that a search matches only that one. */
export function toSearchTokens(conversationId: string, folded: string): number[] {
  const tokens = new Set<number>();
  for (let at = 0; at < folded.length; at++) {
    tokens.add(hash32(conversationId + folded.charAt(at)));
    if (at + 1 < folded.length) tokens.add(hash32(conversationId + folded.slice(at, at + 2)));
  }
  return [...tokens];
}

/** The tokens that every text with the keyword contains: its character pairs, or the only character. */
export const toQueryTokens = (conversationId: string, folded: string): number[] =>
  folded.length === 1
    ? [hash32(conversationId + folded)]
    : Array.from({ length: folded.length - 1 }, (_, at) => hash32(conversationId + folded.slice(at, at + 2)));
