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

test('the ledger is consistent after thousands of random trade histories', async () => {
  await fc.assert(tradeProperty(t), { numRuns: 1000 });
  expect(await listLedgerProblems(t)).toEqual([]);
});
