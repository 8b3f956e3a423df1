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

test('thousands of histories of trade end with books that agree', async () => {
  await fc.assert(followTrade(t), { numRuns: 1000 });
  expect(await listLedgerProblems(t)).toEqual([]);
});
