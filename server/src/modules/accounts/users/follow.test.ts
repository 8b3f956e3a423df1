import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDb } from '../../../db/client.ts';
import { newId } from '../../../db/id.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { removeUsers } from './index.ts';
import { routes } from './routes/users.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const follow = (userId: string, token?: string) => t.call('POST core/essay/follow', { userId }, { token });
const unfollow = (userId: string, token?: string) =>
  t.call('DELETE core/essay/follow', { userId }, { token });
const list = (input: object, token?: string) => t.call('GET core/user/follower', input, { token });
const unread = async (token: string) =>
  (await t.call('GET core/user/notice/unread', {}, { token })).data.kinds.follow;
const profile = async (id: string, token?: string) =>
  (await t.call('GET core/user/public', { id }, { token })).data;

/** Checks that every counter equals the number of its rows. */
async function expectCountersMatchRows(): Promise<void> {
  const { rows } = await t.app.services.pool.query(`
    select id from users where follower_count <> (select count(*) from follows where user_id = users.id)
      or following_count <> (select count(*) from follows where follower_id = users.id)`);
  expect(rows).toEqual([]);
}

test('follows and unfollows repeatedly', async () => {
  const author = await t.register(undefined, { displayName: '林砚' });
  const reader = await t.register(undefined, { displayName: '周野' });
  expect((await follow(author.user.id, reader.token)).data).toEqual({ followed: true, followerCount: 1 });
  expect((await follow(author.user.id, reader.token)).data).toEqual({ followed: true, followerCount: 1 });
  expect(await profile(author.user.id, reader.token)).toMatchObject({
    counters: { followers: 1, following: 0 },
    relation: { self: false, followed: true, blocked: false },
  });
  expect((await profile(author.user.id)).relation).toEqual({
    self: false,
    followed: false,
    blocked: false,
  });
  expect((await profile(reader.user.id)).counters).toMatchObject({ followers: 0, following: 1 });
  expect((await profile(reader.user.id, author.token)).relation.followed).toBe(false);
  expect((await unfollow(author.user.id, reader.token)).data).toEqual({ followed: false, followerCount: 0 });
  expect((await unfollow(author.user.id, reader.token)).data).toEqual({ followed: false, followerCount: 0 });
  await expectCountersMatchRows();
});

test('notifies about a follow once a day', async () => {
  const author = await t.register();
  const reader = await t.register(undefined, { displayName: '周野' });
  for (let i = 0; i < 3; i++) {
    await follow(author.user.id, reader.token);
    await unfollow(author.user.id, reader.token);
  }
  expect(await unread(author.token)).toBe(1);
  const notices = await t.call('GET core/user/notice', { kind: 'follow' }, { token: author.token });
  expect(notices.data.list[0]?.text).toBe('周野 关注了你');
  const trends = async () => (await t.call('GET core/user/trend', { userId: reader.user.id, type: 9 })).data;
  expect((await trends()).total).toBe(0);
  await t.call('PUT core/user/notice', { all: true }, { token: author.token });
  await follow(author.user.id, reader.token);
  expect(await unread(author.token)).toBe(0);
  expect(await trends()).toMatchObject({
    total: 1,
    list: [{ verb: '关注了', targetKind: 1, target: { id: author.user.id } }],
  });
  await unfollow(author.user.id, reader.token);
  t.advance(25 * 60 * 60_000);
  await follow(author.user.id, reader.token);
  expect(await unread(author.token)).toBe(1);
  expect((await trends()).total).toBe(1);
});

test('rejects the own id, an unknown user and visitors', async () => {
  const { user, token } = await t.register();
  expect(await follow(user.id, token)).toMatchObject({
    status: 200,
    success: false,
    errorCode: 'FOLLOW_SELF',
  });
  expect(await follow(newId(), token)).toMatchObject({
    status: 422,
    fields: { userId: expect.any(String) },
  });
  expect(await unfollow(newId(), token)).toMatchObject({ status: 422 });
  expect((await follow('x', token)).status).toBe(422);
  expect((await follow(user.id)).status).toBe(401);
  expect((await unfollow(user.id)).status).toBe(401);
  expect((await list({})).status).toBe(401);
  expect((await list({ userId: newId() })).status).toBe(404);
  expect((await list({ userId: user.id, type: 'friend' })).status).toBe(422);
  await expectCountersMatchRows();
});

