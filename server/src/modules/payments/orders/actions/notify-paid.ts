import { TREND_TYPE } from '@mozhan/contract/enums.ts';
import { type Ctx, inTransaction, invalidate, oncePerApp } from '../../../../ctx.ts';
import { createBatcher } from '../../../../db/batch.ts';
import { systemCtx } from '../../../../jobs.ts';
import { recordTrends } from '../../../accounts/activity/index.ts';
import { type NewNotice, notify } from '../../../accounts/users/index.ts';
import { emitWebhook } from '../../../accounts/webhooks/index.ts';
import { grantInviteBonus } from '../../members/index.ts';
import { claimUnnotified, listInviteesWithoutBonus, listUnnotified } from '../queries/notifications.ts';
import type { OrderRow } from '../tables.ts';
import { targetUrlOf, toWebhookPayload } from '../views/orders.ts';

const BATCH_SIZE = 200;

const verbs = {
  read: ['purchase', '购买了你的文章'],
  column: ['purchase', '购买了你的专栏'],
  reward: ['reward', '打赏了你的文章'],
} as const;

/** The target is the order's id, so that a refund removes exactly this one from its group. */
function toNotice(order: OrderRow): NewNotice[] {
  const { id, kind, userId: actorId, payeeId, targetId, title, message } = order;
  if (payeeId === null || kind === 'recharge' || kind === 'member') return [];
  const [noticeKind, text] = verbs[kind];
  const target = { id, title, url: targetUrlOf(order) };
  const group = targetId === null ? {} : { groupId: targetId };
  return [{ userId: payeeId, kind: noticeKind, actorId, text, target, excerpt: message, ...group }];
}

/** Purchases of columns have no trend, because trends refer to essays and users only. */
export function toTrends({ kind, userId, targetId }: OrderRow) {
  if (targetId === null || (kind !== 'read' && kind !== 'reward')) return [];
  const type = kind === 'read' ? TREND_TYPE.buy : TREND_TYPE.reward;
  return [{ userId, type, targetId, targetKind: 'essay' as const }];
}

/** Sends notices, trends, webhooks and invite bonuses of many orders, once per order. */
export async function notifyOrdersPaid(ctx: Ctx, ids: string[]): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    const paidOrders = await claimUnnotified(ctx.db, ids);
    const rewardOrders = paidOrders.filter(({ kind }) => kind === 'reward');
    invalidate(ctx, ...rewardOrders.map(({ userId }) => `trend:${userId}`));
    await recordTrends(ctx, paidOrders.flatMap(toTrends));
    await notify(ctx, ...paidOrders.flatMap(toNotice));
    if (paidOrders.length > 0)
      await emitWebhook(ctx, 'order.paid', () => paidOrders.map((order) => toWebhookPayload(ctx, order)));
    const payers = paidOrders.filter(({ kind }) => kind !== 'recharge').map(({ userId }) => userId);
    for (const userId of await listInviteesWithoutBonus(ctx.db, payers)) await grantInviteBonus(ctx, userId);
  });
}

/** Orders that are paid while a batch is being processed go into the next batch. */
const notifierOf = oncePerApp((services) =>
  createBatcher(async (ids: string[]) => {
    for (let from = 0; from < ids.length; from += BATCH_SIZE)
      await notifyOrdersPaid(systemCtx(services), ids.slice(from, from + BATCH_SIZE));
  }),
);

/**
 * Runs after the transaction of the payment, because the lock on the author's inbox would block other buyers. Inside a
 * transaction of the caller it uses that one.
 */
export async function notifyOrderPaid(ctx: Ctx, id: string): Promise<void> {
  if (ctx.effects !== null) return notifyOrdersPaid(ctx, [id]);
  const { services } = ctx;
  // The payment is complete, so errors are only logged; a job retries within a minute.
  await notifierOf(services)(id).catch((error: unknown) =>
    services.log.warn(error, 'notices of paid orders'),
  );
}

export async function notifyMissedOrders(ctx: Ctx): Promise<void> {
  const since = new Date(ctx.now.getTime() - 10_000);
  for (;;) {
    const ids = await listUnnotified(ctx.db, since, BATCH_SIZE);
    if (ids.length > 0) await notifyOrdersPaid(ctx, ids);
    if (ids.length < BATCH_SIZE) return;
  }
}
