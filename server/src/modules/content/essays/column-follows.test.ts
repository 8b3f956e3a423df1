import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../../ctx.ts';
import { newId } from '../../../db/id.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter, publishEssay, type TestUser } from '../../../testing/essays.ts';
import { notifyFollowers, purgeColumnFollows } from './actions/column-follows.ts';

let t: TestApp;
let author: TestUser;
beforeAll(async () => {
  t = await startTestApp({ runsJobs: true });
  author = await createWriter(t, '林砚');
});
afterAll(() => t.close());

const createColumn = async (name = '睡得着觉的后端', by = author): Promise<string> =>
  (await t.call('POST core/essay/column', { name }, { token: by.token })).data.id;
const follow = (columnId: string, by?: TestUser) =>
  t.call('POST core/essay/column/follow', { columnId }, { token: by?.token });
const unfollow = (columnId: string, by?: TestUser) =>
  t.call('DELETE core/essay/column/follow', { columnId }, { token: by?.token });
const detailOf = async (id: string, by?: TestUser) =>
  (await t.call('GET core/essay/column/{id}', { id }, { token: by?.token })).data;
const noticesOf = async (by: TestUser) =>
  (await t.call('GET core/user/notice', { kind: 'column' }, { token: by.token })).data;
/** Publishing adds this job too, and a runner may take it at any time. */
const runJob = (essayId: string) => notifyFollowers(systemCtx(t.app.services), essayId);

test('users follow and unfollow a column; repeating changes nothing', async () => {
  const columnId = await createColumn();
  const reader = await t.register();
  for (const call of [follow, unfollow]) expect((await call(columnId)).status).toBe(401);
  expect((await follow(columnId, reader)).data).toEqual({ followed: true, followerCount: 1 });
  expect((await follow(columnId, reader)).data).toEqual({ followed: true, followerCount: 1 });
  expect((await detailOf(columnId, reader)).mine.followed).toBe(true);
  expect(await detailOf(columnId)).toMatchObject({ followerCount: 1, mine: { followed: false } });
  expect((await unfollow(columnId, reader)).data).toEqual({ followed: false, followerCount: 0 });
  expect((await unfollow(columnId, reader)).data).toEqual({ followed: false, followerCount: 0 });
  expect((await detailOf(columnId, reader)).mine.followed).toBe(false);
});

test('refuses own columns, unknown columns and authors who are blocked or have blocked the reader', async () => {
  const columnId = await createColumn();
  const [reader, blocked] = [await t.register(), await t.register()];
  expect((await follow(columnId, author)).errorCode).toBe('FOLLOW_SELF');
  expect((await follow(newId(), reader)).status).toBe(404);
  expect((await follow('x', reader)).status).toBe(422);
  await t.call('POST core/user/block', { userId: author.user.id }, { token: reader.token });
  await t.call('POST core/user/block', { userId: blocked.user.id }, { token: author.token });
  for (const by of [reader, blocked]) expect((await follow(columnId, by)).errorCode).toBe('BLOCKED');
  expect((await detailOf(columnId)).followerCount).toBe(0);
});

test('concurrent follows of several users and of one user are counted once each', async () => {
  const columnId = await createColumn();
  const readers = await Promise.all(Array.from({ length: 5 }, () => t.register()));
  await Promise.all([...readers, ...readers].map((reader) => follow(columnId, reader)));
  expect((await detailOf(columnId)).followerCount).toBe(5);
});

test('lists the followed columns of the user, last followed first', async () => {
  const reader = await t.register();
  const ids = [];
  for (const name of ['甲', '乙', '丙']) {
    const id = await createColumn(name);
    t.advance(1000);
    await follow(id, reader);
    ids.unshift(id);
  }
  const list = (query: object = {}, token: string | undefined = reader.token) =>
    t.call('GET core/essay/column/follow', query, { token });
  expect((await list({}, '')).status).toBe(401);
  const { data: first } = await list({ pageSize: 2 });
  expect(first).toMatchObject({ total: 3, list: [{ name: '丙', followerCount: 1 }, { name: '乙' }] });
  const { data: second } = await list({ pageSize: 2, cursor: first.next });
  expect([...first.list, ...second.list].map(({ id }) => id)).toEqual(ids);
  expect((await list({}, (await t.register()).token)).data.list).toEqual([]);
});

