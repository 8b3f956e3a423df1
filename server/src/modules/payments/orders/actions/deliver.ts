import { afterCommit, type Ctx } from '../../../../ctx.ts';
import { insertPurchase } from '../../../content/essays/index.ts';
import { extendMembership } from '../../members/index.ts';
import { isReadingRight, purchaseKindOf } from '../rules.ts';
import type { OrderRow } from '../tables.ts';
import { recordReward } from './rewards.ts';
import { isDeliverable } from './sale.ts';

/** Notifies the payer's open pages, which then reload what the order affects. */
export function publishOrderChange(ctx: Ctx, { id, userId, kind, status, targetId }: OrderRow): void {
  const push = () => ctx.services.live.emitToUser(userId, 'order', { id, kind, status, targetId });
  if (ctx.effects === null) push();
  else afterCommit(ctx, push);
}

/** Delivers a membership or a reward, as opposed to the right to read. */
export async function deliverMembershipOrReward(ctx: Ctx, order: OrderRow): Promise<boolean> {
  const { id: orderId, userId, kind, targetId, amount, days, message, title } = order;
  if (kind === 'member')
    return extendMembership(ctx, { userId, days, source: 'order', orderId, reason: title });
  if (kind === 'reward' && targetId !== null)
    await recordReward(ctx, { orderId, userId, essayId: targetId, amount, message });
  return true;
}

/** Runs in the transaction of the payment; returns false if the content can no longer be delivered. */
export async function deliverOrder(ctx: Ctx, order: OrderRow): Promise<boolean> {
  if (!(await isDeliverable(ctx, order))) return false;
  if (isReadingRight(order.kind) && order.targetId !== null)
    return insertPurchase(ctx.db, {
      userId: order.userId,
      targetId: order.targetId,
      kind: purchaseKindOf(order),
      orderId: order.id,
      createdAt: ctx.now,
    });
  return deliverMembershipOrReward(ctx, order);
}
