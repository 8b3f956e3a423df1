import { afterAll, beforeAll, expect, test } from 'vitest';
import { readMigrations } from '../../../db/migrate.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter, publishEssay } from '../../../testing/essays.ts';
import { createStaff } from '../../../testing/staff.ts';
import { addToEssayCounters } from './index.ts';
import { jobs } from './jobs.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

let t: TestApp;
let older: string;
let popular: string;
let fresh: string;
const names = new Map<string, string>();

const readBy = (essayId: string, reads: number) =>
  addToEssayCounters(systemCtx(t.app.services), [{ essayId, reads }]);
const hotList = async () => {
  // Counters do not invalidate cached lists.
  t.app.services.pages.invalidate(['essays']);
  return (await t.call('GET core/essay/', { feed: 'hot' })).data.list.map(({ id }) => names.get(id));
};
const rank = (payload: object = {}) => jobs['rank-essays']?.(systemCtx(t.app.services), payload);
const scores = async () =>
  (await t.query<{ hot_score: number }>('select hot_score from essays order by id')).map(
    (row) => row.hot_score,
  );

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
  names.set(older, 'older').set(popular, 'popular').set(fresh, 'fresh');
});
afterAll(() => t.close());

test('ranks an essay 16 minutes old with 2 reads below those one and three days old with 1,900', async () => {
  expect(await hotList()).toEqual(['popular', 'older', 'fresh']);
});

test('an essay comes before the others as soon as it reaches the floor, and continues with a cursor', async () => {
  await readBy(fresh, 17);
  expect((await hotList()).at(-1)).toBe('fresh');
  await readBy(fresh, 1);
  const [{ hot_score: score }] = (await t.query('select hot_score from essays where id = $1', [fresh])) as [
    { hot_score: number },
  ];
  expect(score).toBeGreaterThan(0);
  await readBy(fresh, -18);
  expect((await hotList()).at(-1)).toBe('fresh');
  const list: (string | undefined)[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { data } = await t.call('GET core/essay/', {
      feed: 'hot',
      pageSize: 1,
      ...(cursor !== undefined && { cursor }),
    });
    list.push(...data.list.map(({ id }) => names.get(id)));
    cursor = data.next;
  }
  expect(list).toEqual(['popular', 'older', 'fresh']);
});

test('the migration and the job compute the same scores as the actions', async () => {
  await rank();
  const expected = await scores();
  await t.query('update essays set hot_score = 0, recent_engagement = 0');
  await rank();
  // Of the last days only those with readers are recent.
  expect(await scores()).not.toEqual(expected);
  await rank({ all: true });
  for (const [index, score] of (await scores()).entries()) expect(score).toBeCloseTo(expected[index] ?? 0, 9);

  const content = (await readMigrations()).find(({ name }) => name.startsWith('0066_'))?.content ?? '';
  const updates = content.slice(content.indexOf('update essays set hot_score'), content.indexOf('-- With'));
  await t.query('update essays set hot_score = 0');
  await t.query(updates);
  for (const [index, score] of (await scores()).entries()) expect(score).toBeCloseTo(expected[index] ?? 0, 9);
});

test('readers of the last days weigh more, until the job of a later day', async () => {
  await readBy(older, 6000);
  expect((await hotList())[0]).toBe('older');
  const recent = async () =>
    (await t.query<{ recent: number }>('select recent_engagement as recent from essays order by id')).map(
      (row) => row.recent,
    );
  expect(await recent()).toEqual([expect.any(Number), 1900, 2]);
  t.advance(2 * DAY_MS);
  await rank();
  expect((await recent())[0]).toBe(6000);
  t.advance(2 * DAY_MS);
  await rank();
  expect(await recent()).toEqual([0, 0, 0]);
  const [before] = await scores();
  await readBy(popular, 800);
  expect((await hotList())[0]).toBe('popular');
  expect((await scores())[0]).toBe(before);
});

test('interactions of the past are not recent', async () => {
  const ctx = systemCtx(t.app.services);
  const past = { ...ctx, now: new Date(ctx.now.getTime() - 5 * DAY_MS) };
  const recent = () => t.query('select recent_engagement from essays where id = $1', [older]);
  const before = await recent();
  await addToEssayCounters(past, [{ essayId: older, reads: 5 }]);
  expect(await recent()).toEqual(before);
});

test('operators change the days and the floor, and a job applies them to all essays', async () => {
  const { token } = await createStaff(t, ['setting:list', 'setting:update']);
  const set = (settings: object) => t.call('PUT core/sys/setting/', settings, { token });
  const queued = () =>
    t.query<{ payload: object }>(
      "select payload from graphile_worker._private_jobs where key = 'rank-all-essays'",
    );
  expect((await set({ tagline: '新的一句' })).status).toBe(200);
  expect(await queued()).toEqual([]);
  const { data } = await set({ hotDays: 1, hotFloor: 0 });
  expect(data).toMatchObject({ hotDays: 1, hotFloor: 0 });
  expect(await queued()).toEqual([{ payload: { all: true } }]);
  await rank({ all: true });
  expect((await scores()).every((score) => score > 0)).toBe(true);
  await set({ hotFloor: 1_000_000 });
  await rank({ all: true });
  expect((await scores()).every((score) => score < 0)).toBe(true);
  for (const wrong of [
    { hotDays: 0 },
    { hotDays: 366 },
    { hotDays: 1.5 },
    { hotFloor: -1 },
    { hotFloor: '9' },
  ])
    expect((await set(wrong)).status).toBe(422);
  expect((await t.call('PUT core/sys/setting/', { hotDays: 3 })).status).toBe(401);
  const reader = await t.register();
  expect((await t.call('PUT core/sys/setting/', { hotDays: 3 }, { token: reader.token })).status).toBe(403);
});