test('followers get one notice about a new essay, however often it is shelved or the job runs', async () => {
  const columnId = await createColumn('半夜的告警');
  const [reader, other] = [await t.register(), await t.register()];
  await follow(columnId, reader);
  const id = await publishEssay(t, author, { columnId, title: '把闹钟拆掉' });
  await expect.poll(async () => (await noticesOf(reader)).total).toBe(1);
  await Promise.all([runJob(id), runJob(id)]);
  await runJob(id);
  const { list, total } = await noticesOf(reader);
  expect(total).toBe(1);
  expect(list[0]).toMatchObject({
    kind: 'column',
    text: '林砚 在专栏「半夜的告警」发布了新文章《把闹钟拆掉》',
    target: { title: '把闹钟拆掉', url: `/essay/detail/${id}.html` },
  });
  expect((await noticesOf(other)).total).toBe(0);
  t.advance(1000);
  await follow(columnId, other);
  await runJob(id);
  expect((await noticesOf(other)).total).toBe(0);
  await t.call('PUT core/essay/status', { id, status: 4 }, { token: author.token });
  await t.call('PUT core/essay/status', { id, status: 3 }, { token: author.token });
  await runJob(id);
  expect((await noticesOf(reader)).total).toBe(1);
});

test('sends no notice to users who switched it off, left, or were blocked, nor about essays that left the shelf', async () => {
  const columnId = await createColumn();
  const [silent, left, blocked, wanting] = await Promise.all([1, 2, 3, 4].map(() => t.register()));
  if (!silent || !left || !blocked || !wanting) throw new Error('unreachable');
  for (const by of [silent, left, blocked, wanting]) await follow(columnId, by);
  await t.call('PUT core/user/', { notify: { column: false } }, { token: silent.token });
  await unfollow(columnId, left);
  await t.call('POST core/user/block', { userId: blocked.user.id }, { token: author.token });
  const id = await publishEssay(t, author, { columnId });
  await runJob(id);
  for (const [by, total] of [
    [silent, 0],
    [left, 0],
    [blocked, 0],
    [wanting, 1],
  ] as const)
    expect((await noticesOf(by)).total).toBe(total);
  const gone = await publishEssay(t, author);
  await t.call('PUT core/essay/status', { id: gone, status: 4 }, { token: author.token });
  await t.app.services.pool.query('update essays set column_id = $2 where id = $1', [gone, columnId]);
  await runJob(gone);
  expect((await noticesOf(wanting)).total).toBe(1);
});

test('notifies more followers than one batch has', async () => {
  const columnId = await createColumn();
  const { pool } = t.app.services;
  await pool.query(
    `with made as (
       insert into users (id, display_name, invite_code, created_at, updated_at)
       select gen_random_uuid(), 'x', 'many' || n, now(), now() from generate_series(1, 1203) as n returning id
     ), followed as (
       insert into column_follows (user_id, column_id, created_at) select id, $1, now() from made
     )
     update columns set follower_count = 1203 where id = $1`,
    [columnId],
  );
  const id = await publishEssay(t, author, { columnId });
  await runJob(id);
  await runJob(id);
  const { rows } = await pool.query(
    `select count(*)::int as count, count(distinct user_id)::int as users from notices where target_id = $1 and kind = 'column'`,
    [id],
  );
  expect(rows).toEqual([{ count: 1203, users: 1203 }]);
});

test('follows end with the column, and with the account of the follower', async () => {
  const [kept, removed] = [await createColumn(), await createColumn()];
  const [reader, other] = [await t.register(), await t.register()];
  for (const id of [kept, removed]) for (const by of [reader, other]) await follow(id, by);
  await inTransaction(systemCtx(t.app.services), (ctx) => purgeColumnFollows(ctx, [reader.user.id]));
  expect((await detailOf(kept)).followerCount).toBe(1);
  await t.call('DELETE core/essay/column', { id: removed }, { token: author.token });
  const { data } = await t.call('GET core/essay/column/follow', {}, { token: other.token });
  expect(data.list.map(({ id }) => id)).toEqual([kept]);
});
