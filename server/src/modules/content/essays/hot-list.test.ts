import { afterAll, beforeAll, expect, test } from 'vitest';
import { readMigrations } from '../../../db/migrate.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter, publishEssay } from '../../../testing/essays.ts';
import { addToEssayCounters } from './index.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

let t: TestApp;
let older: string;
let popular: string;
let fresh: string;

const readBy = (essayId: string, reads: number) =>
  addToEssayCounters(systemCtx(t.app.services), [{ essayId, reads }]);
const hotList = async () => (await t.call('GET core/essay/', { feed: 'hot' })).data.list.map(({ id }) => id);

beforeAll(async () => {
  t = await startTestApp();
  const author = await createWriter(t);
  older = await publishEssay(t, author);
  await readBy(older, 1900);
  t.advance(2 * DAY_MS);
  popular = await publishEssay(t, author);
  await readBy(popular, 1900);
  t.advance(DAY_MS - 16 * MINUTE_MS);
  fresh = await publishEssay(t, author);
  await readBy(fresh, 2);
  t.advance(16 * MINUTE_MS);
});
afterAll(() => t.close());

test('ranks an essay 16 minutes old with 2 reads below those one and three days old with 1,900', async () => {
  expect(await hotList()).toEqual([popular, older, fresh]);
});

test('the migration computes the same score as the rule', async () => {
  const { pool } = t.app.services;
  const scores = async () =>
    (await pool.query<{ hot_score: number }>('select hot_score from essays order by id')).rows.map(
      (row) => row.hot_score,
    );
  const wanted = await scores();
  await pool.query(
    `update essays set hot_score = log(1 + read_count) + extract(epoch from published_at) / 43200`,
  );
  // The direct update does not invalidate the page cache.
  t.app.services.pages.invalidate(['essays']);
  expect(await hotList()).toEqual([popular, fresh, older]);
  const migration = (await readMigrations()).find(({ name }) => name === '0038_hot_score.sql');
  await pool.query(migration?.content ?? '');
  t.app.services.pages.invalidate(['essays']);
  expect(await hotList()).toEqual([popular, older, fresh]);
  for (const [index, score] of (await scores()).entries()) expect(score).toBeCloseTo(wanted[index] ?? 0, 9);
});
