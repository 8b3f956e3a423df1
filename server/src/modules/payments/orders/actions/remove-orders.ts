import { ORDER_STATUS } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type { Ctx } from '../../../../ctx.ts';
import { removeSandboxPayments } from '../providers/sandbox.ts';
import { countRealPaymentsTo, removeOrdersOf } from '../queries/remove-orders.ts';

const realPaymentsError = (count: number) =>
  new CallError('DEMO_HAS_PAYMENTS', {
    message: `有 ${count} 笔付给示例用户的支付宝或微信订单还没有退款或关闭：请先在「订单」里处理，再来移除`,
  });

export async function requireNoRealPaymentsTo(ctx: Ctx, userIds: string[]): Promise<void> {
  const count = userIds.length === 0 ? 0 : await countRealPaymentsTo(ctx.db, userIds);
  if (count > 0) throw realPaymentsError(count);
}

/** Removes all orders that these users paid or received; returns their ids, which the ledger needs. */
export async function removeOrdersOfUsers(ctx: Ctx, userIds: string[]): Promise<string[]> {
  const removed = await removeOrdersOf(ctx.db, userIds);
  // Checks the removed rows, because an order may have been created or paid since the last check.
  const isRealPayment = ({ userId, payBy, status }: (typeof removed)[number]) =>
    !userIds.includes(userId) &&
    (payBy === 'alipay' || payBy === 'wechat') &&
    (status === ORDER_STATUS.waiting || status === ORDER_STATUS.paid);
  const realPayments = removed.filter(isRealPayment);
  if (realPayments.length > 0) throw realPaymentsError(realPayments.length);
  await removeSandboxPayments(
    ctx.db,
    removed.map(({ no }) => no),
  );
  return removed.map(({ id }) => id);
}
