import type { PayBy } from '@mozhan/contract/prices.ts';
import type { Ctx, Viewer } from '../../../ctx.ts';
import { listPlans } from '../../payments/members/index.ts';
import { createOrder, listRewards, payOrder, replyReward } from '../../payments/orders/index.ts';
import { withdraw } from '../../payments/wallet/index.ts';
import { memberships, purchases, recharges, rewards, withdrawal } from './community/money.ts';
import type { PlannedEssay } from './essays.ts';
import { type Deed, deedOf, getColumnId, getEssayId, hoursAfter, hoursBefore } from './history.ts';

/** As a reader does it: from the balance at once, or by the cashier, which is told that all is right. */
async function buy(
  ctx: Ctx,
  viewer: Viewer,
  payBy: PayBy,
  wanted: Parameters<typeof createOrder>[2],
): Promise<void> {
  const { id } = await createOrder(ctx, viewer, wanted, { payBy, wechatCode: undefined, requestId: null });
  if (payBy !== 'balance') await payOrder(ctx, viewer, id);
}

const planRecharges = (now: Date): Deed[] =>
  recharges.map(({ by, amount, hoursAgo }) =>
    deedOf(hoursBefore(now, hoursAgo), by, (ctx, viewer) =>
      buy(ctx, viewer, 'sandbox', { kind: 'recharge', amount }),
    ),
  );

const planPurchases = (now: Date): Deed[] =>
  purchases.map(({ by, essay = '', column, payBy, hoursAgo }) =>
    deedOf(hoursBefore(now, hoursAgo), by, (ctx, viewer, world) =>
      buy(
        ctx,
        viewer,
        payBy,
        column === undefined
          ? { kind: 'read', targetId: getEssayId(world, essay) }
          : { kind: 'column', targetId: getColumnId(world, column) },
      ),
    ),
  );

const planMemberships = (now: Date): Deed[] =>
  memberships.map(({ by, days, hoursAgo }) =>
    deedOf(hoursBefore(now, hoursAgo), by, async (ctx, viewer) => {
      const plan = (await listPlans(ctx.db, 'enabled')).find((each) => each.days === days);
      if (plan !== undefined) await buy(ctx, viewer, 'sandbox', { kind: 'member', targetId: plan.id });
    }),
  );

function planRewards(essays: PlannedEssay[]): Deed[] {
  const bySlug = new Map(essays.map((essay) => [essay.slug, essay]));
  return rewards.flatMap(({ by, essay: slug, amount, payBy, message, hours, reply }) => {
    const essay = bySlug.get(slug);
    if (essay === undefined) throw new Error(`no demo essay ${slug}`);
    const at = hoursAfter(essay.at, hours);
    let id = '';
    const given = deedOf(at, by, async (ctx, viewer, world) => {
      const targetId = getEssayId(world, slug);
      await buy(ctx, viewer, payBy, { kind: 'reward', targetId, amount, message });
      const { list } = await listRewards(ctx, targetId, { page: 1, pageSize: 1 });
      id = list[0]?.reward.id ?? '';
    });
    if (reply === undefined) return [given];
    const answered = deedOf(hoursAfter(at, reply.hours), essay.author, (ctx, viewer) =>
      replyReward(ctx, viewer, { id, reply: reply.text }),
    );
    return [given, answered];
  });
}

function planWithdrawal(now: Date): Deed {
  const { by, hoursAgo, ...wanted } = withdrawal;
  return deedOf(hoursBefore(now, hoursAgo), by, (ctx, viewer) => withdraw(ctx, viewer, wanted));
}

/** What readers paid and writers earned; where the demo cashier is on, since no money of theirs is real. */
export const planMoney = (now: Date, essays: PlannedEssay[]): Deed[] => [
  ...planRecharges(now),
  ...planPurchases(now),
  ...planMemberships(now),
  ...planRewards(essays),
  planWithdrawal(now),
];
