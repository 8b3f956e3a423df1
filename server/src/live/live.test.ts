import type { UnreadCounts } from '@mozhan/contract/notices.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { PASSWORD, portOf, startTestApp, type TestApp } from '../testing/app.ts';
import { openSocket } from '../testing/live.ts';

let one: TestApp;
let two: TestApp;
beforeAll(async () => {
  one = await startTestApp();
  two = await startTestApp({ sameDatabaseAs: one });
  for (const t of [one, two]) await t.app.server.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await two.close();
  await one.close();
});

function connect(t: TestApp, token: string) {
  const socket = openSocket(t, token);
  const state = { unread: [] as UnreadCounts[], error: '', isOpen: false };
  socket.on('unread', (counts) => state.unread.push(counts));
  socket.on('connect', () => {
    state.isOpen = true;
  });
  socket.on('disconnect', () => {
    state.isOpen = false;
  });
  socket.on('connect_error', (error) => {
    state.error = error.message;
  });
  return state;
}

test('rejects a connection without a valid token', async () => {
  const states = ['', 'A'.repeat(43)].map((token) => connect(one, token));
  for (const state of states) await expect.poll(() => state.error).toBe('SIGN_IN_REQUIRED');
});

test('sends unread counts on connect, after each notice and after reading, through every process', async () => {
  const { token, user } = await one.register();
  const here = connect(one, token);
  const there = connect(two, token);
  for (const state of [here, there]) await expect.poll(() => state.unread.at(-1)?.total).toBe(1);
  await one.call(
    'POST core/account/login',
    { account: user.account, password: PASSWORD },
    { headers: { 'user-agent': 'Firefox/1 Windows' } },
  );
  for (const state of [here, there]) {
    await expect.poll(() => state.unread.at(-1)).toMatchObject({ total: 2, kinds: { system: 2 } });
  }
  await two.call('PUT core/user/notice', { all: true }, { token });
  for (const state of [here, there]) await expect.poll(() => state.unread.at(-1)?.total).toBe(0);
});

test('does not send unread counts to other users', async () => {
  const [mine, other] = [await one.register(), await one.register()];
  const state = connect(one, mine.token);
  await expect.poll(() => state.unread.at(-1)?.total).toBe(1);
  await one.call('PUT core/user/notice', { all: true }, { token: other.token });
  await one.call('PUT core/user/notice', { all: true }, { token: mine.token });
  await expect.poll(() => state.unread.at(-1)?.total).toBe(0);
  // A new notice is sent after all counts of before.
  await one.call(
    'POST core/account/login',
    { account: mine.user.account, password: PASSWORD },
    { headers: { 'user-agent': 'Firefox/1 Windows' } },
  );
  await expect.poll(() => state.unread.at(-1)?.total).toBe(1);
  expect(state.unread.filter(({ total }) => total === 0)).toHaveLength(1);
});

test('signing out closes only the connections of that session, in any process', async () => {
  const { token, user } = await one.register();
  const other = await one.call('POST core/account/login', { account: user.account, password: PASSWORD });
  const ended = connect(two, token);
  const open = connect(one, other.token ?? '');
  for (const state of [ended, open]) await expect.poll(() => state.isOpen).toBe(true);
  await one.call('DELETE core/account/login', {}, { token });
  await expect.poll(() => ended.isOpen).toBe(false);
  expect(open.isOpen).toBe(true);
});

test('a live connection does not renew the token', async () => {
  const { token } = await one.register();
  for (const t of [one, two]) t.advance(25 * 3600_000);
  const state = connect(one, token);
  await expect.poll(() => state.isOpen).toBe(true);
  const renewed = await one.call('GET core/user/', {}, { token });
  expect(renewed.token).toBeDefined();
  expect((await one.call('GET core/user/', {}, { token: renewed.token })).success).toBe(true);
});

test('closes the connection of a session that ends while connecting', async () => {
  const { token, user } = await one.register();
  // The counts of the notice of the registration may be sent later than its response.
  const earlier = connect(one, token);
  await expect.poll(() => earlier.unread.at(-1)?.total).toBe(1);
  const { lookupPool, pool } = one.app.services;
  const find = lookupPool.query.bind(lookupPool) as (statement: unknown) => Promise<unknown>;
  // Sessions of other tests are looked up too.
  let isEnded = false;
  let isCheckedAgain = false;
  const endAfter = async (statement: unknown) => {
    isCheckedAgain = isEnded;
    const found = await find(statement);
    if (!isEnded && JSON.stringify(found).includes(user.id)) {
      await pool.query('delete from sessions where user_id = $1', [user.id]);
      isEnded = true;
    }
    return found;
  };
  const spy = vi.spyOn(lookupPool, 'query').mockImplementation(endAfter as typeof lookupPool.query);
  const state = connect(one, token);
  await expect.poll(() => isCheckedAgain).toBe(true);
  await expect.poll(() => state.isOpen).toBe(false);
  expect(state.unread).toEqual([]);
  spy.mockRestore();
});

test('rejects polling with a hint to the required client setting', async () => {
  const port = portOf(one);
  for (const method of ['GET', 'POST']) {
    const response = await fetch(`http://127.0.0.1:${port}/api/live/?EIO=4&transport=polling`, { method });
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await response.json()).toEqual({
      success: false,
      errorCode: 'MALFORMED',
      errorMessage: "实时连接只支持 WebSocket：请在 Socket.IO 客户端中设置 transports: ['websocket']",
      showType: 2,
    });
  }
  const { body } = await one.app.server.inject('/api/docs');
  expect(body).toContain("transports: ['websocket']");
});
