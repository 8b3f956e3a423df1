import { CallError } from '@mozhan/contract/errors.ts';
import { noUser } from '../../../accounts/users/index.ts';

/** What may wait for an answer of somebody who does not follow whoever wrote it. */
export const MOST_UNANSWERED = 3;

/** How somebody stands to whom they want to write to. */
export type Standing = {
  isThere: boolean;
  isBlocked: boolean;
  hasBlocked: boolean;
  isFollowed: boolean;
  unanswered: number;
};

/** What forbids to write at all. */
export function refusalOf({ isThere, isBlocked, hasBlocked }: Standing): CallError | null {
  if (!isThere) return noUser();
  if (isBlocked) return new CallError('BLOCKED');
  if (hasBlocked) return new CallError('BLOCKED', { message: '你屏蔽了对方，解除屏蔽后才能发消息' });
  return null;
}

export const isExhausted = ({ isFollowed, unanswered }: Standing): boolean =>
  !isFollowed && unanswered >= MOST_UNANSWERED;
