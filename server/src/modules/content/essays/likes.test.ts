import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../../ctx.ts';
import { newId } from '../../../db/id.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter, publishEssay, submitEssay, type TestUser } from '../../../testing/essays.ts';
import { removeUsers } from '../../accounts/users/index.ts';
import { setEssayLiked, writeLikes } from './actions/likes.ts';
import { purgeLikes } from './index.ts';
import { lastRequests } from './rules/likes.ts';

let t: TestApp;
let writer: TestUser;
let readers: TestUser[];
beforeAll(async () => {
  t = await startTestApp();
  writer = await createWriter(t, '林砚');
  readers = await Promise.all(
    Array.from({ length: 12 }, (_, i) => t.register(undefined, { displayName: `读者${i}` })),
  );
});
afterAll(() => t.close());

const reader = (at: number): TestUser => readers[at] as TestUser;
const like = (essayId: string, token?: string, on = t) =>
  on.call('POST core/essay/like', { essayId }, { token });
const unlike = (essayId: string, token?: string, on = t) =>
  on.call('DELETE core/essay/like', { essayId }, { token });
const likers = async (essayId: string, token?: string, more: object = {}) =>
  (await t.call('GET core/essay/like', { essayId, ...more }, { token })).data;
const liked = async (userId: string, token?: string, more: object = {}) =>
  (await t.call('GET core/user/profile/like', { userId, ...more }, { token })).data;
const likeNotices = async (token: string) =>
  (await t.call('GET core/user/notice', { kind: 'like' }, { token })).data.list;
const trends = async (userId: string) => (await t.call('GET core/user/trend', { userId, type: 1 })).data.list;

async function expectCorrectCounters(): Promise<void> {
  const { rows } = await t.app.services.pool.query(`
    select 'essay' as what, id from essays
    where like_count <> (select count(*) from essay_likes where essay_id = essays.id)
      or like_count <> (select coalesce(sum(likes), 0) from essay_days where essay_id = essays.id)
    union all
    select 'user', id from users where like_count <> (
      select count(*) from essay_likes join essays on essays.id = essay_id where author_id = users.id)
    union all
    select 'trend', user_id from essay_likes where 1 <> (
      select count(*) from trends where type = 1 and user_id = essay_likes.user_id and target_id = essay_id)
    union all
    select 'no like', user_id from trends where type = 1 and not exists (
      select 1 from essay_likes where user_id = trends.user_id and essay_id = target_id)`);
  expect(rows).toEqual([]);
}

test('liking and unliking are idempotent', async () => {
  const essayId = await publishEssay(t, writer);
  const { token } = reader(0);
  const mine = async (token?: string) =>
    (await t.call('GET core/essay/{id}', { id: essayId }, { token })).data.mine.liked;
  expect((await like(essayId, token)).data).toEqual({ liked: true, likeCount: 1 });
  expect((await like(essayId, token)).data).toEqual({ liked: true, likeCount: 1 });
  expect([await mine(token), await mine(reader(1).token), await mine()]).toEqual([true, false, false]);
  expect((await t.call('GET core/user/public', { id: writer.user.id })).data.counters.likes).toBe(1);
  expect((await unlike(essayId, token)).data).toEqual({ liked: false, likeCount: 0 });
  expect((await unlike(essayId, token)).data).toEqual({ liked: false, likeCount: 0 });
  expect(await mine(token)).toBe(false);
  await expectCorrectCounters();
});

test('groups likes in one notice, and removes notice and trend on unlike', async () => {
  const author = await createWriter(t);
  const essayId = await publishEssay(t, author, { title: '慢慢写' });
  await like(essayId, author.token);
  expect(await likeNotices(author.token)).toEqual([]);
  for (const each of readers.slice(0, 3)) await like(essayId, each.token);
  const [notice, ...others] = await likeNotices(author.token);
  expect(others).toEqual([]);
  expect(notice).toMatchObject({
    count: 3,
    verb: '赞了你的文章',
    target: { title: '慢慢写', url: `/essay/detail/${essayId}.html` },
  });
  expect((await trends(reader(0).user.id))[0]).toMatchObject({
    verb: '点赞了',
    target: { id: essayId, title: '慢慢写' },
  });
  for (const each of readers.slice(0, 3)) await unlike(essayId, each.token);
  expect(await likeNotices(author.token)).toEqual([]);
  expect(await trends(reader(0).user.id)).toEqual([]);
  expect((await likers(essayId)).list.map(({ id }) => id)).toEqual([author.user.id]);
  await expectCorrectCounters();
});

