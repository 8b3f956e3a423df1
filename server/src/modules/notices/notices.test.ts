import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTx } from '../../ctx.ts';
import { systemCtx } from '../../jobs.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { notify } from './index.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const tell = (userId: string, text: string, kind: 'system' | 'like' = 'system') =>
  inTx(systemCtx(t.app.services), (ctx) => notify(ctx, { userId, kind, text }));

test('notices are listed newest first, by kind and page, and counted by kind', async () => {
  const { token, user } = await t.register();
  for (let i = 0; i < 4; i++) await tell(user.id, `第 ${i} 条`, 'like');
  const first = await t.call('GET core/user/notice', { pageSize: 3 }, { token });
  expect(first.data.total).toBe(5);
  expect(first.data.list.map((each) => each.text)).toEqual(['第 3 条', '第 2 条', '第 1 条']);
  const rest = await t.call(
    'GET core/user/notice',
    { pageSize: 3, cursor: first.data.next ?? '' },
    { token },
  );
  expect(rest.data.list).toHaveLength(2);
  expect(rest.data.next).toBeNull();
  const likes = await t.call('GET core/user/notice', { kind: 'like', page: 2, pageSize: 3 }, { token });
  expect(likes.data.list.map((each) => each.text)).toEqual(['第 0 条']);
  const unread = await t.call('GET core/user/notice/unread', {}, { token });
  expect(unread.data).toMatchObject({ total: 5, kinds: { like: 4, system: 1, comment: 0 } });
});

test('marking read touches only the given ones, and only one’s own', async () => {
  const [mine, other] = [await t.register(), await t.register()];
  await tell(mine.user.id, '甲');
  const { data } = await t.call('GET core/user/notice', {}, { token: mine.token });
  const ids = data.list.slice(0, 1).map((each) => each.id);
  await t.call('PUT core/user/notice', { ids }, { token: other.token });
  const total = async () =>
    (await t.call('GET core/user/notice/unread', {}, { token: mine.token })).data.total;
  expect(await total()).toBe(2);
  await t.call('PUT core/user/notice', { ids }, { token: mine.token });
  expect(await total()).toBe(1);
  await t.call('PUT core/user/notice', { all: true }, { token: mine.token });
  expect(await total()).toBe(0);
  const list = await t.call('GET core/user/notice', {}, { token: mine.token });
  expect(list.data.list.every((each) => each.read)).toBe(true);
});

test('a kind that is switched off is not told, until it is switched on again', async () => {
  const { token, user } = await t.register();
  const unread = async () => (await t.call('GET core/user/notice/unread', {}, { token })).data.kinds;
  const before = await unread();
  await t.call('PUT core/user/', { notify: { like: false } }, { token });
  await tell(user.id, '没人想听', 'like');
  await tell(user.id, '这个要听');
  expect(await unread()).toEqual({ ...before, system: before.system + 1 });
  await t.call('PUT core/user/', { notify: { like: true } }, { token });
  await tell(user.id, '又想听了', 'like');
  expect((await unread()).like).toBe(1);
});

test('neither ids nor all is refused', async () => {
  const { token } = await t.register();
  for (const input of [{}, { ids: ['x'] }, { all: false }]) {
    expect((await t.call('PUT core/user/notice', input, { token })).status).toBe(422);
  }
});
