import { trendTypes } from '@mozhan/contract/activity.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../db/id.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { publicTrendTypes } from '../../accounts/activity/index.ts';
import { routes } from './routes.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const kinds = { essay: 0, home: 1 };

async function insertTrend(userId: string, type: number, target: keyof typeof kinds, targetId = newId()) {
  await t.app.services.pool.query(
    'insert into trends (id, user_id, type, target_kind, target_id, created_at) values ($1, $2, $3, $4, $5, now())',
    [newId(), userId, type, kinds[target], targetId],
  );
}

const list = (input: object, token?: string) => t.call('GET core/user/trend', input, { token });
const types = async (input: object, token?: string) =>
  (await list(input, token)).data.list.map((trend) => trend.type);

test('records the registration as the first trend, with verb and home', async () => {
  const { user, token } = await t.register(undefined, { displayName: '林砚' });
  const { data } = await list({}, token);
  expect(data).toMatchObject({ total: 1, page: 1, pageSize: 10, next: null });
  expect(data.list[0]).toMatchObject({
    type: 8,
    verb: '注册了',
    targetKind: 1,
    target: { id: user.id, title: '林砚', user: { id: user.id, displayName: '林砚', curIdentity: 1 } },
  });
});

test('returns all own trends, with or without the id, and 401 to visitors', async () => {
  const { user, token } = await t.register();
  for (let type = 0; type < trendTypes.length; type++) await insertTrend(user.id, type, 'essay');
  const own = await list({ pageSize: 100 }, token);
  expect(own.data.total).toBe(21);
  expect(own.data.list.map((trend) => trend.verb).slice(0, 20)).toEqual(
    trendTypes.map(([verb]) => verb).reverse(),
  );
  expect((await list({ userId: user.id, pageSize: 100 }, token)).data).toEqual(own.data);
  expect(await list({})).toMatchObject({ status: 401, errorCode: 'SIGN_IN_REQUIRED' });
});

test('shows only public types to others, also when filtered by type', async () => {
  const { user, token } = await t.register();
  for (let type = 0; type < trendTypes.length; type++) await insertTrend(user.id, type, 'essay');
  const stranger = await t.register();
  const open = [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 8];
  for (const who of [undefined, stranger.token, await t.signInAdmin()]) {
    const { data } = await list({ userId: user.id, pageSize: 100 }, who);
    expect(data.list.map((trend) => trend.type)).toEqual(open);
    expect(data.total).toBe(open.length);
    expect(await types({ userId: user.id, type: 9 }, who)).toEqual([9]);
    for (const type of [0, 12, 19]) {
      expect((await list({ userId: user.id, type }, who)).data).toMatchObject({ list: [], total: 0 });
    }
  }
  expect(await types({ type: 0 }, token)).toEqual([0]);
});

test('hides the trends of a user who disabled them from everyone else', async () => {
  const { user, token } = await t.register();
  await t.call('PUT core/user/', { privacy: { trend: false } }, { token });
  const stranger = await t.register();
  for (const who of [undefined, stranger.token]) {
    const { success, data } = await list({ userId: user.id }, who);
    expect(success).toBe(true);
    expect(data).toEqual({ list: [], total: 0, page: 1, pageSize: 10, next: null });
  }
  expect(await types({}, token)).toEqual([8]);
  await t.call('PUT core/user/', { privacy: { trend: true } }, { token });
  expect(await types({ userId: user.id })).toEqual([8]);
});

test('returns no target if it is gone or not a user', async () => {
  const { user, token } = await t.register();
  const friend = await t.register(undefined, { displayName: '周野' });
  await insertTrend(user.id, 9, 'home', friend.user.id);
  await insertTrend(user.id, 9, 'home');
  // An essay with the id of a user must not be shown as that user.
  await insertTrend(user.id, 1, 'essay', friend.user.id);
  const { data } = await list({}, token);
  expect(data.list.map((trend) => trend.target?.title ?? null)).toEqual([
    null,
    null,
    '周野',
    user.displayName,
  ]);
});

