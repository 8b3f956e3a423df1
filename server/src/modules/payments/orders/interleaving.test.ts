import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { listLedgerProblems } from '../../../testing/orders.ts';
import { followTrade } from '../../../testing/trade.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp({ config: { paySandbox: true } });
});
afterAll(() => t.close());

test('whatever happens at the same moment, everyone has what the orders say', async () => {
  await fc.assert(followTrade(t), { seed: 6, numRuns: 10, endOnFailure: true });
  expect(await listLedgerProblems(t)).toEqual([]);
});
