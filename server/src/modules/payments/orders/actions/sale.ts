import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { CallError, invalid } from '@mozhan/contract/errors.ts';
import type * as calls from '@mozhan/contract/orders.ts';
import type { OrderKind } from '@mozhan/contract/orders.ts';
import type { PriceRules } from '@mozhan/contract/prices.ts';
import type { z } from 'zod';
import type { Ctx, Viewer } from '../../../../ctx.ts';
import { findPlan } from '../../members/index.ts';
import * as targets from '../queries/targets.ts';
import type { OrderRow } from '../tables.ts';

/** What an order is about, and what it costs: by our prices, never by what somebody says. */
export type Sale = Pick<OrderRow, 'kind' | 'targetId' | 'title' | 'payeeId' | 'amount' | 'days' | 'message'>;

interface Reward {
  kind: 'reward';
  targetId: string;
  amount: number;
  message: string;
}

export type Wanted =
  | Pick<z.output<typeof calls.createOrder.input>, 'kind' | 'targetId' | 'amount' | 'price'>
  | Reward;

const bounds = {
  recharge: { name: '充值', min: 'rechargeMin', max: 'rechargeMax' },
  reward: { name: '打赏', min: 'rewardMin', max: 'rewardMax' },
} as const;

const yuan = (fen: number): string => `${fen / 100} 元`;

function checkAmount(kind: keyof typeof bounds, amount: number | undefined, rules: PriceRules): number {
  const { name, ...names } = bounds[kind];
  const [min, max] = [rules[names.min], rules[names.max]];
  if (amount === undefined) throw invalid('amount', `请填写${name}的金额`);
  if (amount < min || amount > max) throw invalid('amount', `${name}的金额从 ${yuan(min)}到 ${yuan(max)}`);
  return amount;
}

const unknown = (kind: OrderKind) =>
  kind === 'reward'
    ? invalid('essayId', '没有找到这篇文章')
    : invalid('targetId', kind === 'member' ? '没有这个会员方案，或已停售' : '没有找到要购买的内容');

async function findEssay(ctx: Ctx, viewer: Viewer, kind: 'read' | 'reward', id: string) {
  const essay = await targets.findEssayTarget(ctx.db, viewer.id, id);
  // One that was never shown is known to its author only.
  if (essay === null || (!essay.wasShown && essay.authorId !== viewer.id && !essay.isGone))
    throw unknown(kind);
  if (essay.isGone) throw new CallError('GONE', { message: '这篇文章已被删除' });
  if (essay.authorId === viewer.id) throw new CallError('BUY_OWN');
  return essay;
}

async function findReading(ctx: Ctx, viewer: Viewer, targetId: string): Promise<Sale> {
  const essay = await findEssay(ctx, viewer, 'read', targetId);
  if (essay.isOwned) throw new CallError('ALREADY_OWNED');
  if (essay.status !== ESSAY_STATUS.onShelf || essay.price === 0) throw new CallError('NOT_FOR_SALE');
  const { title, authorId: payeeId, price: amount } = essay;
  return { kind: 'read', targetId, title, payeeId, amount, days: 0, message: '' };
}

async function findColumn(ctx: Ctx, viewer: Viewer, targetId: string): Promise<Sale> {
  const column = await targets.findColumnTarget(ctx.db, viewer.id, targetId);
  if (column === null) throw unknown('column');
  const { name: title, authorId: payeeId, price: amount } = column;
  if (payeeId === viewer.id) throw new CallError('BUY_OWN');
  if (column.isOwned) throw new CallError('ALREADY_OWNED');
  if (amount === 0 || column.essayCount === 0) throw new CallError('NOT_FOR_SALE');
  return { kind: 'column', targetId, title, payeeId, amount, days: 0, message: '' };
}

async function findMembership(ctx: Ctx, targetId: string): Promise<Sale> {
  const plan = await findPlan(ctx.db, targetId);
  if (plan === null) throw unknown('member');
  const { name: title, price: amount, days } = plan;
  return { kind: 'member', targetId, title, payeeId: null, amount, days, message: '' };
}

async function findReward(ctx: Ctx, viewer: Viewer, wanted: Reward, rules: PriceRules): Promise<Sale> {
  const { kind, targetId, message } = wanted;
  const amount = checkAmount(kind, wanted.amount, rules);
  const essay = await findEssay(ctx, viewer, kind, targetId);
  if (essay.status !== ESSAY_STATUS.onShelf)
    throw new CallError('NOT_FOR_SALE', { message: '这篇文章现在不能打赏' });
  if (essay.isBlocked) throw new CallError('BLOCKED');
  const { title, authorId: payeeId } = essay;
  return { kind, targetId, title, payeeId, amount, days: 0, message };
}

/** Inside the transaction of the order: what is sold stays as it is until then, and costs what its buyer saw. */
export async function findSale(ctx: Ctx, viewer: Viewer, wanted: Wanted, rules: PriceRules): Promise<Sale> {
  const sale = await findOffer(ctx, viewer, wanted, rules);
  if ('price' in wanted && wanted.price !== undefined && wanted.price !== sale.amount)
    throw new CallError('PRICE_CHANGED');
  return sale;
}

async function findOffer(ctx: Ctx, viewer: Viewer, wanted: Wanted, rules: PriceRules): Promise<Sale> {
  const { kind, targetId } = wanted;
  if (kind === 'reward') return findReward(ctx, viewer, wanted, rules);
  if (kind === 'recharge') {
    const amount = checkAmount(kind, wanted.amount, rules);
    return { kind, targetId: null, title: '充值', payeeId: null, amount, days: 0, message: '' };
  }
  if (targetId === undefined) throw invalid('targetId', '请选择要购买的内容');
  if (kind === 'read') return findReading(ctx, viewer, targetId);
  if (kind === 'column') return findColumn(ctx, viewer, targetId);
  return findMembership(ctx, targetId);
}

/** What a payment can still deliver; the essay may be off the shelf by now, but not gone. */
export async function isThere(ctx: Ctx, { kind, targetId, userId }: OrderRow): Promise<boolean> {
  if (targetId === null || kind === 'member') return true;
  if (kind === 'column') return (await targets.findColumnTarget(ctx.db, userId, targetId)) !== null;
  const essay = await targets.findEssayTarget(ctx.db, userId, targetId);
  return essay !== null && !essay.isGone && (kind === 'reward' || !essay.isOwned);
}
