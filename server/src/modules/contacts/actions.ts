import { CallError } from '#contract/errors.ts';
import type { Ctx } from '../../ctx.ts';
import { addUnanswered, getStanding } from './queries.ts';
import { isExhausted, refusalOf } from './rules.ts';

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
export async function whyNot(ctx: Ctx, fromId: string, toId: string): Promise<string> {
  if (fromId === toId) return new CallError('MESSAGE_SELF').message;
  const standing = await getStanding(ctx.db, fromId, toId);
  const refusal = refusalOf(standing) ?? (isExhausted(standing) ? new CallError('STRANGER_LIMIT') : null);
  return refusal?.message ?? '';
}
