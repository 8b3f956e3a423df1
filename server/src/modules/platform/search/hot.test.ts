import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Ctx, inTransaction } from '../../../ctx.ts';
import { createDb } from '../../../db/client.ts';
import { newId } from '../../../db/id.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { refreshSearch } from './actions/refresh.ts';
import { clearShareCache, getTokenShares } from './actions/share-cache.ts';
import { indexEssay, type SearchDocument, searchEssays, unindexEssay, updateHeat } from './index.ts';
import { listScoredEssays, listTitlesByPrefix } from './queries/essays.ts';
import { copyToHotCopy, findHotThreshold, removeFromHotCopy } from './queries/refresh.ts';
import { listWordsByPrefix } from './queries/words.ts';
import {
  type Condition,
  isRareInHotCopy,
  matchAllTerms,
  NO_FILTER,
  type TokenShares,
} from './rules/query-plan.ts';
import { plainToken, strongToken, titleToken } from './rules/tokens.ts';

let t: TestApp;
let ctx: Ctx;
beforeAll(async () => {
  t = await startTestApp();
  ctx = systemCtx(t.app.services);
});
afterAll(() => t.close());
beforeEach(() =>
  t.app.services.pool.query('delete from search_essays; delete from search_hot; delete from search_shares'),
);

async function put(title: string, hot: number, id = newId(), text = ''): Promise<string> {
  const doc: SearchDocument = {
    id,
    title,
    tags: [],
    author: '佚名',
    authorId: newId(),
    column: null,
    isPaid: false,
    categoryId: newId(),
    text,
    publishedAt: new Date('2026-01-01T00:00:00Z'),
    hot,
  };
  await indexEssay(ctx, doc);
  return id;
}

const word = '琥珀';
const fromHot: Condition = { has: [plainToken(word)], anyOf: [], minFresh: null, isHot: true, limit: 10 };
const searchHot = async (): Promise<string[]> => {
  const weights = [{ token: plainToken(word), weight: 1 }];
  const scored = await listScoredEssays(ctx.db, { conditions: [fromHot], weights, phrase: word, fresh: 0 });
  return scored.map((each) => each.id);
};
const copied = async (): Promise<string[]> => {
  const { rows } = await t.app.services.pool.query<{ id: string }>('select id from search_hot order by id');
  return rows.map((row) => row.id);
};

test('the hot copy contains the highest essays and follows their changes', async () => {
  const high = await put(word, 10_000);
  const higher = await put(word, 20_000);
  const low = await put(word, 0);
  const threshold = (await findHotThreshold(ctx.db, 2)) ?? 0;
  expect(await copyToHotCopy(ctx.db, threshold, 1)).toBe(1);
  expect(await copyToHotCopy(ctx.db, threshold, 10)).toBe(1);
  expect(await copyToHotCopy(ctx.db, threshold, 10)).toBe(0);
  expect(await copied()).toEqual([high, higher]);
  expect(await searchHot()).toEqual([higher, high]);

  await updateHeat(ctx, [{ id: high, hot: 1_000_000 }]);
  expect(await searchHot()).toEqual([high, higher]);
  await put('别的题目', 1_000_000, high);
  expect(await searchHot()).toEqual([higher]);
  await unindexEssay(ctx, higher);
  expect(await searchHot()).toEqual([]);
  expect(await copied()).toEqual([high]);

  await updateHeat(ctx, [{ id: high, hot: 0 }]);
  await removeFromHotCopy(ctx.db, threshold);
  expect(await copied()).toEqual([]);
  expect((await searchEssays(ctx, { keyword: word, offset: 0, limit: 10 })).ids).toEqual([low]);
});

test('skips an essay that is locked by another transaction', async () => {
  const id = await put(word, 10_000);
  await inTransaction(ctx, async (inner) => {
    await unindexEssay(inner, id);
    expect(await copyToHotCopy(ctx.db, 0, 10)).toBe(0);
    await updateHeat(ctx, [{ id, hot: 5 }]);
  });
  expect(await copied()).toEqual([]);
});

test('a small site has no hot copy', async () => {
  await put(word, 10_000);
  await copyToHotCopy(ctx.db, 0, 10);
  await refreshSearch(ctx);
  expect(await copied()).toEqual([]);
  expect(await findHotThreshold(ctx.db, 10)).toBeNull();
});

