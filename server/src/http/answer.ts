import { type Call, isStaffCall, isWrite, nameOf } from '@mozhan/contract/define.ts';
import { IDENTITY } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import { addressGroup } from '../address.ts';
import type { Ctx } from '../ctx.ts';
import { once, requestIdOf } from '../idempotency.ts';
import { parseInput } from '../input.ts';
import { logged } from '../modules/accounts/access/index.ts';
import { holds } from '../viewer.ts';
import type { Limiter } from './limits.ts';
import type { Binding } from './route.ts';

/** Calls that remain open to somebody who still has to replace a one-time password. */
const whileChangingPassword = new Set([
  'GET core/user/',
  'PUT core/account/password',
  'POST core/account/login',
  'DELETE core/account/login',
]);

/** Who is signed in, and may they call this? Answered before the input is looked at. */
export function authorise(ctx: Ctx, call: Call): void {
  const { viewer } = ctx;
  const isOpen = call.who === 'anyone';
  if (viewer?.mustChangePassword && !whileChangingPassword.has(nameOf(call)) && (isWrite(call) || !isOpen)) {
    throw new CallError('PASSWORD_CHANGE_REQUIRED');
  }
  if (isOpen) return;
  if (viewer === null) throw new CallError('SIGN_IN_REQUIRED');
  if (call.who === 'writer' && viewer.curIdentity !== IDENTITY.writer)
    throw new CallError('FORBIDDEN', { message: '成为作者后才能这样做' });
  if (isStaffCall(call) && !holds(viewer, call.who)) throw new CallError('FORBIDDEN');
}

/** One call from caller to result: may they, is it valid, not too often; then run it once and log what staff did. */
export async function answer(
  ctx: Ctx,
  binding: Binding,
  raw: Record<string, unknown>,
  limiter: Limiter | null,
): Promise<unknown> {
  const { call } = binding;
  const name = nameOf(call);
  authorise(ctx, call);
  const input = parseInput(call.input, raw);
  if (limiter !== null && call.limit !== undefined) {
    const keys = [`${name} ${addressGroup(ctx.asker.address)}`];
    if (ctx.viewer !== null) keys.push(`${name} ${ctx.viewer.id}`);
    await limiter.exact(keys, call.limit, ctx.now);
  }
  const requestId = isWrite(call) && call.secret !== true ? requestIdOf(raw) : null;
  if (binding.runOnce !== undefined) return binding.runOnce(ctx, input as never, requestId);
  const [prepared] = await Promise.allSettled([binding.prepare?.(ctx, input as never)]);
  const run = async (ctx: Ctx) => {
    // Only now does a failure count: a repeat has its answer, though it could no longer be done.
    if (prepared.status === 'rejected') throw prepared.reason;
    return prepared.value === undefined ? binding.run(ctx, input as never) : prepared.value(ctx);
  };
  const work =
    isStaffCall(call) && isWrite(call)
      ? (ctx: Ctx) => logged(ctx, { call: name, summary: call.summary, input }, run)
      : run;
  return requestId === null ? work(ctx) : once(ctx, requestId, { call: name, input }, work);
}
