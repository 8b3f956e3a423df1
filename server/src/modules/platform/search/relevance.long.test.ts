import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Ctx } from '../../../ctx.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { fillIndex, listShortfalls, readQueries } from './relevance-fixture.ts';

let t: TestApp;
let ctx: Ctx;
beforeAll(async () => {
  t = await startTestApp();
  ctx = systemCtx(t.app.services);
  await fillIndex(ctx);
}, 300_000);
afterAll(() => t.close());

test.each(['tuning.txt', 'held-out.txt'] as const)(
  'the queries of %s find relevant essays before word statistics exist',
  async (name) => {
    expect(await listShortfalls(ctx, readQueries(name))).toEqual([]);
  },
);