test('lists followers and followed users newest first, with the viewer’s own follows', async () => {
  const author = await t.register();
  const readers = [];
  for (let i = 0; i < 5; i++) {
    const reader = await t.register();
    await follow(author.user.id, reader.token);
    readers.unshift(reader);
  }
  const [newest, , middle] = readers;
  await follow(middle?.user.id ?? '', newest?.token);
  const first = await list({ userId: author.user.id, pageSize: 3 }, newest?.token);
  const rest = await list({ userId: author.user.id, pageSize: 3, cursor: first.data.next ?? '' });
  expect(first.data.total).toBe(5);
  expect(rest.data.next).toBeNull();
  expect([...first.data.list, ...rest.data.list].map((each) => each.id)).toEqual(
    readers.map((each) => each.user.id),
  );
  expect(first.data.list.map((each) => each.followed)).toEqual([false, false, true]);
  const following = await list({ type: 'following' }, newest?.token);
  expect(following.data.list.map((each) => each.id)).toEqual([middle?.user.id, author.user.id]);
  expect(following.data.total).toBe(2);
});

test('hides the lists from others when the privacy setting is off', async () => {
  const author = await t.register();
  const reader = await t.register();
  await follow(author.user.id, reader.token);
  await t.call('PUT core/user/', { privacy: { follow: false } }, { token: author.token });
  for (const who of [undefined, reader.token]) {
    for (const type of ['follower', 'following']) {
      expect((await list({ userId: author.user.id, type }, who)).data).toMatchObject({ list: [], total: 0 });
    }
  }
  expect((await list({ userId: author.user.id }, author.token)).data.total).toBe(1);
});

test('keeps counters equal to rows with concurrent follows and unfollows', async () => {
  const [a, b] = [await t.register(), await t.register()];
  const many = await Promise.all(Array.from({ length: 6 }, () => t.register()));
  const acts = Array.from({ length: 20 }, (_, index) => {
    const act = index % 3 === 2 ? unfollow : follow;
    const other = many[index % many.length] ?? a;
    return [act(b.user.id, a.token), act(a.user.id, b.token), act(a.user.id, other.token)];
  }).flat();
  const responses = await Promise.all(acts);
  expect(new Set(responses.map((response) => response.status))).toEqual(new Set([200]));
  await expectCountersMatchRows();
  const both = await Promise.all(Array.from({ length: 20 }, () => follow(b.user.id, a.token)));
  expect(new Set(both.map((response) => response.data.followerCount)).size).toBe(1);
  await expectCountersMatchRows();
});

test('corrects the counters of others when a user is removed', async () => {
  const [a, b, c] = [await t.register(), await t.register(), await t.register()];
  await follow(b.user.id, a.token);
  await follow(a.user.id, b.token);
  await follow(c.user.id, a.token);
  await follow(c.user.id, b.token);
  await follow(a.user.id, c.token);
  await removeUsers(createDb(t.app.services.pool), [a.user.id]);
  await expectCountersMatchRows();
  expect((await profile(c.user.id)).counters).toMatchObject({ followers: 1, following: 0 });
});

test('tags cached pages with all listed users and invalidates them on follow', async () => {
  const [author, reader] = [await t.register(), await t.register()];
  await follow(author.user.id, reader.token);
  const pageTags = new Set<string>();
  const binding = routes.find((route) => route.call.path === 'core/user/follower');
  const input = { userId: author.user.id, type: 'follower', page: 1, pageSize: 10 };
  await binding?.run({ ...systemCtx(t.app.services), pageTags }, input as never);
  expect(pageTags).toEqual(new Set([`user:${author.user.id}`, `user:${reader.user.id}`]));
  const dropped: string[] = [];
  const { pages } = t.app.services;
  const drop = pages.invalidate;
  pages.invalidate = (tags) => dropped.push(...tags);
  await unfollow(author.user.id, reader.token);
  pages.invalidate = drop;
  // The database notification also reaches this process, perhaps together with earlier ones.
  expect(dropped).toEqual(expect.arrayContaining([`user:${author.user.id}`, `user:${reader.user.id}`]));
});

test('shows a follower who hides their follows only to the followed user', async () => {
  const [author, open, hidden, stranger] = [
    await t.register(),
    await t.register(),
    await t.register(),
    await t.register(),
  ];
  for (const each of [open, hidden]) await follow(author.user.id, each.token);
  await follow(hidden.user.id, author.token);
  await t.call('PUT core/user/', { privacy: { follow: false } }, { token: hidden.token });
  const seen = async (input: object, token?: string) =>
    (await list({ userId: author.user.id, ...input }, token)).data.list.map((each) => each.id);
  for (const token of [undefined, stranger.token])
    expect(await seen({ type: 'follower' }, token)).toEqual([open.user.id]);
  expect((await list({ userId: author.user.id })).data.total).toBe(1);
  expect(await seen({ type: 'follower' }, author.token)).toEqual([hidden.user.id, open.user.id]);
  expect((await list({}, author.token)).data.total).toBe(2);
  expect(await seen({ type: 'following' })).toEqual([hidden.user.id]);
});
