import { ORDER_STATUS } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import { afterCommit, type Ctx, changed, inTx, touch, type Viewer } from '../../../../ctx.ts';
import { addJob } from '../../../../jobs.ts';
import { forgetTrends } from '../../../accounts/activity/index.ts';
import { forgetNotices, holdBoxes, type NewNotice, notify } from '../../../accounts/users/index.ts';
import { emit } from '../../../accounts/webhooks/index.ts';
import { removePurchase } from '../../../content/essays/index.ts';
import { post } from '../../../platform/ledger/index.ts';
import { extendMembership, getPriceRules } from '../../members/index.ts';
import * as queries from '../queries/orders.ts';
import { hasLike } from '../queries/telling.ts';
import { isTooLate, refundLines, refundSettledLines } from '../rules.ts';
import type { OrderRow } from '../tables.ts';
import { toTold, toYuan, urlOf } from '../views/orders.ts';
import { providerOf } from './bill.ts';
import { pushOrder } from './deliver.ts';
import { removeReward } from './rewards.ts';
import { trendsOf } from './tell.ts';

/** What was delivered is taken back, whatever the order was for. */
async function takeBack(ctx: Ctx, order: OrderRow, reason: string, byId: string): Promise<void> {
  const { id: orderId, userId, kind, days } = order;
  if (kind === 'read' || kind === 'column') await removePurchase(ctx.db, orderId, userId);
  if (kind === 'member')
    await extendMembership(ctx, { userId, days: -days, source: 'refund', orderId, reason, byId });
  if (kind === 'reward') await removeReward(ctx, orderId);
}

/** The deed is told no more; payer and author learn why. */
async function tellRefund(ctx: Ctx, order: OrderRow, reason: string): Promise<void> {
  const { id, userId, payeeId, kind, title, amount, commission } = order;
  await holdBoxes(ctx, payeeId === null ? [userId] : [userId, payeeId]);
  if (!(await hasLike(ctx.db, order))) await forgetTrends(ctx, trendsOf(order));
  if (kind === 'reward') touch(ctx, `trend:${userId}`);
  if (payeeId !== null) {
    const told = { userId: payeeId, actorId: userId, targetId: id };
    await forgetNotices(ctx, [{ ...told, kind: kind === 'reward' ? 'reward' : 'purchase' }]);
  }
  const notices: NewNotice[] = [
    {
      userId,
      kind: 'system',
      text: `你的订单「${title}」已退款 ${toYuan(amount)}：${reason}`,
      target: { id, title, url: '/account/center.html?tab=order' },
    },
  ];
  if (payeeId !== null && amount > commission)
    notices.push({
      userId: payeeId,
      kind: 'system',
      text: `「${title}」的一笔收入已退款，${toYuan(amount - commission)} 从收益中扣回`,
      target: { id, title, url: urlOf(order) },
    });
  await notify(ctx, ...notices);
}

const toLog = ({ no, status, amount, refundReason }: OrderRow) => ({ no, status, amount, refundReason });

/** All of it, once, to where it came from; what a provider is to pay back it is asked for afterwards. */
export async function refundOrder(ctx: Ctx, viewer: Viewer, id: string, reason: string): Promise<void> {
  const rules = await getPriceRules(ctx);
  await inTx(ctx, async (ctx) => {
    const order = await queries.lockOrder(ctx.db, id);
    if (order.status !== ORDER_STATUS.paid || order.paidAt === null) throw new CallError('ORDER_NOT_PAID');
    if (isTooLate(order.paidAt, rules, ctx.now)) throw new CallError('REFUND_TOO_LATE');
    const isDirect = order.payBy === 'balance';
    if (!isDirect) providerOf(ctx, order.payBy);
    await takeBack(ctx, order, reason, viewer.id);
    const refunded = await queries.updateRefunded(ctx.db, id, {
      refundedAt: ctx.now,
      refundReason: reason,
      refundedBy: viewer.id,
      refundSettledAt: isDirect ? ctx.now : null,
    });
    if (!isDirect) await addJob(ctx, 'refund-order', { id });
    pushOrder(ctx, refunded);
    afterCommit(ctx, () => ctx.services.live.recheck({ userId: order.userId }));
    await tellRefund(ctx, order, reason);
    await emit(ctx, 'order.refunded', () => [toTold(ctx, refunded)]);
    changed(ctx, `order:${id}`, toLog(order), toLog(refunded));
    await bookRefund(ctx, order);
  });
}

async function bookRefund(ctx: Ctx, order: OrderRow): Promise<void> {
  const { id: orderId, kind, title } = order;
  try {
    await post(ctx, { kind: 'refund', title, orderId, lines: refundLines(order) });
  } catch (error) {
    if (kind === 'recharge' && error instanceof CallError && error.code === 'BALANCE_TOO_LOW')
      throw new CallError('REFUND_SPENT');
    throw error;
  }
}

/** Asks the provider until it has paid back: asking again pays nothing twice. */
export async function settleRefund(ctx: Ctx, id: string): Promise<void> {
  const { no, payBy, amount, refundReason: reason, refundSettledAt } = await queries.getOrder(ctx.db, id);
  if (payBy === 'balance' || refundSettledAt !== null) return;
  const state = await providerOf(ctx, payBy).refund({ no, refundNo: `R${no}`, amount, reason });
  if (state !== 'done') throw new Error(`the refund of ${no} is ${state}`);
  await inTx(ctx, async (ctx) => {
    const order = await queries.lockOrder(ctx.db, id);
    if (order.status !== ORDER_STATUS.refunded || order.refundSettledAt !== null) return;
    await queries.updateRefundSettled(ctx.db, id, ctx.now);
    const lines = refundSettledLines(payBy, amount);
    await post(ctx, { kind: 'refund-settled', title: order.title, orderId: id, lines });
  });
}
