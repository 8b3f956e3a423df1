import { ORDER_STATUS } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type { RefundProblem } from '@mozhan/contract/orders.ts';
import { afterCommit, type Ctx, inTransaction, invalidate, logChange, type Viewer } from '../../../../ctx.ts';
import { addJob } from '../../../../jobs.ts';
import { withOperationLog } from '../../../accounts/access/index.ts';
import { removeTrends } from '../../../accounts/activity/index.ts';
import { lockInboxes, type NewNotice, notify, removeNotices } from '../../../accounts/users/index.ts';
import { emitWebhook } from '../../../accounts/webhooks/index.ts';
import { removePurchase } from '../../../content/essays/index.ts';
import { lockUserAccounts, post } from '../../../platform/ledger/index.ts';
import { extendMembership, getPriceRules } from '../../members/index.ts';
import type { RefundState } from '../providers/provider.ts';
import { hasOtherPaidOrder } from '../queries/notifications.ts';
import * as queries from '../queries/orders.ts';
import { isRefundPeriodOver, refundLines, refundNoOf, refundSettledLines } from '../rules.ts';
import type { OrderRow } from '../tables.ts';
import { targetUrlOf, toWebhookPayload, toYuan } from '../views/orders.ts';
import { publishOrderChange } from './deliver.ts';
import { toTrends } from './notify-paid.ts';
import { removeReward } from './rewards.ts';
import { requireProvider } from './start-payment.ts';

async function revokeDelivery(ctx: Ctx, order: OrderRow, reason: string, byId: string): Promise<void> {
  const { id: orderId, userId, kind, days } = order;
  if (kind === 'read' || kind === 'column') await removePurchase(ctx.db, orderId, userId);
  if (kind === 'member')
    await extendMembership(ctx, { userId, days: -days, source: 'refund', orderId, reason, byId });
  if (kind === 'reward') await removeReward(ctx, orderId);
}

/** Removes trends and notices of the purchase, and notifies payer and author of the refund. */
async function notifyRefund(ctx: Ctx, order: OrderRow, reason: string): Promise<void> {
  const { id, userId, payeeId, kind, title, amount, commission } = order;
  await lockInboxes(ctx, payeeId === null ? [userId] : [userId, payeeId]);
  if (!(await hasOtherPaidOrder(ctx.db, order))) await removeTrends(ctx, toTrends(order));
  if (kind === 'reward') invalidate(ctx, `trend:${userId}`);
  if (payeeId !== null) {
    const noticeKey = { userId: payeeId, actorId: userId, targetId: id };
    await removeNotices(ctx, [{ ...noticeKey, kind: kind === 'reward' ? 'reward' : 'purchase' }]);
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
      target: { id, title, url: targetUrlOf(order) },
    });
  await notify(ctx, ...notices);
}

/** Asks the provider again for a refund that it has not paid; the ledger changes only when it is paid. */
export async function repeatRefund(ctx: Ctx, id: string, toShop: boolean): Promise<void> {
  const order = await queries.getOrder(ctx.db, id);
  const refuse = () => new CallError('REFUND_NOT_REPEATABLE');
  if (order.refundSettledAt !== null || order.refundProblem === null || order.payBy === 'balance')
    throw refuse();
  const provider = requireProvider(ctx, order.payBy);
  if (toShop) {
    if (order.refundProblem !== 'abnormal' || provider.refundToShop === undefined) throw refuse();
    await provider.refundToShop(refundNoOf(order));
  }
  const work = (ctx: Ctx) =>
    inTransaction(ctx, async (ctx) => {
      const before = await queries.lockOrder(ctx.db, id);
      if (before.refundProblem === null || before.refundAttempt !== order.refundAttempt) throw refuse();
      const after = await queries.updateRefundProblem(ctx.db, id, {
        refundProblem: null,
        refundAttempt: before.refundAttempt + (before.refundProblem === 'closed' ? 1 : 0),
      });
      await addJob(ctx, 'refund-order', { id });
      logChange(ctx, `order:${id}`, toRefundLog(before), toRefundLog(after));
    });
  const operation = { call: 'PUT core/sys/order/refund/repeat', summary: '再退一次', input: { id, toShop } };
  await withOperationLog(ctx, operation, work);
}

