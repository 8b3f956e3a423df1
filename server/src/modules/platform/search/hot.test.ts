import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Ctx, inTx } from '../../../ctx.ts';
import { newId } from '../../../db/id.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { forgetShares, knownShares } from './actions/known-shares.ts';
import { refreshSearch } from './actions/refresh.ts';
import { indexEssay, type SearchDoc, searchEssays, unindexEssay, updateHeat } from './index.ts';
import { listScored } from './queries/essays.ts';
import { copyHot, findLeastHot, removeCold } from './queries/refresh.ts';
import { allOf, type Condition, isFewHot, type Shares } from './rules/plan.ts';
import { plainToken, strongToken, titleToken } from './rules/tokens.ts';

let t: TestApp;
let ctx: Ctx;
beforeAll(async () => {
  t = await startTestApp();
  ctx = systemCtx(t.app.services);
});
afterAll(() => t.close());
beforeEach(() => t.app.services.pool.query('delete from search_essays; delete from search_hot'));

async function put(title: string, hot: number, id = newId(), text = ''): Promise<string> {
  const doc: SearchDoc = {
    id,
    title,
    tags: [],
    author: '佚名',
    categoryId: newId(),
    text,
    publishedAt: new Date('2026-01-01T00:00:00Z'),
    hot,
  };
  await indexEssay(ctx, doc);
  return id;
}

const word = '琥珀';
const fromHot: Condition = { has: [plainToken(word)], anyOf: [], isHot: true, limit: 10 };
const askHot = async (): Promise<string[]> => {
  const weights = [{ token: plainToken(word), weight: 1 }];
  const scored = await listScored(ctx.db, { conditions: [fromHot], weights, phrase: word, fresh: 0 });
  return scored.map((each) => each.id);
};
const copied = async (): Promise<string[]> => {
  const { rows } = await t.app.services.pool.query<{ id: string }>('select id from search_hot order by id');
  return rows.map((row) => row.id);
};

test('the copy has the highest, and follows them as they change', async () => {
  const high = await put(word, 10_000);
  const higher = await put(word, 20_000);
  const low = await put(word, 0);
  const least = (await findLeastHot(ctx.db, 2)) ?? 0;
  expect(await copyHot(ctx.db, least, 1)).toBe(1);
  expect(await copyHot(ctx.db, least, 10)).toBe(1);
  expect(await copyHot(ctx.db, least, 10)).toBe(0);
  expect(await copied()).toEqual([high, higher]);
  expect(await askHot()).toEqual([higher, high]);

  await updateHeat(ctx, [{ id: high, hot: 1_000_000 }]);
  expect(await askHot()).toEqual([high, higher]);
  await put('别的题目', 1_000_000, high);
  expect(await askHot()).toEqual([higher]);
  await unindexEssay(ctx, higher);
  expect(await askHot()).toEqual([]);
  expect(await copied()).toEqual([high]);

  await updateHeat(ctx, [{ id: high, hot: 0 }]);
  await removeCold(ctx.db, least);
  expect(await copied()).toEqual([]);
  expect((await searchEssays(ctx, { keyword: word, offset: 0, limit: 10 })).ids).toEqual([low]);
});

test('an essay that someone is changing is copied another time, and nobody waits', async () => {
  const id = await put(word, 10_000);
  await inTx(ctx, async (inner) => {
    await unindexEssay(inner, id);
    expect(await copyHot(ctx.db, 0, 10)).toBe(0);
    await updateHeat(ctx, [{ id, hot: 5 }]);
  });
  expect(await copied()).toEqual([]);
});

test('few essays are not kept twice', async () => {
  await put(word, 10_000);
  await copyHot(ctx.db, 0, 10);
  await refreshSearch(ctx);
  expect(await copied()).toEqual([]);
  expect(await findLeastHot(ctx.db, 10)).toBeNull();
});

test('nested conditions choose the same essays whether or not the last one meets more than its limit', async () => {
  const inTitle = await put(word, 0);
  const inText = [await put('别的', 100, newId(), word), await put('别的', 200, newId(), word)];
  const weights = [{ token: plainToken(word), weight: 1 }];
  const ask = async (limit: number, isNested: boolean) => {
    const conditions = [
      { has: [], anyOf: [[titleToken(word)]], isHot: false, limit },
      { has: [plainToken(word)], anyOf: [], isHot: false, limit },
    ];
    const scored = await listScored(ctx.db, { conditions, weights, phrase: word, fresh: 0, isNested });
    return scored.map((each) => each.id);
  };
  expect((await ask(1, true)).toSorted()).toEqual([inTitle, inText[1]].toSorted());
  expect((await ask(2, true)).toSorted()).toEqual([inTitle, ...inText].toSorted());
  for (const limit of [1, 2, 3, 4]) expect(await ask(limit, true)).toEqual(await ask(limit, false));
});

test('how common words are is read again after a minute or a new sample', async () => {
  const token = plainToken(word);
  const set = (share: number) =>
    t.app.services.pool.query(
      'insert into search_shares values ($1, $2) on conflict (token) do update set share = $2',
      [token, share],
    );
  const known = async (seconds = 0) => {
    const now = new Date(ctx.now.getTime() + 1000 * seconds);
    return (await knownShares({ ...ctx, now }, [token])).shares.get(token);
  };
  forgetShares(ctx.services);
  expect(await known()).toBeUndefined();
  await set(0.25);
  expect(await known(59)).toBeUndefined();
  expect(await known(61)).toBe(0.25);
  await set(0.5);
  expect(await known(62)).toBe(0.25);
  await refreshSearch(ctx);
  expect(await known(62)).toBeUndefined();
});

test('a question goes to all essays unless its words are too common', () => {
  const known: Shares = {
    essays: 1_000_000,
    shares: new Map([
      [plainToken('罕见'), 0.001],
      [plainToken('中等'), 0.01],
      [plainToken('常见'), 0.4],
      [strongToken('常见'), 0.001],
      [titleToken('常见'), 0.0005],
    ]),
  };
  const whole = (terms: string[], of = known) => allOf(of, terms, [], 60).at(-1)?.isHot;
  expect(whole(['罕见'])).toBe(false);
  expect(whole(['没有见过'])).toBe(false);
  expect(whole(['中等'])).toBe(true);
  expect(whole(['常见'])).toBe(true);
  expect(whole(['罕见', '常见'])).toBe(false);
  expect(whole(['常见', '中等'])).toBe(true);
  // What is about a common word is still looked for among all.
  expect(allOf(known, ['常见'], [], 60).map((each) => each.isHot)).toEqual([false, true]);
  expect(whole(['常见'], { ...known, essays: 40_000 })).toBe(false);
  expect(isFewHot(known, 20, 1001)).toBe(true);
  expect(isFewHot(known, 21, 1001)).toBe(false);
});