test('rejects visitors and essays that are missing or not on the shelf', async () => {
  const { token } = reader(0);
  const draft = await submitEssay(t, writer);
  const off = await publishEssay(t, writer);
  const gone = await publishEssay(t, writer);
  await like(off, token);
  await t.call('PUT core/essay/status', { id: off, status: 4 }, { token: writer.token });
  await t.call('DELETE core/essay/{id}', { id: gone }, { token: writer.token });
  for (const call of [like, unlike]) {
    expect((await call(off)).status).toBe(401);
    expect((await call('x', token)).status).toBe(422);
    expect((await call(newId(), token)).status).toBe(404);
    expect((await call(draft, token)).status).toBe(404);
    expect((await call(draft, writer.token)).status).toBe(404);
    expect((await call(gone, token)).status).toBe(410);
  }
  expect((await like(off, token)).status).toBe(404);
  expect((await like(off, writer.token)).status).toBe(404);
  expect((await liked(reader(0).user.id)).list).toEqual([]);
  expect((await liked(reader(0).user.id)).total).toBe(0);
  expect((await t.call('GET core/essay/like', { essayId: off })).status).toBe(404);
  expect((await likers(off, writer.token)).total).toBe(1);
  expect((await unlike(off, token)).data).toEqual({ liked: false, likeCount: 0 });
  expect((await t.call('GET core/essay/like', { essayId: draft })).status).toBe(404);
  expect((await t.call('GET core/essay/like', { essayId: gone })).status).toBe(410);
  expect((await t.call('GET core/essay/like', { essayId: newId() })).status).toBe(404);
  expect((await t.call('GET core/user/profile/like')).status).toBe(401);
  expect((await t.call('GET core/user/profile/like', { userId: newId() })).status).toBe(404);
  await expectCorrectCounters();
});

test('writes concurrent likes in batches, and a deleted essay fails only its own requests', async () => {
  const [one, two] = [await publishEssay(t, writer), await publishEssay(t, writer)];
  const gone = await publishEssay(t, writer);
  await t.call('DELETE core/essay/{id}', { id: gone }, { token: writer.token });
  const responses = await Promise.all(
    readers.flatMap(({ token }) => [
      like(one, token),
      like(gone, token),
      like(two, token),
      unlike(one, token),
    ]),
  );
  const statuses = Map.groupBy(responses, ({ status }) => status);
  expect(statuses.get(200)).toHaveLength(3 * readers.length);
  expect(statuses.get(410)).toHaveLength(readers.length);
  expect((await likers(two)).total).toBe(readers.length);
  const { rows } = await t.app.services.pool.query(
    'select count(distinct xmin::text)::int as transactions from essay_likes where essay_id = $1',
    [two],
  );
  expect(rows[0].transactions).toBeLessThan(readers.length);
  await expectCorrectCounters();
});

test('keeps the last request per user and essay', () => {
  const request = (userId: string, liked: boolean, essayId = 'e') => ({ userId, essayId, liked });
  expect(
    lastRequests([
      request('a', true),
      request('b', true),
      request('a', false),
      request('b', false),
      request('b', true),
    ]),
  ).toEqual([request('a', false), request('b', true)]);
  expect(lastRequests([request('a', true), request('a', false, 'f')])).toHaveLength(2);
});

