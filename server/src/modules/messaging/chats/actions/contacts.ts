import { CallError } from '@mozhan/contract/errors.ts';
import type { Ctx, Viewer } from '../../../../ctx.ts';
import { findPhoneRefusal } from '../../../accounts/users/index.ts';
import { addUnanswered, getStanding } from '../queries/contacts.ts';
import { isExhausted, refusalOf } from '../rules/contacts.ts';

/** Refuses who may not write to the other at all. */
export async function checkContact(ctx: Ctx, fromId: string, toId: string): Promise<void> {
  if (fromId === toId) throw new CallError('MESSAGE_SELF');
  const refusal = refusalOf(await getStanding(ctx.db, fromId, toId));
  if (refusal !== null) throw refusal;
}

/** Counts what is being written, in its transaction, and refuses a stranger's fourth that nobody has answered. */
export async function countContact(ctx: Ctx, fromId: string, toId: string): Promise<void> {
  if (ctx.effects === null) throw new Error('countContact is for use inside inTx');
  if (!(await addUnanswered(ctx.db, fromId, toId))) throw new CallError('STRANGER_LIMIT');
  // What was asked before it was laid out may have changed.
  await checkContact(ctx, fromId, toId);
}

/** What writing would be refused with, one sentence; '' when it would not. */
export async function whyNot(ctx: Ctx, viewer: Viewer, toId: string): Promise<string> {
  if (viewer.id === toId) return new CallError('MESSAGE_SELF').message;
  const standing = await getStanding(ctx.db, viewer.id, toId);
  const refusal =
    refusalOf(standing) ??
    (isExhausted(standing) ? new CallError('STRANGER_LIMIT') : await findPhoneRefusal(ctx, viewer));
  return refusal?.message ?? '';
}
