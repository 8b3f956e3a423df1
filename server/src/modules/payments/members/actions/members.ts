import { isOn } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type * as calls from '@mozhan/contract/members.ts';
import type { z } from 'zod';
import {
  addPageTags,
  type Ctx,
  inTransaction,
  invalidate,
  logChange,
  notifyAccountChanged,
  type Viewer,
} from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import { loggedRows } from '../../../../db/logged-rows.ts';
import type { PageQuery } from '../../../../db/page.ts';
import { nextSortValue } from '../../../../db/sort-position.ts';
import { notify, updateUser, userNotFound } from '../../../accounts/users/index.ts';
import * as queries from '../queries/members.ts';
import { canSeeDisabledPlans, canSeeTerms, extendDate, recalculateUntil } from '../rules/members.ts';
import { memberPlans, type PlanRow, type TermRow } from '../tables.ts';
import { getPriceRules } from './prices.ts';

export async function getMembership(ctx: Ctx, isAll: boolean) {
  addPageTags(ctx, 'plans');
  const plans = await queries.listPlans(ctx.db, isAll && canSeeDisabledPlans(ctx.viewer) ? 'all' : 'enabled');
  const mine = ctx.viewer === null ? null : await queries.findMembershipDates(ctx.db, ctx.viewer.id);
  return { plans, mine };
}

/** Returns the remaining milliseconds; null if the user is not a member. */
export async function findMembershipMsLeft(ctx: Ctx, userId: string): Promise<number | null> {
  const until = (await queries.findMembershipDates(ctx.db, userId))?.memberUntil ?? null;
  return until !== null && until > ctx.now ? until.getTime() - ctx.now.getTime() : null;
}

const loggedPlans = loggedRows(queries.planRows, {
  noun: 'plan',
  toLog: ({ id: _, createdAt: __, ...fields }) => fields,
  onChange: (ctx) => invalidate(ctx, 'plans'),
});

export const createPlan = (
  ctx: Ctx,
  { sort, enabled, ...input }: z.output<typeof calls.createPlan.input>,
): Promise<PlanRow> =>
  loggedPlans.create(ctx, async (ctx) => ({
    ...input,
    id: newId(),
    sort: sort ?? (await nextSortValue(ctx.db, memberPlans)),
    enabled: isOn(enabled, true),
    createdAt: ctx.now,
  }));

export const updatePlan = (
  ctx: Ctx,
  { id, enabled, ...input }: z.output<typeof calls.updatePlan.input>,
): Promise<PlanRow> =>
  loggedPlans.update(ctx, id, (before) => ({ ...before, ...input, enabled: isOn(enabled, before.enabled) }));

export const removePlan = loggedPlans.remove;

interface NewTerm extends Pick<TermRow, 'userId' | 'days' | 'source'> {
  orderId?: string;
  inviteeId?: string;
  reason?: string;
  byId?: string;
}

async function calculateUntil(ctx: Ctx, until: Date | null, term: NewTerm): Promise<Date> {
  if (term.source !== 'refund') return extendDate(until, term.days, ctx.now);
  const terms = await queries.listAllTerms(ctx.db, term.userId);
  const before = terms.filter(({ source }) => source === 'refund').map(({ orderId }) => orderId);
  return recalculateUntil(terms, new Set([...before, term.orderId ?? null])) ?? ctx.now;
}

/**
 * The only function that changes a membership; it joins the caller's transaction. The source `refund`, with negative
 * days, revokes the days of its order and keeps others. An order or invitee counts once. Returns whether anything
 * changed; false for a deleted user.
 */
export function extendMembership(ctx: Ctx, term: NewTerm): Promise<boolean> {
  return inTransaction(ctx, async (ctx) => {
    const user = await queries.lockMembershipDates(ctx.db, term.userId);
    if (user === null) return false;
    const until = await calculateUntil(ctx, user.memberUntil, term);
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
    invalidate(ctx, `user:${user.id}`);
    notifyAccountChanged(ctx, user.id);
    return true;
  });
}

/** Gives days to an invited user and the inviter at the first payment; repeated calls have no effect. */
export function grantInviteBonus(ctx: Ctx, userId: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const user = await queries.findMembershipDates(ctx.db, userId);
    if (user?.invitedBy == null) return;
    const { inviteDays: days } = await getPriceRules(ctx);
    if (days === 0) return;
    const term = { days, source: 'invite', inviteeId: userId } as const;
    // Always locks the invitee before the inviter; invitations have no cycles, so this cannot deadlock.
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
  return inTransaction(ctx, async (ctx) => {
    const before = await queries.findMembershipDates(ctx.db, userId);
    const term = { userId, days, source: 'grant', reason, byId: viewer.id } as const;
    if (before === null || !(await extendMembership(ctx, term))) throw userNotFound();
    const member = await queries.getMember(ctx.db, userId);
    await notify(ctx, {
      userId,
      kind: 'system',
      text: `你获赠了 ${days} 天会员：${reason}`,
      target: { id: userId, title: '我的会员', url: '/account/center.html?tab=member' },
    });
    logChange(
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
