import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemCtx } from '../../../jobs.ts';
import { PASSWORD, startTestApp, type TestApp, uniqueName } from '../../../testing/app.ts';
import { jobs } from './jobs.ts';
import { accounts } from './tables.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const runJob = async () => jobs['index-people']?.(systemCtx(t.app.services), {});
const put = (token: string, fields: object) => t.call('PUT core/user/', fields, { token });

test('updates only the given fields', async () => {
  const { token, user } = await t.register();
  await put(token, { bio: '写存储引擎', city: '杭州', notify: { like: false } });
  const response = await put(token, {
    displayName: '林砚',
    privacy: { trend: false },
    notify: { follow: false },
  });
  expect(response.data).toMatchObject({
    id: user.id,
    displayName: '林砚',
    bio: '写存储引擎',
    city: '杭州',
    notify: { like: false, follow: false, comment: true },
    privacy: { trend: false, collect: true },
  });
});

test.each([
  ['an empty name', { displayName: ' ' }, 'displayName'],
  ['a long bio', { bio: '长'.repeat(201) }, 'bio'],
  ['a script address', { homepage: 'javascript:alert(1)' }, 'homepage'],
  ['an address without a host', { homepage: '我的主页' }, 'homepage'],
  ['a mail address', { homepage: 'me@example.com' }, 'homepage'],
  ['a GitHub address', { github: 'https://github.com/x' }, 'github'],
  ['an unknown gender', { gender: 'robot' }, 'gender'],
  ['a picture of another site', { headImg: 'https://example.com/a.png' }, 'headImg'],
  ['a picture that was not uploaded', { headImg: `/files/ab/${'c'.repeat(62)}.webp` }, 'headImg'],
  ['text for a boolean setting', { notify: { like: 'yes' } }, 'notify.like'],
])('refuses %s and changes nothing', async (_what, fields, field) => {
  const { token } = await t.register();
  const before = await t.call('GET core/user/', {}, { token });
  const response = await put(token, { city: '成都', ...fields });
  expect(response).toMatchObject({
    status: 422,
    errorCode: 'INVALID',
    fields: { [field]: expect.stringMatching(/[一-鿿]/) },
  });
  expect((await t.call('GET core/user/', {}, { token })).data).toEqual(before.data);
});

test('adds a missing scheme to the homepage', async () => {
  const { token } = await t.register();
  expect((await put(token, { homepage: ' example.com ' })).data.homepage).toBe('https://example.com');
  expect((await put(token, { homepage: 'http://example.com/a' })).data.homepage).toBe('http://example.com/a');
  expect((await put(token, { homepage: ' ' })).data.homepage).toBe('');
});

test('ignores identity, balance and membership', async () => {
  const { token } = await t.register();
  const response = await put(token, {
    curIdentity: 2,
    balance: 100,
    memberUntil: '2099-01-01',
    title: '站长',
    access: 'admin',
  });
  expect(response.data).toMatchObject({
    curIdentity: 1,
    balance: 0,
    isMember: false,
    title: '',
    access: 'user',
  });
});

test('shows others only the public profile', async () => {
  const owner = await t.register(`${uniqueName()}@example.com`);
  const stranger = await t.register();
  for (const token of [undefined, stranger.token]) {
    for (const route of ['GET core/user/public', 'GET core/user/byId'] as const) {
      const response = await t.call(route, { id: owner.user.id }, { token });
      expect(response.data).toMatchObject({ id: owner.user.id, relation: { self: false } });
      for (const secret of ['account', 'email', 'balance', 'inviteCode', 'permissions', 'notify', 'gender']) {
        expect(response.data).not.toHaveProperty(secret);
      }
    }
  }
  const self = await t.call('GET core/user/byId', { id: owner.user.id }, { token: owner.token });
  expect(self.data).toMatchObject({ account: owner.user.account });
});

test('returns 404 for an unknown id and 422 for a malformed one', async () => {
  expect(await t.call('GET core/user/public', { id: '0'.repeat(32) })).toMatchObject({
    status: 404,
    errorCode: 'NOT_FOUND',
  });
  expect(await t.call('GET core/user/public', { id: "1' or '1'='1" })).toMatchObject({ status: 422 });
  expect(await t.call('GET core/user/public')).toMatchObject({
    status: 422,
    fields: { id: expect.any(String) },
  });
});

test('finds users by the start of the name, by page, and escapes wildcards', async () => {
  const prefix = `码农${uniqueName()}`;
  for (let i = 0; i < 5; i++) await t.register(uniqueName(), { displayName: `${prefix.slice(0, 26)}${i}` });
  const keyword = prefix.slice(0, 26);
  const first = await t.call('GET core/user/', { keyword, pageSize: 2 });
  if (!('list' in first.data)) throw new Error('a page was expected');
  expect(first.data).toMatchObject({ total: 5, page: 1, pageSize: 2 });
  const names = first.data.list.map((each) => each.displayName);
  let next = first.data.next;
  while (next !== null) {
    const page = await t.call('GET core/user/', { keyword, pageSize: 2, cursor: next });
    if (!('list' in page.data)) throw new Error('a page was expected');
    names.push(...page.data.list.map((each) => each.displayName));
    next = page.data.next;
  }
  expect(names).toEqual([0, 1, 2, 3, 4].map((i) => `${keyword}${i}`));
  const wild = await t.call('GET core/user/', { keyword: '%' });
  expect(wild.data).toMatchObject({ list: [], total: 0 });
  expect((await t.call('GET core/user/', { keyword, cursor: 'bm9uc2Vuc2U' })).status).toBe(422);
  expect((await t.call('GET core/user/', { keyword, pageSize: 101 })).status).toBe(422);
});