test('nested conditions select the same essays, whether or not the last one exceeds its limit', async () => {
  const inTitle = await put(word, 0);
  const inText = [await put('别的', 100, newId(), word), await put('别的', 200, newId(), word)];
  const weights = [{ token: plainToken(word), weight: 1 }];
  const searchNested = async (limit: number, isNested: boolean) => {
    const conditions = [
      { has: [], anyOf: [[titleToken(word)]], minFresh: null, isHot: false, limit },
      { has: [plainToken(word)], anyOf: [], minFresh: null, isHot: false, limit },
    ];
    const scored = await listScoredEssays(ctx.db, { conditions, weights, phrase: word, fresh: 0, isNested });
    return scored.map((each) => each.id);
  };
  expect((await searchNested(1, true)).toSorted()).toEqual([inTitle, inText[1]].toSorted());
  expect((await searchNested(2, true)).toSorted()).toEqual([inTitle, ...inText].toSorted());
  for (const limit of [1, 2, 3, 4])
    expect(await searchNested(limit, true)).toEqual(await searchNested(limit, false));
});

test('the share of a word is counted without a time limit, which a large site could exceed', async () => {
  const { pool } = t.app.services;
  for (const title of [word, word, '别的', '另外']) await put(title, 0);
  await pool.query(`
    create function refuse_limit() returns trigger language plpgsql as $$ begin
      if current_setting('statement_timeout') <> '0' then raise 'limited'; end if;
      return null;
    end $$;
    create trigger refuse_limit before delete on search_shares for each statement execute function refuse_limit()`);
  await refreshSearch(ctx);
  await pool.query('drop function refuse_limit cascade');
  const { rows } = await pool.query('select share from search_shares where token = $1', [plainToken(word)]);
  expect(rows).toEqual([{ share: 0.5 }]);
});

test('titles and words with a beginning are read from an index', async () => {
  const { pool, searchPool } = t.app.services;
  await pool.query(`
    insert into search_essays (id, title, folded_title, fresh, stat, tokens, impacts)
    select gen_random_uuid(), 'x' || n, 'x' || n, 0, 0, '{1}', '' from generate_series(1, 2000) n;
    insert into search_words (word, uses, keys) select 'x' || n, 1, '{1}' from generate_series(1, 2000) n;
    analyze search_essays, search_words`);
  const title = await put(`${word}_100%`, 0);
  await pool.query("insert into search_words (word, uses, keys) values ('amber', 1, '{1}')");
  const client = await searchPool.connect();
  await client.query('begin');
  const db = createDb(client);
  expect((await listTitlesByPrefix(db, `${word}_1`, 3)).map(({ id }) => id)).toEqual([title]);
  expect(await listTitlesByPrefix(db, `${word}%`, 3)).toEqual([]);
  expect(await listWordsByPrefix(db, 'amb', 3)).toEqual(['amber']);
  const { rows } = await client.query(
    `select sum(seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables
     where relname in ('search_essays', 'search_words')`,
  );
  await client.query('rollback');
  client.release();
  await pool.query("delete from search_words where word like 'x%' or word = 'amber'");
  expect(rows[0]?.read).toBeLessThan(20);
});

test('cached shares expire after a minute and after a new sample', async () => {
  const token = plainToken(word);
  const set = (share: number) =>
    t.app.services.pool.query(
      'insert into search_shares values ($1, $2) on conflict (token) do update set share = $2',
      [token, share],
    );
  const known = async (seconds = 0) => {
    const now = new Date(ctx.now.getTime() + 1000 * seconds);
    return (await getTokenShares({ ...ctx, now }, [token])).shares.get(token);
  };
  clearShareCache(ctx.services);
  expect(await known()).toBeUndefined();
  await set(0.25);
  expect(await known(59)).toBeUndefined();
  expect(await known(61)).toBe(0.25);
  await set(0.5);
  expect(await known(62)).toBe(0.25);
  await refreshSearch(ctx);
  expect(await known(62)).toBeUndefined();
});

test('searches all essays unless the words are too common', () => {
  const known: TokenShares = {
    essays: 1_000_000,
    shares: new Map([
      [plainToken('罕见'), 0.001],
      [plainToken('中等'), 0.01],
      [plainToken('常见'), 0.4],
      [strongToken('常见'), 0.001],
      [titleToken('常见'), 0.0005],
    ]),
  };
  const usesHotCopy = (terms: string[], of = known) => matchAllTerms(of, terms, NO_FILTER, 60).at(-1)?.isHot;
  expect(usesHotCopy(['罕见'])).toBe(false);
  expect(usesHotCopy(['没有见过'])).toBe(false);
  expect(usesHotCopy(['中等'])).toBe(true);
  expect(usesHotCopy(['常见'])).toBe(true);
  expect(usesHotCopy(['罕见', '常见'])).toBe(false);
  expect(usesHotCopy(['常见', '中等'])).toBe(true);
  // Essays about a common word are still searched among all essays.
  expect(matchAllTerms(known, ['常见'], NO_FILTER, 60).map((each) => each.isHot)).toEqual([false, true]);
  expect(usesHotCopy(['常见'], { ...known, essays: 40_000 })).toBe(false);
  expect(isRareInHotCopy(known, 20, 1001)).toBe(true);
  expect(isRareInHotCopy(known, 21, 1001)).toBe(false);
});
