import type { PayBy } from '@mozhan/contract/prices.ts';
import type { Ctx, Viewer } from '../../../ctx.ts';
import { listPlans } from '../../payments/members/index.ts';
import { createOrder, listRewards, payOrder, replyReward } from '../../payments/orders/index.ts';
import { withdraw } from '../../payments/wallet/index.ts';
import { memberships, purchases, recharges, rewards, withdrawal } from './community/money.ts';
import type { PlannedEssay } from './essays.ts';
import {
  createAction,
  type DemoAction,
  getColumnId,
  getEssayId,
  hoursAfter,
  hoursBefore,
} from './timeline.ts';

async function buy(
  ctx: Ctx,
  viewer: Viewer,
  payBy: PayBy,
  fields: Parameters<typeof createOrder>[2],
): Promise<void> {
  const { id } = await createOrder(ctx, viewer, fields, { payBy, wechatCode: undefined, requestId: null });
  if (payBy !== 'balance') await payOrder(ctx, viewer, id);
}

const planRecharges = (now: Date): DemoAction[] =>
  recharges.map(({ by, amount, hoursAgo }) =>
    createAction(hoursBefore(now, hoursAgo), by, (ctx, viewer) =>
      buy(ctx, viewer, 'sandbox', { kind: 'recharge', amount }),
    ),
  );

const planPurchases = (now: Date): DemoAction[] =>
  purchases.map(({ by, essay = '', column, payBy, hoursAgo }) =>
    createAction(hoursBefore(now, hoursAgo), by, (ctx, viewer, state) =>
      buy(
        ctx,
        viewer,
        payBy,
        column === undefined
          ? { kind: 'read', targetId: getEssayId(state, essay) }
          : { kind: 'column', targetId: getColumnId(state, column) },
      ),
    ),
  );

const planMemberships = (now: Date): DemoAction[] =>
  memberships.map(({ by, days, hoursAgo }) =>
    createAction(hoursBefore(now, hoursAgo), by, async (ctx, viewer) => {
      const plan = (await listPlans(ctx.db, 'enabled')).find((each) => each.days === days);
      if (plan !== undefined) await buy(ctx, viewer, 'sandbox', { kind: 'member', targetId: plan.id });
    }),
  );

function planRewards(essays: PlannedEssay[]): DemoAction[] {
  const bySlug = new Map(essays.map((essay) => [essay.slug, essay]));
  return rewards.flatMap(({ by, essay: slug, amount, payBy, message, hours, reply }) => {
    const essay = bySlug.get(slug);
    if (essay === undefined) throw new Error(`no demo essay ${slug}`);
    const at = hoursAfter(essay.at, hours);
    let id = '';
    const rewarded = createAction(at, by, async (ctx, viewer, state) => {
      const targetId = getEssayId(state, slug);
      await buy(ctx, viewer, payBy, { kind: 'reward', targetId, amount, message });
      const { list } = await listRewards(ctx, targetId, { page: 1, pageSize: 1 });
      id = list[0]?.reward.id ?? '';
    });
    if (reply === undefined) return [rewarded];
    const replied = createAction(hoursAfter(at, reply.hours), essay.author, (ctx, viewer) =>
      replyReward(ctx, viewer, { id, reply: reply.text }),
    );
    return [rewarded, replied];
  });
}

function planWithdrawal(now: Date): DemoAction {
  const { by, hoursAgo, ...fields } = withdrawal;
  return createAction(hoursBefore(now, hoursAgo), by, (ctx, viewer) => withdraw(ctx, viewer, fields));
}

/** Used only if the sandbox is enabled, because demo money is not real. */
export const planMoney = (now: Date, essays: PlannedEssay[]): DemoAction[] => [
  ...planRecharges(now),
  ...planPurchases(now),
  ...planMemberships(now),
  ...planRewards(essays),
  planWithdrawal(now),
];
