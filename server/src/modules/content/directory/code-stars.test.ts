import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../db/id.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter, publishEssay, type TestUser } from '../../../testing/essays.ts';
import { createStaff, createStaffWithRole, type StaffUser } from '../../../testing/staff.ts';
import { recordReward, removeReward } from '../../payments/orders/index.ts';
import { rankStars } from './actions/code-stars.ts';

let t: TestApp;
let editor: StaffUser;
beforeAll(async () => {
  t = await startTestApp();
  editor = await createStaff(t, ['star:update']);
});
afterAll(() => t.close());

const stars = (input: object = {}) => t.call('GET core/code/star/', input);
const rank = () => rankStars(systemCtx(t.app.services));
const pick = (input: object, token: string | undefined = editor.token) =>
  t.call('PUT core/code/star/', input, { token });
const ranked = async (range: string) =>
  (await stars({ range })).data.list.map(({ rank, user, score }) => [rank, user.displayName, score]);

/** Sets the counters of a past day and of all time. */
async function read(
  essayId: string,
  daysAgo: number,
  figures: { reads?: number; likes?: number; collects?: number },
) {
  const { reads = 0, likes = 0, collects = 0 } = figures;
  const { pool } = t.app.services;
  const day = new Date(Date.now() + (8 - 24 * daysAgo) * 3_600_000).toISOString().slice(0, 10);
  await pool.query(
    `insert into essay_days (essay_id, day, reads, likes, collects) values ($1, $2, $3, $4, $5)
      on conflict (essay_id, day) do update set reads = excluded.reads, likes = excluded.likes, collects = excluded.collects`,
    [essayId, day, reads, likes, collects],
  );
  await pool.query(
    'update essays set read_count = read_count + $2, like_count = like_count + $3, collect_count = collect_count + $4 where id = $1',
    [essayId, reads, likes, collects],
  );
}

let one: TestUser;
let two: TestUser;
let essayOfOne: string;
test('returns an empty ranking before any read', async () => {
  const { data } = await stars();
  expect(data).toMatchObject({ range: 'week', list: [], picks: [], updatedAt: expect.any(String) });
});

test('ranks writers by interactions of seven days, thirty days and all time', async () => {
  one = await createWriter(t, '老一');
  two = await createWriter(t, '老二');
  const three = await createWriter(t, '老三');
  const [a, b, c] = [await publishEssay(t, one), await publishEssay(t, two), await publishEssay(t, three)];
  essayOfOne = a;
  await read(a, 0, { reads: 5, likes: 2, collects: 1 });
  await read(b, 6, { reads: 45 });
  await read(b, 7, { reads: 100 });
  await read(c, 40, { reads: 1000 });
  await rank();
  expect(await ranked('week')).toEqual([
    [1, '老一', 45],
    [2, '老二', 45],
  ]);
  expect(await ranked('month')).toEqual([
    [1, '老二', 145],
    [2, '老一', 45],
  ]);
  expect(await ranked('all')).toEqual([
    [1, '老三', 1000],
    [2, '老二', 145],
    [3, '老一', 45],
  ]);
  expect((await stars({ range: 'all', limit: 1 })).data.list).toHaveLength(1);
  expect((await stars({ range: 'week' })).data.list[0]).toMatchObject({
    reads: 5,
    likes: 2,
    collects: 1,
    rewards: 0,
  });

  await t.app.services.pool.query('update accounts set enabled = false where user_id = $1', [three.user.id]);
  expect(await ranked('all')).toEqual([
    [1, '老二', 145],
    [2, '老一', 45],
  ]);
  const admin = await t.signInAdmin();
  await t.call('PUT core/essay/status', { id: b, status: 4, reason: '等待修正' }, { token: admin });
  expect(await ranked('all')).toEqual([[1, '老一', 45]]);
  await rank();
  expect(await ranked('all')).toEqual([[1, '老一', 45]]);
});

test('supports concurrent computations', async () => {
  await Promise.all([rank(), rank(), rank()]);
  expect(await ranked('all')).toEqual([[1, '老一', 45]]);
});

test('counts a reward unless it is refunded', async () => {
  const ctx = systemCtx(t.app.services);
  const [orderId, reader] = [newId(), await t.register()];
  await recordReward(ctx, { orderId, userId: reader.user.id, essayId: essayOfOne, amount: 200, message: '' });
  await rank();
  expect((await stars({ range: 'week' })).data.list[0]).toMatchObject({ rewards: 1, score: 45 + 50 });
  expect((await stars({ range: 'all' })).data.list[0]).toMatchObject({ rewards: 1, score: 45 + 50 });
  await removeReward(ctx, orderId);
  await rank();
  expect(await ranked('all')).toEqual([[1, '老一', 45]]);
});

test('rejects invalid queries', async () => {
  expect((await stars({ range: 'year' })).status).toBe(422);
  expect((await stars({ limit: 101 })).status).toBe(422);
});

test('lets staff pick writers with a note, sort them and remove the pick', async () => {
  await pick({ userId: one.user.id, picked: 1, note: '写得清楚' });
  await pick({ userId: two.user.id, picked: 1 });
  expect((await stars()).data.picks).toMatchObject([
    { user: { displayName: '老一' }, note: '写得清楚', sort: 10 },
    { user: { displayName: '老二' }, note: '', sort: 20 },
  ]);
  await pick({ userId: two.user.id, picked: 1, sort: 1 });
  expect((await stars()).data.picks.map((each) => each.user.displayName)).toEqual(['老二', '老一']);
  await pick({ userId: two.user.id, picked: 0 });
  expect((await pick({ userId: two.user.id, picked: 0 })).success).toBe(true);
  expect((await stars()).data.picks.map((each) => each.note)).toEqual(['写得清楚']);
});

test('only staff with the permission can pick, and only writers', async () => {
  const reader = await t.register();
  expect(await pick({ userId: reader.user.id, picked: 1 })).toMatchObject({
    status: 422,
    fields: { userId: '只能推荐作者' },
  });
  expect((await pick({ userId: 'f'.repeat(32), picked: 1 })).status).toBe(422);
  expect((await t.call('PUT core/code/star/', { userId: one.user.id, picked: 0 })).status).toBe(401);
  const stranger = await createStaff(t, ['user:update']);
  for (const { token } of [reader, one, stranger])
    expect((await pick({ userId: one.user.id, picked: 0 }, token)).status).toBe(403);
  expect(
    (await pick({ userId: one.user.id, picked: 1 }, (await createStaffWithRole(t, 'operator')).token))
      .success,
  ).toBe(true);
});

test('limits picks to twenty, also under concurrency', async () => {
  const writers = await Promise.all(Array.from({ length: 20 }, () => createWriter(t)));
  for (const { user } of writers.slice(0, 18)) await pick({ userId: user.id, picked: 1 });
  const last = await Promise.all(writers.slice(18).map(({ user }) => pick({ userId: user.id, picked: 1 })));
  expect(last.map((each) => each.errorCode).sort()).toEqual(['TOO_MANY_PICKS', undefined]);
  expect((await stars()).data.picks).toHaveLength(20);
  expect((await pick({ userId: one.user.id, picked: 1, note: '仍在其中' })).success).toBe(true);
});
