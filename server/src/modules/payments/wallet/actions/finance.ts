import { invalid } from '@mozhan/contract/errors.ts';
import type { Reconciliation } from '@mozhan/contract/finance.ts';
import type { PayBy } from '@mozhan/contract/prices.ts';
import { type Ctx, changed, inTx } from '../../../../ctx.ts';
import { dayOf } from '../../../../day.ts';
import { newId } from '../../../../db/id.ts';
import type { Prepared } from '../../../../prepared.ts';
import type { Provider, StatementLine } from '../../orders/index.ts';
import * as compare from '../queries/compare.ts';
import { listUnstatedDays, upsertReconciliations } from '../queries/reconciliations.ts';
import * as rules from '../rules/finance.ts';
import type { ReconciliationRow } from '../tables.ts';

type Difference = Reconciliation['differences'][number];

/** Where more is wrong than this, the first of it say enough. */
const MAX_DIFFERENCES = 200;
/** A provider takes this long at the most to carry out a refund that was asked for. */
const REFUND_DAYS = 7;
/** So long a statement that was not to be had is asked for again, every day. */
const AGAIN_DAYS = 7;

interface Statement {
  lines: StatementLine[] | null;
  note: string;
}

async function fetchStatement(ctx: Ctx, payBy: PayBy, day: string): Promise<Statement> {
  if (payBy === 'balance') return { lines: null, note: '' };
  const provider = ctx.services.providers[payBy];
  if (provider === undefined) return { lines: null, note: '没有配置这个支付方，取不到对账单' };
  try {
    const lines = await provider.listStatement(day);
    return { lines, note: lines === null ? '支付方还没有给出这一天的对账单' : '' };
  } catch (error) {
    ctx.services.log.warn({ err: error, provider: payBy, day }, 'no statement');
    return { lines: null, note: '没有取到对账单，请稍后再对一次' };
  }
}

/** A refund may be in the statement of the day it was asked for, before it was settled. */
async function isStatedBefore(
  provider: Provider,
  day: string,
  missing: compare.Unstated,
  known: Map<string, Promise<StatementLine[] | null>>,
): Promise<boolean> {
  if (missing.kind !== 'refund') return false;
  for (let back = 1; back <= REFUND_DAYS; back++) {
    const earlier = rules.dayBefore(day, back);
    if (earlier < missing.since) return false;
    const fetched = known.get(earlier) ?? provider.listStatement(earlier).catch(() => null);
    known.set(earlier, fetched);
    const lines = (await fetched) ?? [];
    if (
      lines.some(
        ({ no, kind, amount }) => no === missing.no && kind === 'refund' && amount === missing.amount,
      )
    )
      return true;
  }
  return false;
}

async function compareStatement(
  ctx: Ctx,
  of: compare.Day,
  day: string,
  lines: StatementLine[],
): Promise<Difference[]> {
  const told = await compare.listTold(ctx.db, of, lines);
  const unstated = await compare.listUnstated(ctx.db, of, lines);
  const provider = of.provider === 'balance' ? undefined : ctx.services.providers[of.provider];
  const known = new Map<string, Promise<StatementLine[] | null>>();
  const missing: compare.Unstated[] = [];
  for (const each of unstated) {
    if (provider === undefined || !(await isStatedBefore(provider, day, each, known))) missing.push(each);
  }
  return [
    ...told.map((each) => rules.toTold(each, of.provider)),
    ...missing.map((each) => rules.toUnstated(each, of.provider)),
  ];
}

async function compareDay(ctx: Ctx, provider: PayBy, day: string): Promise<ReconciliationRow> {
  const of: compare.Day = { provider, ...rules.boundsOf(day), limit: MAX_DIFFERENCES + 1 };
  const { lines, note } = await fetchStatement(ctx, provider, day);
  const differences = [
    ...(await compare.listUnbooked(ctx.db, of)).map(rules.toUnbooked),
    ...(await compare.listStrays(ctx.db, of)).map(rules.toStray),
    ...(lines === null ? [] : await compareStatement(ctx, of, day, lines)),
  ];
  return {
    id: newId(),
    day,
    provider,
    ledger: await compare.sumLedger(ctx.db, of),
    orders: await compare.sumOrders(ctx.db, of),
    statement: lines === null ? null : rules.sumStatement(lines),
    note: differences.length > MAX_DIFFERENCES ? `差异太多，只列出 ${MAX_DIFFERENCES} 处` : note,
    differences: differences.slice(0, MAX_DIFFERENCES),
    createdAt: ctx.now,
  };
}

/** Providers are asked before any transaction is open. */
export async function reconcile(ctx: Ctx, day: string): Promise<Prepared<ReconciliationRow[]>> {
  if (day >= dayOf(ctx.now)) throw invalid('day', '只能对已经过去的日子对账');
  const used = await compare.listProviders(ctx.db, rules.boundsOf(day));
  const providers = new Set<PayBy>(['balance', ...(Object.keys(ctx.services.providers) as PayBy[]), ...used]);
  const found = await Promise.all([...providers].map((provider) => compareDay(ctx, provider, day)));
  for (const { provider, differences } of found) {
    if (differences.length > 0)
      ctx.services.log.warn({ day, provider, differences: differences.length }, 'books do not agree');
  }
  return (ctx) =>
    inTx(ctx, async (ctx) => {
      const rows = await upsertReconciliations(ctx.db, found);
      const summary = rows.map(({ provider, differences }) => ({
        provider,
        differences: differences.length,
      }));
      changed(ctx, `reconciliation:${day}`, null, summary);
      return rows;
    });
}

/** Every morning: the day before, and earlier ones whose statement was not to be had. */
export async function reconcileDaily(ctx: Ctx): Promise<void> {
  const today = dayOf(ctx.now);
  const again = await listUnstatedDays(ctx.db, rules.dayBefore(today, AGAIN_DAYS));
  for (const day of new Set([rules.dayBefore(today), ...again])) {
    const store = await reconcile(ctx, day);
    await store(ctx);
  }
}
