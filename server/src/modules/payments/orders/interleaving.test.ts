import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { listLedgerProblems } from '../../../testing/orders.ts';
import { tradeProperty } from '../../../testing/trade-property.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp({ config: { paySandbox: true } });
});
afterAll(() => t.close());

test('concurrent actions leave purchases and balances consistent with the orders', async () => {
  await fc.assert(tradeProperty(t), { seed: 6, numRuns: 10, endOnFailure: true });
  expect(await listLedgerProblems(t)).toEqual([]);
});
