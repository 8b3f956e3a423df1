import { afterCommit, type Ctx } from '../../../../ctx.ts';
import { insertPurchase } from '../../../content/essays/index.ts';
import { extendMembership } from '../../members/index.ts';
import { isKept, kindOfPurchase } from '../rules.ts';
import type { OrderRow } from '../tables.ts';
import { recordReward } from './rewards.ts';
import { isThere } from './sale.ts';

/** Open pages of the payer learn of it: what it opens or shuts is asked for anew. */
export function pushOrder(ctx: Ctx, { id, userId, kind, status, targetId }: OrderRow): void {
  const push = () => ctx.services.live.toUser(userId, 'order', { id, kind, status, targetId });
  if (ctx.effects === null) push();
  else afterCommit(ctx, push);
}

/** What is not a right to read: days of membership, a reward. */
export async function deliverMore(ctx: Ctx, order: OrderRow): Promise<boolean> {
  const { id: orderId, userId, kind, targetId, amount, days, message, title } = order;
  if (kind === 'member')
    return extendMembership(ctx, { userId, days, source: 'order', orderId, reason: title });
  if (kind === 'reward' && targetId !== null)
    await recordReward(ctx, { orderId, userId, essayId: targetId, amount, message });
  return true;
}

/** In the transaction of the payment; false: it can no longer be delivered. */
export async function deliver(ctx: Ctx, order: OrderRow): Promise<boolean> {
  if (!(await isThere(ctx, order))) return false;
  if (isKept(order.kind) && order.targetId !== null)
    return insertPurchase(ctx.db, {
      userId: order.userId,
      targetId: order.targetId,
      kind: kindOfPurchase(order),
      orderId: order.id,
      createdAt: ctx.now,
    });
  return deliverMore(ctx, order);
}
