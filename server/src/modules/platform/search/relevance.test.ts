import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Ctx } from '../../../ctx.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { refreshSearch } from './actions/refresh.ts';
import { fillIndex, listShortfalls, minRecall, readQueries } from './relevance-fixture.ts';

let t: TestApp;
let ctx: Ctx;
let essays: number;
beforeAll(async () => {
  t = await startTestApp();
  ctx = systemCtx(t.app.services);
  essays = await fillIndex(ctx);
  await refreshSearch(ctx);
}, 300_000);
afterAll(() => t.close());

describe.each(['tuning.txt', 'held-out.txt'] as const)('the queries of %s', (name) => {
  const queries = readQueries(name);

  test('are enough, of every kind', () => {
    expect([...queries.keys()].toSorted()).toEqual(Object.keys(minRecall).toSorted());
    expect([...queries.values()].flat().length).toBeGreaterThanOrEqual(200);
    expect(essays).toBeGreaterThanOrEqual(700);
  });

  test('find relevant essays and rank them first', async () => {
    expect(await listShortfalls(ctx, queries)).toEqual([]);
  });
});