test('executes a request id once, without waiting for a batch', async () => {
  const essayId = await publishEssay(t, writer);
  const { token } = reader(0);
  const call = (method: 'POST' | 'DELETE', requestId: string) =>
    t.call(`${method} core/essay/like`, { essayId, requestId }, { token });
  expect((await call('POST', 'l1')).data).toEqual({ liked: true, likeCount: 1 });
  expect((await call('DELETE', 'l2')).data).toEqual({ liked: false, likeCount: 0 });
  expect((await call('POST', 'l1')).data).toEqual({ liked: true, likeCount: 1 });
  expect((await likers(essayId)).total).toBe(0);
  const both = await Promise.all([call('POST', 'l3'), like(essayId, reader(1).token), call('POST', 'l3')]);
  expect(both.every(({ success }) => success)).toBe(true);
  expect((await likers(essayId)).total).toBe(2);
  await expectCorrectCounters();
});

test('counts concurrent likes of two processes exactly', async () => {
  const secondApp = await startTestApp({ sameDatabaseAs: t });
  const authors = [writer, await createWriter(t)];
  const essays = await Promise.all([0, 1, 2, 3].map((i) => publishEssay(t, authors[i % 2] as TestUser)));
  const responses = await Promise.all(
    Array.from({ length: 240 }, (_, i) => {
      const [essayId = '', { token }, on] = [
        essays[(i * 7) % 4],
        reader((i * 5) % 12),
        i % 3 === 0 ? secondApp : t,
      ];
      return (i * 11) % 5 < 3 ? like(essayId, token, on) : unlike(essayId, token, on);
    }),
  );
  expect(responses.filter(({ success }) => !success)).toEqual([]);
  await expectCorrectCounters();
  await Promise.all(
    readers.flatMap(({ token }) =>
      essays.flatMap((essayId) => [t, secondApp].map((on) => like(essayId, token, on))),
    ),
  );
  for (const essayId of essays) expect((await likers(essayId)).total).toBe(readers.length);
  await expectCorrectCounters();
  await secondApp.close();
});

test('pages through likers and liked essays by cursor, newest first', async () => {
  const person = await t.register();
  const essays = [];
  for (let i = 0; i < 3; i++) essays.unshift(await publishEssay(t, writer));
  for (const essayId of essays.toReversed()) await like(essayId, person.token);
  const first = await liked(person.user.id, undefined, { pageSize: 2 });
  expect(first).toMatchObject({ total: 3, list: [{ id: essays[0] }, { id: essays[1] }] });
  const rest = await liked(person.user.id, undefined, { pageSize: 2, cursor: first.next });
  expect(rest).toMatchObject({ next: null, list: [{ id: essays[2] }] });
  for (const { token } of readers.slice(0, 3)) await like(essays[0] ?? '', token);
  const names = (await likers(essays[0] ?? '', undefined, { pageSize: 2 })) as { next: string };
  expect(names).toMatchObject({ total: 4, list: [{ displayName: '读者2' }, { displayName: '读者1' }] });
  expect(await likers(essays[0] ?? '', undefined, { pageSize: 2, cursor: names.next })).toMatchObject({
    next: null,
    list: [{ displayName: '读者0' }, { id: person.user.id }],
  });
  expect((await t.call('GET core/essay/like', { essayId: essays[0], cursor: 'nonsense' })).status).toBe(422);
});

test('omits users who hide their likes, and users whom the viewer has blocked', async () => {
  const author = await createWriter(t);
  const essayId = await publishEssay(t, author);
  const [hidden, blocked] = [await t.register(), await t.register()];
  await t.call('PUT core/user/', { privacy: { like: false } }, { token: hidden.token });
  await t.call('POST core/user/block', { userId: blocked.user.id }, { token: reader(0).token });
  for (const { token } of [hidden, blocked]) await like(essayId, token);
  expect((await likers(essayId)).list.map(({ id }) => id)).toEqual([blocked.user.id]);
  expect(await likers(essayId, author.token)).toMatchObject({ total: 1, list: [{ id: blocked.user.id }] });
  expect(await likers(essayId, reader(0).token)).toMatchObject({ total: 0, list: [] });
  expect(await liked(hidden.user.id)).toMatchObject({ total: 0, list: [] });
  expect(await liked(hidden.user.id, author.token)).toMatchObject({ total: 0, list: [] });
  expect(await liked(hidden.user.id, hidden.token)).toMatchObject({ total: 1, list: [{ id: essayId }] });
  expect(await likeNotices(author.token)).toMatchObject([{ count: 1, actors: [{ id: blocked.user.id }] }]);
  const trendTypes = async (userId: string, token?: string) =>
    (await t.call('GET core/user/trend', { userId }, { token })).data.list.map(({ type }) => type);
  expect(await trendTypes(hidden.user.id)).not.toContain(1);
  expect(await trendTypes(hidden.user.id, hidden.token)).toContain(1);
  expect(await trendTypes(blocked.user.id)).toContain(1);
  expect((await t.call('GET core/essay/{id}', { id: essayId })).data.likeCount).toBe(2);
  await expectCorrectCounters();
});

