import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDb } from '../../../db/client.ts';
import { newId } from '../../../db/id.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { isBlocked } from './index.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const block = (userId: string, token?: string) => t.call('POST core/user/block', { userId }, { token });
const unblock = (userId: string, token?: string) => t.call('DELETE core/user/block', { userId }, { token });
const blocked = (input: object, token?: string) => t.call('GET core/user/block', input, { token });
const follow = (userId: string, token?: string) => t.call('POST core/essay/follow', { userId }, { token });
const profile = async (id: string, token?: string) =>
  (await t.call('GET core/user/public', { id }, { token })).data;

async function expectCountersMatchRows(): Promise<void> {
  const { rows } = await t.app.services.pool.query(`
    select id from users where follower_count <> (select count(*) from follows where user_id = users.id)
      or following_count <> (select count(*) from follows where follower_id = users.id)`);
  expect(rows).toEqual([]);
}

test('ends follows in both directions and refuses new ones', async () => {
  const [a, b] = [await t.register(), await t.register()];
  await follow(b.user.id, a.token);
  await follow(a.user.id, b.token);
  for (let i = 0; i < 2; i++) expect((await block(b.user.id, a.token)).data).toEqual({ blocked: true });
  expect((await profile(b.user.id, a.token)).relation).toEqual({
    self: false,
    followed: false,
    blocked: true,
  });
  expect((await profile(a.user.id)).counters).toMatchObject({ followers: 0, following: 0 });
  expect((await t.call('GET core/user/notice', { kind: 'follow' }, { token: a.token })).data.total).toBe(0);
  for (const { user, token } of [a, b])
    expect((await t.call('GET core/user/trend', { userId: user.id, type: 9 }, { token })).data.total).toBe(0);
  await expectCountersMatchRows();
  expect(await follow(a.user.id, b.token)).toMatchObject({ status: 200, errorCode: 'BLOCKED' });
  expect(await follow(b.user.id, a.token)).toMatchObject({
    errorCode: 'BLOCKED',
    errorMessage: '你屏蔽了 TA，解除屏蔽后才能关注',
  });
  const db = createDb(t.app.services.pool);
  expect(await isBlocked(db, a.user.id, b.user.id)).toBe(true);
  expect(await isBlocked(db, b.user.id, a.user.id)).toBe(false);
  for (let i = 0; i < 2; i++) expect((await unblock(b.user.id, a.token)).data).toEqual({ blocked: false });
  expect((await follow(a.user.id, b.token)).success).toBe(true);
  await expectCountersMatchRows();
});

test('shows the block only to the user who blocked', async () => {
  const [a, b, c] = [await t.register(), await t.register(), await t.register()];
  await block(b.user.id, a.token);
  for (const token of [undefined, b.token, c.token]) {
    expect((await profile(a.user.id, token)).relation.blocked).toBe(false);
    expect((await profile(b.user.id, token)).relation.blocked).toBe(false);
  }
  expect((await blocked({}, b.token)).data).toMatchObject({ list: [], total: 0 });
  expect((await t.call('GET core/user/notice', {}, { token: b.token })).data.total).toBe(1);
  expect((await blocked({})).status).toBe(401);
});

test('lists blocked users newest first by cursor', async () => {
  const a = await t.register();
  const others = [];
  for (let i = 0; i < 3; i++) {
    const other = await t.register();
    await block(other.user.id, a.token);
    others.unshift(other.user.id);
  }
  const first = await blocked({ pageSize: 2 }, a.token);
  const rest = await blocked({ pageSize: 2, cursor: first.data.next ?? '' }, a.token);
  expect([...first.data.list, ...rest.data.list].map((each) => each.id)).toEqual(others);
  expect(first.data.total).toBe(3);
  expect(rest.data.next).toBeNull();
});

test('rejects the own id, an unknown user and visitors', async () => {
  const { user, token } = await t.register();
  expect(await block(user.id, token)).toMatchObject({ status: 200, errorCode: 'BLOCK_SELF' });
  expect(await block(newId(), token)).toMatchObject({ status: 422, fields: { userId: expect.any(String) } });
  expect((await block('x', token)).status).toBe(422);
  expect((await block(user.id)).status).toBe(401);
  expect((await unblock(user.id)).status).toBe(401);
});

test('never leaves a follow beside a block when both happen at once', async () => {
  const [a, b] = [await t.register(), await t.register()];
  for (let i = 0; i < 6; i++) {
    await Promise.all([
      follow(a.user.id, b.token),
      block(b.user.id, a.token),
      follow(b.user.id, a.token),
      block(b.user.id, a.token),
      follow(a.user.id, b.token),
    ]);
    const { counters } = await profile(a.user.id);
    expect(counters).toMatchObject({ followers: 0, following: 0 });
    await unblock(b.user.id, a.token);
  }
  await expectCountersMatchRows();
});

test('enforces the limit of 1000, also with concurrent requests', async () => {
  const [a, ...others] = [await t.register(), await t.register(), await t.register()];
  await t.app.services.pool.query(
    `with made as (
      insert into users (id, display_name, invite_code, created_at, updated_at)
      select gen_random_uuid(), '众人', 'many' || at, now(), now() from generate_series(1, 999) as at returning id
    )
    insert into blocks (id, user_id, blocked_id, created_at) select gen_random_uuid(), $1, id, now() from made`,
    [a?.user.id],
  );
  const responses = await Promise.all(others.map(({ user }) => block(user.id, a?.token)));
  expect(responses.filter((response) => response.success)).toHaveLength(1);
  expect(responses.find((response) => !response.success)).toMatchObject({
    status: 200,
    errorCode: 'TOO_MANY_BLOCKED',
  });
  expect((await blocked({}, a?.token)).data.total).toBe(1000);
});
