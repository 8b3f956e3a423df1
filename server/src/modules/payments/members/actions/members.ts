import { isOn } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type * as calls from '@mozhan/contract/members.ts';
import type { z } from 'zod';
import { accountChanged, type Ctx, changed, inTx, shows, touch, type Viewer } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import { loggedRows } from '../../../../db/logged-rows.ts';
import type { PageQuery } from '../../../../db/page.ts';
import { nextPlace } from '../../../../db/place.ts';
import { notify, noUser, updateUser } from '../../../accounts/users/index.ts';
import * as queries from '../queries/members.ts';
import { canSeeDisabled, canSeeTerms, extended, untilOf } from '../rules/members.ts';
import { memberPlans, type PlanRow, type TermRow } from '../tables.ts';
import { getPriceRules } from './prices.ts';

export async function getMembership(ctx: Ctx, isAll: boolean) {
  shows(ctx, 'plans');
  const plans = await queries.listPlans(ctx.db, isAll && canSeeDisabled(ctx.viewer) ? 'all' : 'enabled');
  const mine = ctx.viewer === null ? null : await queries.findDates(ctx.db, ctx.viewer.id);
  return { plans, mine };
}

/** How many milliseconds it still lasts; null without one. */
export async function findMembership(ctx: Ctx, userId: string): Promise<number | null> {
  const until = (await queries.findDates(ctx.db, userId))?.memberUntil ?? null;
  return until !== null && until > ctx.now ? until.getTime() - ctx.now.getTime() : null;
}

const logged = loggedRows(queries.planRows, {
  noun: 'plan',
  toLog: ({ id: _, createdAt: __, ...fields }) => fields,
  onChange: (ctx) => touch(ctx, 'plans'),
});

export const createPlan = (
  ctx: Ctx,
  { sort, enabled, ...input }: z.output<typeof calls.createPlan.input>,
): Promise<PlanRow> =>
  logged.create(ctx, async (ctx) => ({
    ...input,
    id: newId(),
    sort: sort ?? (await nextPlace(ctx.db, memberPlans)),
    enabled: isOn(enabled, true),
    createdAt: ctx.now,
  }));

export const updatePlan = (
  ctx: Ctx,
  { id, enabled, ...input }: z.output<typeof calls.updatePlan.input>,
): Promise<PlanRow> =>
  logged.update(ctx, id, (before) => ({ ...before, ...input, enabled: isOn(enabled, before.enabled) }));

export const removePlan = logged.remove;

interface NewTerm extends Pick<TermRow, 'userId' | 'days' | 'source'> {
  orderId?: string;
  inviteeId?: string;
  reason?: string;
  byId?: string;
}

async function untilAfter(ctx: Ctx, until: Date | null, term: NewTerm): Promise<Date> {
  if (term.source !== 'refund') return extended(until, term.days, ctx.now);
  const terms = await queries.listAllTerms(ctx.db, term.userId);
  const before = terms.filter(({ source }) => source === 'refund').map(({ orderId }) => orderId);
  return untilOf(terms, new Set([...before, term.orderId ?? null])) ?? ctx.now;
}

/**
 * The one way a membership changes, in the transaction of what gives the days or takes them back: `refund`, with
 * negative days, undoes those of its order and leaves what others gave. The same order, or invitee, counts once; to who
 * is gone nothing is given. Answers whether anything changed.
 */
export function extendMembership(ctx: Ctx, term: NewTerm): Promise<boolean> {
  return inTx(ctx, async (ctx) => {
    const user = await queries.lockDates(ctx.db, term.userId);
    if (user === null) return false;
    const until = await untilAfter(ctx, user.memberUntil, term);
    const isNew = await queries.insertTerm(ctx.db, {
      orderId: null,
      inviteeId: null,
      reason: '',
      byId: null,
      ...term,
      id: newId(),
      until,
      createdAt: ctx.now,
    });
    if (!isNew) return false;
    await updateUser(ctx.db, user.id, { memberUntil: until });
    touch(ctx, `user:${user.id}`);
    accountChanged(ctx, user.id);
    return true;
  });
}

/** At the first payment of somebody who was invited both get days, once: whoever comes second finds it done. */
export function giveInviteBonus(ctx: Ctx, userId: string): Promise<void> {
  return inTx(ctx, async (ctx) => {
    const user = await queries.findDates(ctx.db, userId);
    if (user?.invitedBy == null) return;
    const { inviteDays: days } = await getPriceRules(ctx);
    if (days === 0) return;
    const term = { days, source: 'invite', inviteeId: userId } as const;
    // From the invitee upwards: nobody is invited by whom they invited, so that no two wait for each other.
    const isFirst = await extendMembership(ctx, { ...term, userId, reason: '受邀加入' });
    if (!isFirst) return;
    const inviter = user.invitedBy;
    await extendMembership(ctx, { ...term, userId: inviter, reason: '邀请的朋友完成了首次付款' });
    const target = { title: '我的会员', url: '/account/center.html?tab=member' };
    await notify(
      ctx,
      {
        userId,
        kind: 'system',
        text: `感谢你的第一次付款，邀请奖励的 ${days} 天会员已到账`,
        target: { ...target, id: userId },
      },
      {
        userId: inviter,
        kind: 'system',
        text: `你邀请的朋友完成了第一次付款，奖励的 ${days} 天会员已到账`,
        target: { ...target, id: inviter },
      },
    );
  });
}

export async function listTerms(ctx: Ctx, viewer: Viewer, userId: string, query: PageQuery) {
  if (!canSeeTerms(viewer, userId)) throw new CallError('FORBIDDEN');
  return queries.listTerms(ctx.db, { ...query, userId });
}

export function grantMembership(
  ctx: Ctx,
  viewer: Viewer,
  { userId, days, reason }: z.output<typeof calls.grantMembership.input>,
): Promise<queries.MemberRow> {
  return inTx(ctx, async (ctx) => {
    const before = await queries.findDates(ctx.db, userId);
    const term = { userId, days, source: 'grant', reason, byId: viewer.id } as const;
    if (before === null || !(await extendMembership(ctx, term))) throw noUser();
    const member = await queries.getMember(ctx.db, userId);
    await notify(ctx, {
      userId,
      kind: 'system',
      text: `你获赠了 ${days} 天会员：${reason}`,
      target: { id: userId, title: '我的会员', url: '/account/center.html?tab=member' },
    });
    changed(
      ctx,
      `member:${userId}`,
      { memberUntil: before.memberUntil },
      {
        memberUntil: member.user.memberUntil,
        days,
        reason,
      },
    );
    return member;
  });
}
