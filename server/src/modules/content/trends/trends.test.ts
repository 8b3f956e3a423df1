import { trendTypes } from '@mozhan/contract/activity.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../db/id.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { publicTypes } from '../../accounts/activity/index.ts';
import { routes } from './routes.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const kinds = { essay: 0, home: 1 };

/** As the features that come later will write them. */
async function did(userId: string, type: number, target: keyof typeof kinds, targetId = newId()) {
  await t.app.services.pool.query(
    'insert into trends (id, user_id, type, target_kind, target_id, created_at) values ($1, $2, $3, $4, $5, now())',
    [newId(), userId, type, kinds[target], targetId],
  );
}

const list = (input: object, token?: string) => t.call('GET core/user/trend', input, { token });
const types = async (input: object, token?: string) =>
  (await list(input, token)).data.list.map((trend) => trend.type);

test('registering is the first thing one did, told with the verb and one’s own home', async () => {
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

test('one’s own are all there, whether asked for by id or not; a visitor has none', async () => {
  const { user, token } = await t.register();
  for (let type = 0; type < trendTypes.length; type++) await did(user.id, type, 'essay');
  const own = await list({ pageSize: 100 }, token);
  expect(own.data.total).toBe(21);
  expect(own.data.list.map((trend) => trend.verb).slice(0, 20)).toEqual(
    trendTypes.map(([verb]) => verb).reverse(),
  );
  expect((await list({ userId: user.id, pageSize: 100 }, token)).data).toEqual(own.data);
  expect(await list({})).toMatchObject({ status: 401, errorCode: 'SIGN_IN_REQUIRED' });
});

test('others see the public ones and no more, also by type', async () => {
  const { user, token } = await t.register();
  for (let type = 0; type < trendTypes.length; type++) await did(user.id, type, 'essay');
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

test('whoever hides them hides them from everyone else', async () => {
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

test('a target that is no home, or is gone, is none', async () => {
  const { user, token } = await t.register();
  const friend = await t.register(undefined, { displayName: '周野' });
  await did(user.id, 9, 'home', friend.user.id);
  await did(user.id, 9, 'home');
  // An essay whose id happens to be a user's is still no user.
  await did(user.id, 1, 'essay', friend.user.id);
  const { data } = await list({}, token);
  expect(data.list.map((trend) => trend.target?.title ?? null)).toEqual([
    null,
    null,
    '周野',
    user.displayName,
  ]);
});

test('going on by cursor meets every one once, also while new ones arrive', async () => {
  const { user } = await t.register();
  for (let i = 0; i < 6; i++) await did(user.id, 1, 'essay');
  const first = await list({ userId: user.id, pageSize: 4 });
  await did(user.id, 2, 'essay');
  const rest = await list({ userId: user.id, pageSize: 4, cursor: first.data.next ?? '' });
  expect(rest.data.next).toBeNull();
  const ids = [...first.data.list, ...rest.data.list].map((trend) => trend.id);
  expect(new Set(ids).size).toBe(7);
  expect((await list({ userId: user.id, pageSize: 4, page: 2 })).data.list).toHaveLength(4);
});

test('nobody’s are 404, nonsense is 422', async () => {
  expect(await list({ userId: newId() })).toMatchObject({ status: 404, errorCode: 'NOT_FOUND' });
  for (const input of [{ userId: 'x' }, { type: 20 }, { type: -1 }, { page: 0 }, { pageSize: 101 }]) {
    expect((await list(input)).status).toBe(422);
  }
  const { user } = await t.register();
  expect(await list({ userId: user.id, cursor: 'nonsense' })).toMatchObject({ status: 422 });
});

test('a page that shows them notes whose they are and whom they are about', async () => {
  const { user } = await t.register();
  const friend = await t.register();
  await did(user.id, 9, 'home', friend.user.id);
  const shown = new Set<string>();
  const binding = routes.find((route) => route.call.path === 'core/user/trend');
  const input = { userId: user.id, page: 1, pageSize: 10 };
  await binding?.run({ ...systemCtx(t.app.services), shown }, input as never);
  expect(shown).toEqual(new Set([`trend:${user.id}`, `user:${user.id}`, `user:${friend.user.id}`]));
});

test('the types that the index of the public ones is made for are the public ones', () => {
  expect(publicTypes).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
});

test('each way to ask is answered from an index', async () => {
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

test('what one searches for is one’s own to see, once a day for the same words', async () => {
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
