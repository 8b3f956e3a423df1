import fc from 'fast-check';
import { expect } from 'vitest';
import { inTx } from '../ctx.ts';
import { newId } from '../db/id.ts';
import { systemCtx } from '../jobs.ts';
import { findBalances, type Line, post } from '../modules/platform/ledger/index.ts';
import type { TestApp } from './app.ts';

const PEOPLE = 4;
const person = fc.nat(PEOPLE - 1);
const amount = fc.integer({ min: 1, max: 100_000 });
/** Per cent of it. */
const commission = fc.nat(90);

/** What somebody does, or several at the same moment. */
const deed = fc.oneof(
  fc.record({ kind: fc.constant('recharge' as const), by: person, amount }),
  fc.record({
    kind: fc.constant('read' as const),
    by: person,
    to: person,
    amount,
    commission,
    fromBalance: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('member' as const), by: person, amount }),
  fc.record({ kind: fc.constant('refund' as const), by: person, to: person, amount, commission }),
  fc.record({ kind: fc.constant('withdraw' as const), by: person, amount }),
);
type Deed = typeof deed extends fc.Arbitrary<infer T> ? T : never;

const rounds = fc.array(fc.array(deed, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 8 });

function linesOf(each: Deed, ids: string[]): Line[] {
  const { amount } = each;
  const userId = ids[each.by] ?? '';
  const paid: Line = { account: 'balance', userId, amount: -amount };
  const clearing: Line = { account: 'clearing', provider: 'sandbox', amount: -amount };
  if (each.kind === 'recharge') return [clearing, { ...paid, amount }];
  if (each.kind === 'member') return [paid, { account: 'commission', amount }];
  const earnings: Line = { account: 'earnings', userId, amount: -amount };
  if (each.kind === 'withdraw') return [earnings, { account: 'withdrawals', amount }];
  const taken = Math.floor((amount * each.commission) / 100);
  const toAuthor: Line = { account: 'earnings', userId: ids[each.to] ?? '', amount: amount - taken };
  if (each.kind === 'read')
    return [each.fromBalance ? paid : clearing, toAuthor, { account: 'commission', amount: taken }];
  return [
    { ...toAuthor, amount: taken - amount },
    { account: 'commission', amount: -taken },
    { ...paid, amount },
  ];
}

const nameOf = (line: Line): string => ('userId' in line ? `${line.account} ${line.userId}` : '');

/**
 * Random deeds, those of a round at the same moment: each is booked or refused as a whole. Of those that were booked
 * people's accounts are the sums, and what was refused could not be paid after all of its round.
 */
export const followMoney = (t: TestApp) =>
  fc.asyncProperty(rounds, async (rounds) => {
    const ctx = systemCtx(t.app.services);
    const ids = Array.from({ length: PEOPLE }, () => newId());
    const model = new Map<string, number>();
    for (const round of rounds) {
      const before = new Map(model);
      const outcomes = await Promise.allSettled(
        round.map((each) =>
          inTx(ctx, (ctx) => post(ctx, { kind: each.kind, title: '随便', lines: linesOf(each, ids) })),
        ),
      );
      for (const [i, outcome] of outcomes.entries()) {
        const lines = linesOf(round[i] as Deed, ids);
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'BALANCE_TOO_LOW' });
        else for (const line of lines) model.set(nameOf(line), (model.get(nameOf(line)) ?? 0) + line.amount);
      }
      if (round.length === 1) {
        const lines = linesOf(round[0] as Deed, ids);
        const isCovered = lines.every(
          (line) => line.account !== 'balance' || (before.get(nameOf(line)) ?? 0) + line.amount >= 0,
        );
        expect(outcomes[0]?.status).toBe(isCovered ? 'fulfilled' : 'rejected');
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
