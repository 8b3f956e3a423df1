import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { CallError, invalidField } from '@mozhan/contract/errors.ts';
import type * as calls from '@mozhan/contract/orders.ts';
import type { OrderKind } from '@mozhan/contract/orders.ts';
import type { PriceRules } from '@mozhan/contract/prices.ts';
import type { z } from 'zod';
import type { Ctx, Viewer } from '../../../../ctx.ts';
import { createLookup } from '../../../../db/lookup.ts';
import { findEnabledPlan } from '../../members/index.ts';
import * as targets from '../queries/targets.ts';
import type { OrderRow } from '../tables.ts';

/** The subject and price of an order; the price comes from the server, not from the request. */
export type Sale = Pick<OrderRow, 'kind' | 'targetId' | 'title' | 'payeeId' | 'amount' | 'days' | 'message'>;

interface RewardRequest {
  kind: 'reward';
  targetId: string;
  amount: number;
  message: string;
}

export type OrderRequest =
  | Pick<z.output<typeof calls.createOrder.input>, 'kind' | 'targetId' | 'amount' | 'price'>
  | RewardRequest;

const limits = {
  recharge: { name: '充值', min: 'rechargeMin', max: 'rechargeMax' },
  reward: { name: '打赏', min: 'rewardMin', max: 'rewardMax' },
} as const;

const yuan = (fen: number): string => `${fen / 100} 元`;

function checkAmount(kind: keyof typeof limits, amount: number | undefined, rules: PriceRules): number {
  const { name, ...names } = limits[kind];
  const [min, max] = [rules[names.min], rules[names.max]];
  if (amount === undefined) throw invalidField('amount', `请填写${name}金额`);
  if (amount < min || amount > max)
    throw invalidField('amount', `${name}金额应在 ${yuan(min)}到 ${yuan(max)}之间`);
  return amount;
}

const unknownTarget = (kind: OrderKind) =>
  kind === 'reward'
    ? invalidField('essayId', '没有找到这篇文章')
    : invalidField('targetId', kind === 'member' ? '没有这个会员方案，或已停售' : '没有找到要购买的内容');

const findUnlockedTarget = createLookup(targets.createEssayTargetQuery);

async function findEssay(ctx: Ctx, viewer: Viewer, kind: 'read' | 'reward', id: string) {
  const essay =
    ctx.effects === null
      ? await findUnlockedTarget(ctx, targets.interestKey({ userId: viewer.id, essayId: id }))
      : await targets.findEssayTarget(ctx.db, viewer.id, id);
  // Essays that were never published are visible to their author only.
  if (essay === null || (!essay.wasPublished && essay.authorId !== viewer.id && !essay.isDeleted))
    throw unknownTarget(kind);
  if (essay.isDeleted) throw new CallError('GONE', { message: '这篇文章已被删除' });
  if (essay.authorId === viewer.id) throw new CallError('BUY_OWN');
  return essay;
}

async function findEssaySale(ctx: Ctx, viewer: Viewer, targetId: string): Promise<Sale> {
  const essay = await findEssay(ctx, viewer, 'read', targetId);
  if (essay.isOwned) throw new CallError('ALREADY_OWNED');
  if (essay.status !== ESSAY_STATUS.onShelf || essay.price === 0) throw new CallError('NOT_FOR_SALE');
  const { title, authorId: payeeId, price: amount } = essay;
  return { kind: 'read', targetId, title, payeeId, amount, days: 0, message: '' };
}

async function findColumnSale(ctx: Ctx, viewer: Viewer, targetId: string): Promise<Sale> {
  const column = await targets.findColumnTarget(ctx.db, viewer.id, targetId);
  if (column === null) throw unknownTarget('column');
  const { name: title, authorId: payeeId, price: amount } = column;
  if (payeeId === viewer.id) throw new CallError('BUY_OWN');
  if (column.isOwned) throw new CallError('ALREADY_OWNED');
  if (amount === 0 || column.essayCount === 0) throw new CallError('NOT_FOR_SALE');
  return { kind: 'column', targetId, title, payeeId, amount, days: 0, message: '' };
}

async function findMembershipSale(ctx: Ctx, targetId: string): Promise<Sale> {
  const plan = await findEnabledPlan(ctx.db, targetId);
  if (plan === null) throw unknownTarget('member');
  const { name: title, price: amount, days } = plan;
  return { kind: 'member', targetId, title, payeeId: null, amount, days, message: '' };
}

async function findRewardSale(
  ctx: Ctx,
  viewer: Viewer,
  request: RewardRequest,
  rules: PriceRules,
): Promise<Sale> {
  const { kind, targetId, message } = request;
  const amount = checkAmount(kind, request.amount, rules);
  const essay = await findEssay(ctx, viewer, kind, targetId);
  if (essay.status !== ESSAY_STATUS.onShelf)
    throw new CallError('NOT_FOR_SALE', { message: '这篇文章现在不能打赏' });
  if (essay.isBlocked) throw new CallError('BLOCKED');
  const { title, authorId: payeeId } = essay;
  return { kind, targetId, title, payeeId, amount, days: 0, message };
}

/** In a transaction, locks the target until its end. Throws PRICE_CHANGED if the buyer saw another price. */
export async function findSale(
  ctx: Ctx,
  viewer: Viewer,
  request: OrderRequest,
  rules: PriceRules,
): Promise<Sale> {
  const sale = await findSaleByKind(ctx, viewer, request, rules);
  if ('price' in request && request.price !== undefined && request.price !== sale.amount)
    throw new CallError('PRICE_CHANGED');
  return sale;
}

async function findSaleByKind(
  ctx: Ctx,
  viewer: Viewer,
  request: OrderRequest,
  rules: PriceRules,
): Promise<Sale> {
  const { kind, targetId } = request;
  if (kind === 'reward') return findRewardSale(ctx, viewer, request, rules);
  if (kind === 'recharge') {
    const amount = checkAmount(kind, request.amount, rules);
    return { kind, targetId: null, title: '充值', payeeId: null, amount, days: 0, message: '' };
  }
  if (targetId === undefined) throw invalidField('targetId', '请选择要购买的内容');
  if (kind === 'read') return findEssaySale(ctx, viewer, targetId);
  if (kind === 'column') return findColumnSale(ctx, viewer, targetId);
  return findMembershipSale(ctx, targetId);
}

/** The essay may be off the shelf, but must not be deleted. */
export async function isDeliverable(ctx: Ctx, { kind, targetId, userId }: OrderRow): Promise<boolean> {
  if (targetId === null || kind === 'member') return true;
  if (kind === 'column') return (await targets.findColumnTarget(ctx.db, userId, targetId)) !== null;
  const essay = await targets.findEssayTarget(ctx.db, userId, targetId);
  return essay !== null && !essay.isDeleted && (kind === 'reward' || !essay.isOwned);
}
