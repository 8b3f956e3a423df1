import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { followMoney } from '../../../testing/ledger.ts';
import { checkLedger } from '../../admin/system/index.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

test('thousands of histories of money end with books that agree', async () => {
  await fc.assert(followMoney(t), { numRuns: 2000 });
  expect(await checkLedger(systemCtx(t.app.services))).toEqual([]);
});
