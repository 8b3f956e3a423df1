import { CallError } from '@mozhan/contract/errors.ts';
import { userNotFound } from '../../../accounts/users/index.ts';

/** How many messages a user may send without a reply to somebody who does not follow them. */
export const MAX_UNANSWERED = 3;

export type ContactState = {
  isEnabled: boolean;
  isBlocked: boolean;
  hasBlocked: boolean;
  isFollowed: boolean;
  unanswered: number;
};

/** Returns why the sender may not write to the recipient, or null; the unanswered limit is checked separately. */
export function getContactError({
  isEnabled: isThere,
  isBlocked,
  hasBlocked,
}: ContactState): CallError | null {
  if (!isThere) return userNotFound();
  if (isBlocked) return new CallError('BLOCKED');
  if (hasBlocked) return new CallError('BLOCKED', { message: '你屏蔽了对方，解除屏蔽后才能发消息' });
  return null;
}

export const isContactLimitReached = ({ isFollowed, unanswered }: ContactState): boolean =>
  !isFollowed && unanswered >= MAX_UNANSWERED;