test('removes the likes of deleted users from the counters, also while they are liking', async () => {
  const leaving = [await createWriter(t), await t.register()];
  const ids = leaving.map(({ user }) => user.id);
  const theirs = await publishEssay(t, leaving[0] as TestUser);
  const essays = [await publishEssay(t, writer), await publishEssay(t, writer), theirs];
  const everyone = [...leaving, ...readers];
  await Promise.all(everyone.flatMap(({ token }) => essays.slice(1).map((id) => like(id, token))));
  await Promise.all([
    inTransaction(systemCtx(t.app.services), async (ctx) => {
      await purgeLikes(ctx, ids);
      await removeUsers(ctx.db, ids);
    }),
    ...everyone.map(({ token }) => like(essays[0] ?? '', token)),
  ]);
  expect((await likers(essays[1] ?? '')).total).toBe(readers.length);
  await expectCorrectCounters();
});

test('splits many concurrent likes into batches', async () => {
  const { pool } = t.app.services;
  const essayId = await publishEssay(t, writer);
  const { rows } = await pool.query<{ id: string }>(
    `insert into users (id, display_name, invite_code, created_at, updated_at)
    select gen_random_uuid(), '众人', 'rush' || at, now(), now() from generate_series(1, 2100) as at
    returning replace(id::text, '-', '') as id`,
  );
  const ctx = systemCtx(t.app.services);
  const states = await Promise.all(
    rows.map(({ id }) => setEssayLiked(ctx, { userId: id, essayId, liked: true })),
  );
  expect(states.every((state) => state.liked)).toBe(true);
  const written = await pool.query(
    'select count(*)::int as count from essay_likes where essay_id = $1 group by xmin::text order by 1',
    [essayId],
  );
  expect(written.rows.map((row) => row.count)).toEqual([100, 1000, 1000]);
  await expectCorrectCounters();
});

test('locks the inboxes of added and removed likes in one order', async () => {
  const { pool } = t.app.services;
  const authors = [await createWriter(t), await createWriter(t)].toSorted((a, b) =>
    a.user.id < b.user.id ? -1 : 1,
  );
  const [first, second] = authors as [TestUser, TestUser];
  const [unliked, liked] = [await publishEssay(t, first), await publishEssay(t, second)];
  const userId = reader(0).user.id;
  await like(unliked, reader(0).token);
  const client = await pool.connect();
  const lockInbox = (id: string) =>
    client.query('select 1 from notice_boxes where user_id = $1 for update nowait', [id]);
  try {
    await client.query('begin');
    await lockInbox(first.user.id);
    const writing = inTransaction(systemCtx(t.app.services), (ctx) =>
      writeLikes(ctx, [
        { userId, essayId: liked, liked: true },
        { userId, essayId: unliked, liked: false },
      ]),
    );
    const waiting = async () => (await pool.query(`select 1 from pg_locks where not granted`)).rows.length;
    await expect.poll(waiting).toBeGreaterThan(0);
    await lockInbox(second.user.id);
    await client.query('commit');
    expect((await writing).size).toBe(2);
  } finally {
    await client.query('rollback');
    client.release();
  }
  await expectCorrectCounters();
});