test('finds users by pinyin, initials and parts of their current name', async () => {
  const { token, user } = await t.register(uniqueName(), { displayName: '慕容梓萱' });
  const beginsSo = await t.register(uniqueName(), { displayName: 'Muronger' });
  const disabled = await t.register(uniqueName(), { displayName: '慕容已走' });
  await systemCtx(t.app.services)
    .db.update(accounts)
    .set({ enabled: false })
    .where(eq(accounts.userId, disabled.user.id));
  const find = async (keyword: string, pageSize = 6) => {
    const { data } = await t.call('GET core/user/', { keyword, pageSize });
    if (!('list' in data)) throw new Error('a page was expected');
    expect(data.total).toBe(data.list.length);
    return data.list.map(({ id }) => id);
  };
  await runJob();
  for (const keyword of ['慕容', 'murongzixuan', 'MRZX', 'zixuan', '梓萱'])
    expect(await find(keyword), keyword).toEqual([user.id]);
  // Names that start with the keyword come first.
  expect(await find('murong')).toEqual([beginsSo.user.id, user.id]);
  expect(await find('murong', 1)).toEqual([beginsSo.user.id]);
  await put(token, { displayName: '南宫问雅' });
  await runJob();
  expect(await find('murongzixuan')).toEqual([]);
  expect(await find('ngwy')).toEqual([user.id]);
});

test('does not find a disabled user', async () => {
  const name = `停用${uniqueName()}`;
  const { user } = await t.register(uniqueName(), { displayName: name });
  const token = await t.signInAdmin();
  await t.call('PUT core/sys/user/', { id: user.id, enabled: 0 }, { token });
  expect((await t.call('GET core/user/', { keyword: name })).data).toMatchObject({ total: 0 });
});

test('requires a new password before any other call', async () => {
  const { pool } = t.app.services;
  const { token, user } = await t.register();
  await pool.query('update accounts set must_change_password = true where user_id = $1', [user.id]);
  expect(await put(token, { bio: '早了' })).toMatchObject({
    status: 403,
    errorCode: 'PASSWORD_CHANGE_REQUIRED',
  });
  expect((await t.call('GET core/user/', {}, { token })).data).toMatchObject({ mustChangePassword: true });
  await t.call(
    'PUT core/account/password',
    { oldPassword: PASSWORD, newPassword: 'my own password' },
    { token },
  );
  expect((await put(token, { bio: '好了' })).success).toBe(true);
});

test('keeps concurrent changes of different settings', async () => {
  const { token } = await t.register();
  await Promise.all(
    ['like', 'reply', 'follow', 'collect'].map((kind) => put(token, { notify: { [kind]: false } })),
  );
  const { data } = await t.call('GET core/user/', {}, { token });
  expect(data).toMatchObject({
    notify: { like: false, reply: false, follow: false, collect: false, comment: true },
  });
});

test('finds names in alphabets with special lower case', async () => {
  const tail = uniqueName();
  for (let i = 0; i < 2; i++) await t.register(uniqueName(), { displayName: `ΖΑΣ${tail}` });
  const keyword = `ζασ${tail}`;
  const seen = new Set<string>();
  let cursor: string | undefined;
  do {
    const { data } = await t.call('GET core/user/', { keyword, pageSize: 1, ...(cursor ? { cursor } : {}) });
    if (!('list' in data)) throw new Error('a page was expected');
    for (const each of data.list) {
      expect(seen.has(each.id)).toBe(false);
      seen.add(each.id);
    }
    cursor = data.next ?? undefined;
  } while (cursor !== undefined);
  expect(seen.size).toBe(2);
});

test.each(['\u200b\u200b', 'a\nb', '\u202eabc', 'a\u0007'])(
  'a name that cannot be seen or read as written is refused (%j)',
  async (name) => {
    const { token } = await t.register();
    expect(await put(token, { displayName: name })).toMatchObject({
      status: 422,
      fields: { displayName: expect.any(String) },
    });
  },
);

test('refuses public calls that write until the password is changed', async () => {
  const { token, user } = await t.register();
  await t.app.services.pool.query('update accounts set must_change_password = true where user_id = $1', [
    user.id,
  ]);
  const bind = await t.call(
    'POST core/account/code',
    { purpose: 'bind', target: 'a@example.com' },
    { token },
  );
  expect(bind).toMatchObject({ status: 403, errorCode: 'PASSWORD_CHANGE_REQUIRED' });
  expect((await t.call('GET core/site/', {}, { token })).success).toBe(true);
});
