import { TREND_TYPE } from '@mozhan/contract/enums.ts';
import { type Ctx, inTx, type Services, touch } from '../../../../ctx.ts';
import { createShared } from '../../../../db/batch.ts';
import { systemCtx } from '../../../../jobs.ts';
import { recordTrends } from '../../../accounts/activity/index.ts';
import { type NewNotice, notify } from '../../../accounts/users/index.ts';
import { emit } from '../../../accounts/webhooks/index.ts';
import { giveInviteBonus } from '../../members/index.ts';
import { listUntold, listWithoutBonus, takeUntold } from '../queries/telling.ts';
import type { OrderRow } from '../tables.ts';
import { toTold, urlOf } from '../views/orders.ts';

/** Orders told of in one transaction. */
const AT_ONCE = 200;

const verbs = {
  read: ['purchase', '购买了你的文章'],
  column: ['purchase', '购买了你的专栏'],
  reward: ['reward', '打赏了你的文章'],
} as const;

/** By the order's id, so that a refund takes back what it told and nothing else. */
function toNotice(order: OrderRow): NewNotice[] {
  const { id, kind, userId: actorId, payeeId, title, message } = order;
  if (payeeId === null || kind === 'recharge' || kind === 'member') return [];
  const [noticeKind, text] = verbs[kind];
  const target = { id, title, url: urlOf(order) };
  return [{ userId: payeeId, kind: noticeKind, actorId, text, target, excerpt: message }];
}

/** A column is on no list of deeds: those are about essays and people. */
export function trendsOf({ kind, userId, targetId }: OrderRow) {
  if (targetId === null || (kind !== 'read' && kind !== 'reward')) return [];
  const type = kind === 'read' ? TREND_TYPE.buy : TREND_TYPE.reward;
  return [{ userId, type, targetId, targetKind: 'essay' as const }];
}

/** What follows a payment, for many at once, and once for each: the author's and the inviter's share in it. */
export async function tellOf(ctx: Ctx, ids: string[]): Promise<void> {
  await inTx(ctx, async (ctx) => {
    const told = await takeUntold(ctx.db, ids);
    const given = told.filter(({ kind }) => kind === 'reward');
    touch(ctx, ...given.map(({ userId }) => `trend:${userId}`));
    await recordTrends(ctx, told.flatMap(trendsOf));
    await notify(ctx, ...told.flatMap(toNotice));
    if (told.length > 0) await emit(ctx, 'order.paid', () => told.map((order) => toTold(ctx, order)));
    const payers = told.filter(({ kind }) => kind !== 'recharge').map(({ userId }) => userId);
    for (const userId of await listWithoutBonus(ctx.db, payers)) await giveInviteBonus(ctx, userId);
  });
}

const tellers = new WeakMap<Services, (id: string) => Promise<void>>();

/** What is paid while others are being told of is told of with all that comes meanwhile. */
function createTeller(services: Services): (id: string) => Promise<void> {
  let waiting: string[] = [];
  const tellNext = createShared(async () => {
    const ids = waiting;
    waiting = [];
    for (let from = 0; from < ids.length; from += AT_ONCE)
      await tellOf(systemCtx(services), ids.slice(from, from + AT_ONCE));
  });
  return (id) => {
    waiting.push(id);
    return tellNext(null);
  };
}

/**
 * After the transaction that paid it, which others would wait for: an author's box is the same for all of their buyers.
 * Inside a transaction of the caller's it is that one's.
 */
export async function tell(ctx: Ctx, id: string): Promise<void> {
  if (ctx.effects !== null) return tellOf(ctx, [id]);
  const { services } = ctx;
  let teller = tellers.get(services);
  if (teller === undefined) {
    teller = createTeller(services);
    tellers.set(services, teller);
  }
  // The money has moved; what is not told now is told within a minute.
  await teller(id).catch((error: unknown) => services.log.warn(error, 'telling of orders'));
}

/** Those that a process did not come to tell of. */
export async function tellLeftOver(ctx: Ctx): Promise<void> {
  const since = new Date(ctx.now.getTime() - 10_000);
  for (;;) {
    const ids = await listUntold(ctx.db, since, AT_ONCE);
    if (ids.length > 0) await tellOf(ctx, ids);
    if (ids.length < AT_ONCE) return;
  }
}