const toRefundLog = (order: OrderRow) => ({
  no: order.no,
  refundNo: refundNoOf(order),
  refundProblem: order.refundProblem,
});

const toLog = ({ no, status, amount, refundReason }: OrderRow) => ({ no, status, amount, refundReason });

/** Refunds the full amount to its source; a job requests the refund from a provider afterwards. */
export async function refundOrder(ctx: Ctx, viewer: Viewer, id: string, reason: string): Promise<void> {
  const rules = await getPriceRules(ctx);
  await inTransaction(ctx, async (ctx) => {
    const order = await queries.lockOrder(ctx.db, id);
    if (order.status !== ORDER_STATUS.paid || order.paidAt === null) throw new CallError('ORDER_NOT_PAID');
    if (isRefundPeriodOver(order.paidAt, rules, ctx.now)) throw new CallError('REFUND_TOO_LATE');
    const isFromBalance = order.payBy === 'balance';
    if (!isFromBalance) requireProvider(ctx, order.payBy);
    await lockUserAccounts(ctx, { lines: refundLines(order) });
    await revokeDelivery(ctx, order, reason, viewer.id);
    const refunded = await queries.updateRefunded(ctx.db, id, {
      refundedAt: ctx.now,
      refundReason: reason,
      refundedBy: viewer.id,
      refundSettledAt: isFromBalance ? ctx.now : null,
    });
    if (!isFromBalance) await addJob(ctx, 'refund-order', { id });
    publishOrderChange(ctx, refunded);
    afterCommit(ctx, () => ctx.services.live.recheckAccess({ userId: order.userId }));
    await notifyRefund(ctx, order, reason);
    await emitWebhook(ctx, 'order.refunded', () => [toWebhookPayload(ctx, refunded)]);
    logChange(ctx, `order:${id}`, toLog(order), toLog(refunded));
    await postRefund(ctx, order);
  });
}

async function postRefund(ctx: Ctx, order: OrderRow): Promise<void> {
  const { id: orderId, kind, title } = order;
  try {
    await post(ctx, { kind: 'refund', title, orderId, lines: refundLines(order) });
  } catch (error) {
    if (kind === 'recharge' && error instanceof CallError && error.code === 'BALANCE_TOO_LOW')
      throw new CallError('REFUND_SPENT');
    throw error;
  }
}

const problems: Partial<Record<RefundState, RefundProblem>> = {
  closed: 'closed',
  abnormal: 'abnormal',
  failed: 'refused',
};

/**
 * Throws until the provider has paid back, so that the job is retried; repeated requests do not pay twice. A closed refund
 * is not retried, because it needs a new number, which staff request (`repeatRefund`).
 */
export async function settleRefund(ctx: Ctx, id: string): Promise<void> {
  const asked = await queries.getOrder(ctx.db, id);
  const { no, payBy, amount, refundReason: reason, refundAttempt } = asked;
  if (payBy === 'balance' || asked.refundSettledAt !== null || asked.refundProblem === 'closed') return;
  const { metrics } = ctx.services;
  const state = await requireProvider(ctx, payBy)
    .refund({ no, refundNo: refundNoOf(asked), amount, reason })
    .catch((error: unknown) => {
      metrics.countPayment(payBy, 'refund-failed');
      throw error;
    });
  if (state !== 'done') {
    metrics.countPayment(payBy, 'refund-failed');
    await inTransaction(ctx, async (ctx) => {
      const order = await queries.lockOrder(ctx.db, id);
      // Staff have asked again under a new number in the meantime.
      if (order.refundSettledAt !== null || order.refundAttempt !== refundAttempt) return;
      await queries.updateRefundProblem(ctx.db, id, { refundProblem: problems[state] ?? null });
    });
    if (state === 'closed') return;
    throw new Error(`the refund of ${no} is ${state}`);
  }
  metrics.countPayment(payBy, 'refunded');
  await inTransaction(ctx, async (ctx) => {
    const order = await queries.lockOrder(ctx.db, id);
    if (order.status !== ORDER_STATUS.refunded || order.refundSettledAt !== null) return;
    await queries.updateRefundSettled(ctx.db, id, ctx.now);
    const lines = refundSettledLines(payBy, amount);
    await post(ctx, { kind: 'refund-settled', title: order.title, orderId: id, lines });
  });
}
