import type { Permission } from '@mozhan/contract/client.ts';
import { type Call, type Feature, isStaffCall, isWrite, routeNameOf } from '@mozhan/contract/define.ts';
import { IDENTITY } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import { addressGroup } from '../address.ts';
import type { Ctx } from '../ctx.ts';
import { requestIdOf, runIdempotent } from '../idempotency.ts';
import { parseInput } from '../input.ts';
import { withOperationLog } from '../modules/accounts/access/index.ts';
import { hasPermission } from '../viewer.ts';
import type { Limiter } from './limits.ts';
import type { Binding } from './route.ts';

/** Calls allowed before a one-time password has been changed. */
const allowedBeforePasswordChange = new Set([
  'GET core/user/',
  'PUT core/account/password',
  'POST core/account/login',
  'DELETE core/account/login',
]);

const featureNames: Record<Feature, string> = { rewards: '打赏', letters: '私信', chats: '聊天' };

/** Throws if the viewer may not make this call; runs before the input is read. */
export function authorise(ctx: Ctx, call: Call): void {
  const { viewer } = ctx;
  const isOpen = call.access === 'anyone';
  if (call.feature !== undefined && !ctx.services.switches.current()[call.feature])
    throw new CallError('SWITCHED_OFF', { message: `本站现在没有开放${featureNames[call.feature]}` });
  if (
    viewer?.mustChangePassword &&
    !allowedBeforePasswordChange.has(routeNameOf(call)) &&
    (isWrite(call) || !isOpen)
  ) {
    throw new CallError('PASSWORD_CHANGE_REQUIRED');
  }
  if (isOpen) return;
  if (viewer === null) throw new CallError('SIGN_IN_REQUIRED');
  const isEditor = call.staffPermissions?.some((each) => hasPermission(viewer, each as Permission)) === true;
  if (call.access === 'writer' && viewer.curIdentity !== IDENTITY.writer && !isEditor)
    throw new CallError('FORBIDDEN', { message: '成为作者后才能这样做' });
  if (isStaffCall(call) && !hasPermission(viewer, call.access)) throw new CallError('FORBIDDEN');
}

/** Authorises, validates and rate-limits a call, then runs it idempotently and logs staff writes. */
export async function executeCall(
  ctx: Ctx,
  binding: Binding,
  raw: Record<string, unknown>,
  limiter: Limiter | null,
): Promise<unknown> {
  const { call } = binding;
  const name = routeNameOf(call);
  authorise(ctx, call);
  const input = parseInput(call.input, raw);
  if (limiter !== null && call.limit !== undefined) {
    const keys = [`${name} ${addressGroup(ctx.requester.address)}`];
    if (ctx.viewer !== null) keys.push(`${name} ${ctx.viewer.id}`);
    await limiter.checkExact(keys, call.limit, ctx.now);
  }
  const requestId = isWrite(call) && call.secret !== true ? requestIdOf(raw) : null;
  if (binding.runOnce !== undefined) return binding.runOnce(ctx, input as never, requestId);
  const [prepared] = await Promise.allSettled([binding.prepare?.(ctx, input as never)]);
  const run = async (ctx: Ctx) => {
    // A repeated request must get its stored response even if preparing fails now.
    if (prepared.status === 'rejected') throw prepared.reason;
    return prepared.value === undefined ? binding.run(ctx, input as never) : prepared.value(ctx);
  };
  const work =
    isStaffCall(call) && isWrite(call)
      ? (ctx: Ctx) => withOperationLog(ctx, { call: name, summary: call.summary, input }, run)
      : run;
  return requestId === null ? work(ctx) : runIdempotent(ctx, requestId, { call: name, input }, work);
}
