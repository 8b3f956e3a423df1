import fc from 'fast-check';
import { expect } from 'vitest';
import { inTransaction } from '../ctx.ts';
import { newId } from '../db/id.ts';
import { systemCtx } from '../jobs.ts';
import { findBalances, type LedgerLine, post } from '../modules/platform/ledger/index.ts';
import type { TestApp } from './app.ts';

const USER_COUNT = 4;
const user = fc.nat(USER_COUNT - 1);
const amount = fc.integer({ min: 1, max: 100_000 });
/** In per cent. */
const commission = fc.nat(90);

const ledgerAction = fc.oneof(
  fc.record({ kind: fc.constant('recharge' as const), by: user, amount }),
  fc.record({
    kind: fc.constant('read' as const),
    by: user,
    to: user,
    amount,
    commission,
    fromBalance: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('member' as const), by: user, amount }),
  fc.record({ kind: fc.constant('refund' as const), by: user, to: user, amount, commission }),
  fc.record({ kind: fc.constant('withdraw' as const), by: user, amount }),
);
type LedgerAction = typeof ledgerAction extends fc.Arbitrary<infer T> ? T : never;

const rounds = fc.array(fc.array(ledgerAction, { minLength: 1, maxLength: 6 }), {
  minLength: 1,
  maxLength: 8,
});

function toLines(each: LedgerAction, ids: string[]): LedgerLine[] {
  const { amount } = each;
  const userId = ids[each.by] ?? '';
  const paid: LedgerLine = { account: 'balance', userId, amount: -amount };
  const clearing: LedgerLine = { account: 'clearing', provider: 'sandbox', amount: -amount };
  if (each.kind === 'recharge') return [clearing, { ...paid, amount }];
  if (each.kind === 'member') return [paid, { account: 'commission', amount }];
  const earnings: LedgerLine = { account: 'earnings', userId, amount: -amount };
  if (each.kind === 'withdraw') return [earnings, { account: 'withdrawals', amount }];
  const commissionFen = Math.floor((amount * each.commission) / 100);
  const toAuthor: LedgerLine = {
    account: 'earnings',
    userId: ids[each.to] ?? '',
    amount: amount - commissionFen,
  };
  if (each.kind === 'read')
    return [each.fromBalance ? paid : clearing, toAuthor, { account: 'commission', amount: commissionFen }];
  return [
    { ...toAuthor, amount: commissionFen - amount },
    { account: 'commission', amount: -commissionFen },
    { ...paid, amount },
  ];
}

const accountKey = (line: LedgerLine): string => ('userId' in line ? `${line.account} ${line.userId}` : '');

/**
 * Performs random actions, those of one round concurrently. Each is posted or refused completely, and the balances are
 * the sums of the posted ones.
 */
export const ledgerProperty = (t: TestApp) =>
  fc.asyncProperty(rounds, async (rounds) => {
    const ctx = systemCtx(t.app.services);
    const ids = Array.from({ length: USER_COUNT }, () => newId());
    const model = new Map<string, number>();
    for (const round of rounds) {
      const before = new Map(model);
      const results = await Promise.allSettled(
        round.map((each) =>
          inTransaction(ctx, (ctx) =>
            post(ctx, { kind: each.kind, title: '随便', lines: toLines(each, ids) }),
          ),
        ),
      );
      for (const [i, result] of results.entries()) {
        const lines = toLines(round[i] as LedgerAction, ids);
        if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'BALANCE_TOO_LOW' });
        else
          for (const line of lines)
            model.set(accountKey(line), (model.get(accountKey(line)) ?? 0) + line.amount);
      }
      if (round.length === 1) {
        const lines = toLines(round[0] as LedgerAction, ids);
        const isCovered = lines.every(
          (line) => line.account !== 'balance' || (before.get(accountKey(line)) ?? 0) + line.amount >= 0,
        );
        expect(results[0]?.status).toBe(isCovered ? 'fulfilled' : 'rejected');
      }
    }
    for (const id of ids) {
      const [balance, earnings] = ['balance', 'earnings'].map(
        (account) => model.get(`${account} ${id}`) ?? 0,
      );
      expect(await findBalances(ctx.db, id)).toEqual({ balance, earnings });
      expect(balance).toBeGreaterThanOrEqual(0);
    }
  });
