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

/** Every counter is the number of its rows. */
async function expectInStep(): Promise<void> {
  const { rows } = await t.app.services.pool.query(`
    select id from users where follower_count <> (select count(*) from follows where user_id = users.id)
      or following_count <> (select count(*) from follows where follower_id = users.id)`);
  expect(rows).toEqual([]);
}

test('following and letting go, each as often as one likes', async () => {
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
  await expectInStep();
});

test('it is told once a day, and again on another day', async () => {
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

test('not oneself, not nobody, not without signing in', async () => {
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
  await expectInStep();
});

test('both lists, newest first, by cursor, with whom the asker follows', async () => {
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

test('whoever hides them hides them from everyone else', async () => {
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

test('twenty at once, back and forth: counters and rows agree', async () => {
  const [a, b] = [await t.register(), await t.register()];
  const many = await Promise.all(Array.from({ length: 6 }, () => t.register()));
  const acts = Array.from({ length: 20 }, (_, index) => {
    const act = index % 3 === 2 ? unfollow : follow;
    const other = many[index % many.length] ?? a;
    return [act(b.user.id, a.token), act(a.user.id, b.token), act(a.user.id, other.token)];
  }).flat();
  const answers = await Promise.all(acts);
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
  await expectInStep();
  const both = await Promise.all(Array.from({ length: 20 }, () => follow(b.user.id, a.token)));
  expect(new Set(both.map((answer) => answer.data.followerCount)).size).toBe(1);
  await expectInStep();
});

test('somebody who is removed leaves the counters of others right', async () => {
  const [a, b, c] = [await t.register(), await t.register(), await t.register()];
  await follow(b.user.id, a.token);
  await follow(a.user.id, b.token);
  await follow(c.user.id, a.token);
  await follow(c.user.id, b.token);
  await follow(a.user.id, c.token);
  await removeUsers(createDb(t.app.services.pool), [a.user.id]);
  await expectInStep();
  expect((await profile(c.user.id)).counters).toMatchObject({ followers: 1, following: 0 });
});

test('a page that shows them notes everyone on it, and following drops it', async () => {
  const [author, reader] = [await t.register(), await t.register()];
  await follow(author.user.id, reader.token);
  const shown = new Set<string>();
  const binding = routes.find((route) => route.call.path === 'core/user/follower');
  const input = { userId: author.user.id, type: 'follower', page: 1, pageSize: 10 };
  await binding?.run({ ...systemCtx(t.app.services), shown }, input as never);
  expect(shown).toEqual(new Set([`user:${author.user.id}`, `user:${reader.user.id}`]));
  const dropped: string[] = [];
  const { pages } = t.app.services;
  const drop = pages.drop;
  pages.drop = (tags) => dropped.push(...tags);
  await unfollow(author.user.id, reader.token);
  pages.drop = drop;
  // This process hears of it too when the database tells everyone, perhaps also of what was before.
  expect(dropped).toEqual(expect.arrayContaining([`user:${author.user.id}`, `user:${reader.user.id}`]));
});

test('who hides whom they follow is seen among followers by the followed one alone', async () => {
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
