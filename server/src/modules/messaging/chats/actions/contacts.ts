import { CallError } from '@mozhan/contract/errors.ts';
import type { Ctx, Viewer } from '../../../../ctx.ts';
import { getPhoneRequirementError } from '../../../accounts/users/index.ts';
import { getContactState, tryAddUnanswered } from '../queries/contacts.ts';
import { getContactError, isContactLimitReached } from '../rules/contacts.ts';

/** Throws unless the sender may write to the recipient, apart from the limit for strangers. */
export async function checkContact(ctx: Ctx, fromId: string, toId: string): Promise<void> {
  if (fromId === toId) throw new CallError('MESSAGE_SELF');
  const error = getContactError(await getContactState(ctx.db, fromId, toId));
  if (error !== null) throw error;
}

/** Counts a message in its transaction and throws when a stranger exceeds the limit without a reply. */
export async function countContactMessage(ctx: Ctx, fromId: string, toId: string): Promise<void> {
  if (ctx.effects === null) throw new Error('countContactMessage must be called inside inTransaction');
  if (!(await tryAddUnanswered(ctx.db, fromId, toId))) throw new CallError('STRANGER_LIMIT');
  // The recipient may have blocked the sender while the text was being rendered.
  await checkContact(ctx, fromId, toId);
}

/** Returns the message that tells the viewer why they cannot write, or an empty string. */
export async function getContactDenialReason(ctx: Ctx, viewer: Viewer, toId: string): Promise<string> {
  if (viewer.id === toId) return new CallError('MESSAGE_SELF').message;
  const state = await getContactState(ctx.db, viewer.id, toId);
  const error =
    getContactError(state) ??
    (isContactLimitReached(state)
      ? new CallError('STRANGER_LIMIT')
      : await getPhoneRequirementError(ctx, viewer));
  return error?.message ?? '';
}