test('pages by cursor without duplicates or gaps while trends are added', async () => {
  const { user } = await t.register();
  for (let i = 0; i < 6; i++) await insertTrend(user.id, 1, 'essay');
  const first = await list({ userId: user.id, pageSize: 4 });
  await insertTrend(user.id, 2, 'essay');
  const rest = await list({ userId: user.id, pageSize: 4, cursor: first.data.next ?? '' });
  expect(rest.data.next).toBeNull();
  const ids = [...first.data.list, ...rest.data.list].map((trend) => trend.id);
  expect(new Set(ids).size).toBe(7);
  expect((await list({ userId: user.id, pageSize: 4, page: 2 })).data.list).toHaveLength(4);
});

test('returns 404 for an unknown user and 422 for invalid input', async () => {
  expect(await list({ userId: newId() })).toMatchObject({ status: 404, errorCode: 'NOT_FOUND' });
  for (const input of [{ userId: 'x' }, { type: 20 }, { type: -1 }, { page: 0 }, { pageSize: 101 }]) {
    expect((await list(input)).status).toBe(422);
  }
  const { user } = await t.register();
  expect(await list({ userId: user.id, cursor: 'nonsense' })).toMatchObject({ status: 422 });
});

test('records the cache tags of the owner and the targets', async () => {
  const { user } = await t.register();
  const friend = await t.register();
  await insertTrend(user.id, 9, 'home', friend.user.id);
  const pageTags = new Set<string>();
  const binding = routes.find((route) => route.call.path === 'core/user/trend');
  const input = { userId: user.id, page: 1, pageSize: 10 };
  await binding?.run({ ...systemCtx(t.app.services), pageTags }, input as never);
  expect(pageTags).toEqual(new Set([`trend:${user.id}`, `user:${user.id}`, `user:${friend.user.id}`]));
});

test('the partial index covers exactly the public types', () => {
  expect(publicTrendTypes).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
});

test('uses an index for every query', async () => {
  const { pool } = t.app.services;
  const { user } = await t.register();
  const client = await pool.connect();
  const plan = async (where: string) => {
    const { rows } = await client.query(
      `explain select * from trends where user_id = '${user.id}' ${where} order by id desc limit 10`,
    );
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };
  try {
    await client.query('begin');
    await client.query('set local enable_seqscan = off');
    await client.query('set local enable_bitmapscan = off');
    await client.query('set local enable_sort = off');
    expect(await plan('')).toContain('using trends_user ');
    expect(await plan('and type = 0')).toContain('using trends_user_type');
    expect(await plan('and type in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)')).toContain(
      'using trends_user_public',
    );
  } finally {
    await client.query('rollback');
    client.release();
  }
});

test('records a search once a day per keyword, visible to its owner only', async () => {
  const { user, token } = await t.register();
  const search = (input: object, who?: string) => t.call('GET core/essay/', input, { token: who });
  await Promise.all([1, 2, 3].map(() => search({ keyword: ' PostgreSQL 锁 ' }, token)));
  await search({ keyword: 'postgresql 锁' }, token);
  await search({ keyword: '第二页', page: 2 }, token);
  await search({ keyword: '访客' });
  await search({ keyword: '  ' }, token);
  await t.call('GET core/essay/suggest', { keyword: '想' }, { token });
  expect((await list({ type: 19 }, token)).data).toMatchObject({
    total: 1,
    list: [{ verb: '搜索了', target: null, keyword: 'PostgreSQL 锁' }],
  });
  expect((await list({ userId: user.id, type: 19 })).data.total).toBe(0);
  t.advance(25 * 60 * 60_000);
  await search({ keyword: 'PostgreSQL 锁' }, token);
  expect((await list({ type: 19 }, token)).data.total).toBe(2);
});
