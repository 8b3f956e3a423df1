import { invalidField } from '@mozhan/contract/errors.ts';
import type { Reconciliation } from '@mozhan/contract/finance.ts';
import type { PayBy } from '@mozhan/contract/prices.ts';
import { type Ctx, inTransaction, logChange } from '../../../../ctx.ts';
import { chinaDayOf } from '../../../../day.ts';
import { newId } from '../../../../db/id.ts';
import type { Prepared } from '../../../../prepared.ts';
import type { Provider, StatementLine } from '../../orders/index.ts';
import * as compare from '../queries/reconcile.ts';
import { listDaysWithoutStatement, upsertReconciliations } from '../queries/reconciliations.ts';
import * as rules from '../rules/finance.ts';
import type { ReconciliationRow } from '../tables.ts';

type Difference = Reconciliation['differences'][number];

const MAX_DIFFERENCES = 200;
/** Maximum time that a provider needs for a refund. */
const REFUND_DAYS = 7;
/** A missing statement is requested again daily for this time. */
const RETRY_DAYS = 7;

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

/** A refund may be in the statement of an earlier day, when it was requested but not settled yet. */
async function isInEarlierStatement(
  provider: Provider,
  day: string,
  missing: compare.MissingFromStatement,
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
  providerDay: compare.ProviderDay,
  day: string,
  lines: StatementLine[],
): Promise<Difference[]> {
  const mismatches = await compare.listStatementMismatches(ctx.db, providerDay, lines);
  const unlisted = await compare.listMissingFromStatement(ctx.db, providerDay, lines);
  const provider =
    providerDay.provider === 'balance' ? undefined : ctx.services.providers[providerDay.provider];
  const known = new Map<string, Promise<StatementLine[] | null>>();
  const missing: compare.MissingFromStatement[] = [];
  for (const each of unlisted) {
    if (provider === undefined || !(await isInEarlierStatement(provider, day, each, known)))
      missing.push(each);
  }
  return [
    ...mismatches.map((each) => rules.toMismatchDifference(each, providerDay.provider)),
    ...missing.map((each) => rules.toMissingDifference(each, providerDay.provider)),
  ];
}

async function compareDay(ctx: Ctx, provider: PayBy, day: string): Promise<ReconciliationRow> {
  const providerDay: compare.ProviderDay = { provider, ...rules.dayBounds(day), limit: MAX_DIFFERENCES + 1 };
  const { lines, note } = await fetchStatement(ctx, provider, day);
  const differences = [
    ...(await compare.listNotPosted(ctx.db, providerDay)).map(rules.toNotPostedDifference),
    ...(await compare.listOrphanEntries(ctx.db, providerDay)).map(rules.toOrphanDifference),
    ...(lines === null ? [] : await compareStatement(ctx, providerDay, day, lines)),
  ];
  return {
    id: newId(),
    day,
    provider,
    ledger: await compare.sumLedger(ctx.db, providerDay),
    orders: await compare.sumOrders(ctx.db, providerDay),
    statement: lines === null ? null : rules.sumStatement(lines),
    note: differences.length > MAX_DIFFERENCES ? `差异太多，只列出 ${MAX_DIFFERENCES} 处` : note,
    differences: differences.slice(0, MAX_DIFFERENCES),
    createdAt: ctx.now,
  };
}

/** Calls providers outside of a transaction; the returned function stores the result. */
export async function reconcile(ctx: Ctx, day: string): Promise<Prepared<ReconciliationRow[]>> {
  if (day >= chinaDayOf(ctx.now)) throw invalidField('day', '只能对今天以前的日期对账');
  const used = await compare.listProviders(ctx.db, rules.dayBounds(day));
  const providers = new Set<PayBy>(['balance', ...(Object.keys(ctx.services.providers) as PayBy[]), ...used]);
  const found = await Promise.all([...providers].map((provider) => compareDay(ctx, provider, day)));
  for (const { provider, differences } of found) {
    if (differences.length > 0)
      ctx.services.log.warn({ day, provider, differences: differences.length }, 'books do not agree');
  }
  return (ctx) =>
    inTransaction(ctx, async (ctx) => {
      const rows = await upsertReconciliations(ctx.db, found);
      const summary = rows.map(({ provider, differences }) => ({
        provider,
        differences: differences.length,
      }));
      logChange(ctx, `reconciliation:${day}`, null, summary);
      return rows;
    });
}

/** Reconciles the previous day, and earlier days whose statement was missing. */
export async function reconcileDaily(ctx: Ctx): Promise<void> {
  const today = chinaDayOf(ctx.now);
  const again = await listDaysWithoutStatement(ctx.db, rules.dayBefore(today, RETRY_DAYS));
  for (const day of new Set([rules.dayBefore(today), ...again])) {
    const store = await reconcile(ctx, day);
    await store(ctx);
  }
}
