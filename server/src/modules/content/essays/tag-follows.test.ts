import { MAX_FOLLOWED_TAGS } from '@mozhan/contract/tag-follows.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemCtx } from '../../../jobs.ts';
import { callAsAdmin } from '../../../testing/admin.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter, publishEssay, type TestUser } from '../../../testing/essays.ts';
import { erase } from './actions/erase.ts';
import { retagEssays } from './actions/tags.ts';

let t: TestApp;
let author: TestUser;
beforeAll(async () => {
  t = await startTestApp();
  author = await createWriter(t);
  await publishEssay(t, author, { tags: ['数据库', '缓存'] });
});
afterAll(() => t.close());

const follow = (tag: unknown, by?: TestUser) =>
  t.call('POST core/essay/tag/follow', { tag } as never, { token: by?.token });
const unfollow = (tag: string, by?: TestUser) =>
  t.call('DELETE core/essay/tag/follow', { tag }, { token: by?.token });
const list = async (by: TestUser, query: object = {}) =>
  (await t.call('GET core/essay/tag/follow', query, { token: by.token })).data;
const names = async (by: TestUser, query: object = {}) =>
  (await list(by, query)).list.map(({ name }) => name);

test('users follow and unfollow tags; repeating changes nothing', async () => {
  const [reader, other] = [await t.register(), await t.register()];
  expect((await follow('数据库', reader)).data).toEqual({ tag: '数据库', followed: true });
  expect((await follow('数据库', reader)).data).toEqual({ tag: '数据库', followed: true });
  t.advance(1000);
  await follow('缓存', reader);
  expect(await list(reader)).toMatchObject({
    list: [
      { name: '缓存', count: 1 },
      { name: '数据库', count: 1, followedAt: expect.any(String) },
    ],
    total: 2,
    next: null,
  });
  expect(await names(other)).toEqual([]);
  const page = await list(reader, { pageSize: 1 });
  expect(await names(reader, { pageSize: 1, cursor: page.next })).toEqual(['数据库']);
  expect(await names(reader, { tag: '数据库' })).toEqual(['数据库']);
  expect(await names(reader, { tag: '没有' })).toEqual([]);
  expect((await unfollow('数据库', reader)).data).toEqual({ tag: '数据库', followed: false });
  expect((await unfollow('数据库', reader)).data.followed).toBe(false);
  expect((await unfollow('没有', reader)).data.followed).toBe(false);
  expect(await names(reader)).toEqual(['缓存']);
});

test('visitors must sign in, and unknown or invalid tags are refused', async () => {
  for (const response of [
    await follow('数据库'),
    await unfollow('数据库'),
    await t.call('GET core/essay/tag/follow'),
  ])
    expect(response.status).toBe(401);
  const reader = await t.register();
  expect(await follow('没有', reader)).toMatchObject({ status: 404, errorMessage: '没有标签「没有」' });
  for (const tag of ['', '长'.repeat(21), 5]) expect((await follow(tag, reader)).status).toBe(422);
  expect(await names(reader)).toEqual([]);
});

test('one user follows a limited number of tags, also with concurrent requests', async () => {
  const reader = await t.register();
  const { pool } = t.app.services;
  const count = MAX_FOLLOWED_TAGS - 1;
  await pool.query(
    `with made as (insert into tags (name, id, essay_count)
       select 'tag-' || n, gen_random_uuid(), 1 from generate_series(1, $2::int) n returning id)
     insert into tag_follows (user_id, tag_id, created_at) select $1, id, now() from made`,
    [reader.user.id, count],
  );
  const responses = await Promise.all(['数据库', '缓存'].map((tag) => follow(tag, reader)));
  expect(responses.map(({ errorCode }) => errorCode ?? 'done').toSorted()).toEqual(['TOO_MANY_TAGS', 'done']);
  expect((await list(reader)).total).toBe(MAX_FOLLOWED_TAGS);
  expect((await follow('tag-1', reader)).data.followed).toBe(true);
  await pool.query("delete from tags where name like 'tag-%'");
});

test('followers keep a tag whose last essay leaves the shelf', async () => {
  const reader = await t.register();
  const id = await publishEssay(t, author, { tags: ['偶尔'] });
  await follow('偶尔', reader);
  const setStatus = (status: number) =>
    t.call('PUT core/essay/status', { id, status } as never, { token: author.token });
  await setStatus(4);
  expect((await list(reader)).list).toMatchObject([{ name: '偶尔', count: 0 }]);
  expect((await t.call('GET core/essay/tag', { keyword: '偶尔' })).data).toEqual([]);
  await setStatus(3);
  expect((await list(reader)).list).toMatchObject([{ name: '偶尔', count: 1 }]);
  await setStatus(4);
  await unfollow('偶尔', reader);
  const { rows } = await t.app.services.pool.query("select 1 from tags where name = '偶尔'");
  expect(rows).toEqual([]);
});

test('followers of a renamed tag follow the new one, those of a removed tag none', async () => {
  const [reader, both] = [await t.register(), await t.register()];
  await publishEssay(t, author, { tags: ['旧名', '新名', '不要'] });
  await follow('旧名', reader);
  for (const tag of ['旧名', '新名', '不要']) await follow(tag, both);
  await callAsAdmin(t, 'PUT core/sys/tag/', { name: '旧名', to: '新名' });
  expect(await names(reader)).toEqual(['新名']);
  await callAsAdmin(t, 'DELETE core/sys/tag/', { name: '不要' });
  await retagEssays(systemCtx(t.app.services));
  expect(await names(both)).toEqual(['新名']);
  expect((await follow('旧名', reader)).data).toEqual({ tag: '新名', followed: true });
  expect(await names(reader, { tag: '旧名' })).toEqual(['新名']);
  expect((await unfollow('旧名', reader)).data).toEqual({ tag: '新名', followed: false });
});

test('a closed account follows no tags', async () => {
  const reader = await t.register();
  await follow('数据库', reader);
  await erase(systemCtx(t.app.services), { id: reader.user.id } as never);
  const { rows } = await t.app.services.pool.query('select 1 from tag_follows where user_id = $1', [
    reader.user.id,
  ]);
  expect(rows).toEqual([]);
});
