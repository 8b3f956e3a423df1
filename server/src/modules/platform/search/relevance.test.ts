import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Ctx } from '../../../ctx.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { refreshSearch } from './actions/refresh.ts';
import { fillIndex, measureQuality, readQueries } from './relevance-fixture.ts';

let t: TestApp;
let ctx: Ctx;
let essays: number;
beforeAll(async () => {
  t = await startTestApp();
  ctx = systemCtx(t.app.services);
  essays = await fillIndex(ctx);
}, 300_000);
afterAll(() => t.close());

const minRecall: Record<string, number> = {
  exact: 0.95,
  split: 0.95,
  mixed: 0.9,
  typo: 0.9,
  traditional: 0.9,
  pinyin: 0.9,
  name: 0.9,
};
const MIN_RECIPROCAL_RANK = 0.85;

describe.each(['tuning.txt', 'held-out.txt'] as const)('the queries of %s', (name) => {
  const queries = readQueries(name);

  test('are enough, of every kind', () => {
    expect([...queries.keys()].toSorted()).toEqual(Object.keys(minRecall).toSorted());
    expect([...queries.values()].flat().length).toBeGreaterThanOrEqual(200);
    expect(essays).toBeGreaterThanOrEqual(700);
  });

  for (const [when, prepare] of [
    ['without word statistics', async () => {}],
    ['with word statistics', () => refreshSearch(ctx)],
  ] as const) {
    test(`find relevant essays and rank them first, ${when}`, async () => {
      await prepare();
      for (const [kind, list] of queries) {
        const { recall, reciprocalRank, worst } = await measureQuality(ctx, list);
        expect
          .soft(recall, `recall, ${kind}\n${worst.join('\n')}`)
          .toBeGreaterThanOrEqual(minRecall[kind] ?? 1);
        expect
          .soft(reciprocalRank, `reciprocal rank, ${kind}\n${worst.join('\n')}`)
          .toBeGreaterThanOrEqual(MIN_RECIPROCAL_RANK);
      }
    });
  }
});
