import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { ledgerProperty } from '../../../testing/ledger-property.ts';
import { checkLedger } from '../../admin/system/index.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

test('the ledger is consistent after thousands of random histories', async () => {
  await fc.assert(ledgerProperty(t), { numRuns: 2000 });
  expect(await checkLedger(systemCtx(t.app.services))).toEqual([]);
});
