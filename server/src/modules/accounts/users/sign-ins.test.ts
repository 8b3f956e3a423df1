import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemCtx } from '../../../jobs.ts';
import { PASSWORD, startTestApp, type TestApp, uniqueName } from '../../../testing/app.ts';
import { createStaff } from '../../../testing/staff.ts';
import { jobs } from './jobs.ts';

let t: TestApp;
let staff: string;
beforeAll(async () => {
  t = await startTestApp();
  staff = (await createStaff(t, ['sign-in:list'])).token;
});
afterAll(() => t.close());

const ADDRESS = '114.114.114.114';
const phone = { 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Safari/604.1' };
const at = { address: ADDRESS, headers: phone };
const signIn = (account: string, password = PASSWORD, options: object = at) =>
  t.call('POST core/account/login', { account, password }, options);
const list = async (input: object = {}) => {
  const { data } = await t.call('GET core/sys/sign-in/', input, { token: staff });
  return data.list;
};
const own = async (token: string) => (await t.call('GET core/account/sign-in/', {}, { token })).data.list;

test('records each success and failure with account, address, place, device, way and reason', async () => {
  const { user } = await t.register();
  await signIn(user.account, 'not it');
  await signIn(user.account);
  const common = {
    account: user.account,
    address: ADDRESS,
    region: expect.any(String),
    device: 'Safari · iPhone',
  };
  const [succeeded, failed, registered] = await list({ userId: user.id });
  expect(succeeded).toMatchObject({ ...common, succeeded: true, via: 'password', reason: null });
  expect(failed).toMatchObject({ ...common, succeeded: false, via: 'password', reason: 'password' });
  expect(failed?.region).not.toBe('');
  expect(failed?.user).toMatchObject({ id: user.id, displayName: user.displayName });
  expect(registered).toMatchObject({ succeeded: true, via: 'register', reason: null });
});

test('records failures of codes, password changes, QR codes, locked and disabled accounts', async () => {
  const { user, token } = await t.register();
  const { pool } = t.app.services;
  await t.call(
    'PUT core/account/reset',
    { account: user.account, code: '000000', newPassword: 'a good one' },
    at,
  );
  await t.call(
    'PUT core/account/password',
    { oldPassword: 'not it', newPassword: 'another good one' },
    { ...at, token },
  );
  await t.call('POST core/account/reauth', { method: 'password', password: 'not it' }, { ...at, token });
  await pool.query('update sign_in_failures set failures = 20 where account = $1', [user.account]);
  await signIn(user.account);
  await pool.query('delete from sign_in_failures');
  await pool.query('update accounts set enabled = false where user_id = $1', [user.id]);
  await signIn(user.account);
  const rows = await list({ userId: user.id, result: 'failed' });
  expect(rows.map(({ via, reason }) => [via, reason])).toEqual([
    ['password', 'disabled'],
    ['password', 'locked'],
    ['reauth', 'password'],
    ['change', 'password'],
    ['reset', 'code'],
  ]);
  const { data } = await t.call('GET core/user/qrcode/login', {}, at);
  await t.call('POST core/user/login/qrcode', { ticket: data.ticket, secret: 'x'.repeat(43) }, at);
  expect((await list({ keyword: 'unknown' }))[0]).toMatchObject({
    via: 'qrcode',
    reason: 'qrcode',
    user: null,
  });
});

test('stores no input that names no account, and still finds it by what was typed', async () => {
  const typed = `my-secret-${uniqueName()}`;
  await signIn(typed, 'x');
  const { rows } = await t.app.services.pool.query('select s::text from sign_ins s');
  expect(JSON.stringify(rows)).not.toContain(typed);
  const found = await list({ keyword: typed });
  expect(found).toEqual([
    expect.objectContaining({ account: expect.stringMatching(/^unknown:[0-9a-f]{12}$/), user: null }),
  ]);
  expect(await list({ keyword: found[0]?.account })).toEqual(found);
  expect(await list({ keyword: uniqueName() })).toEqual([]);
});

test('finds by account, e-mail, address, result and day, page by page', async () => {
  const email = `${uniqueName()}@example.com`;
  const { user } = await t.register(email);
  const address = '2001:db8::7';
  for (let i = 0; i < 3; i++) await signIn(email, 'x', { address });
  await signIn(email, PASSWORD, { address });
  expect(await list({ keyword: email.toUpperCase() })).toHaveLength(5);
  expect(await list({ keyword: address })).toHaveLength(4);
  expect(await list({ address, result: 'succeeded' })).toHaveLength(1);
  expect(await list({ userId: user.id, result: 'failed' })).toHaveLength(3);
  const other = (await t.register()).user.id;
  expect(await list({ userId: other, keyword: email })).toEqual([]);
  const today = new Intl.DateTimeFormat('sv', { timeZone: 'Asia/Shanghai' }).format(t.app.services.clock());
  expect(await list({ userId: user.id, from: today, to: today })).toHaveLength(5);
  expect(await list({ userId: user.id, to: '2020-01-01' })).toEqual([]);
  const seen: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const input = { keyword: address, pageSize: 2, ...(cursor && { cursor }) };
    const { data } = await t.call('GET core/sys/sign-in/', input, { token: staff });
    seen.push(...data.list.map(({ id }) => id));
    cursor = data.next;
  }
  expect(new Set(seen).size).toBe(4);
  for (const wrong of [{ result: 'maybe' }, { cursor: 'nonsense' }, { userId: 'x' }, { from: '1.1.2026' }])
    expect((await t.call('GET core/sys/sign-in/', wrong, { token: staff })).status).toBe(422);
});

test('users see the sign-ins of their own account only, and only staff with the permission all of them', async () => {
  const [mine, other] = [await t.register(), await t.register()];
  await signIn(mine.user.account, 'not it');
  const rows = await own(mine.token);
  expect(rows.map(({ via, reason }) => [via, reason])).toEqual([
    ['password', 'password'],
    ['register', null],
  ]);
  expect(rows[0]).not.toHaveProperty('account');
  expect(await own(other.token)).toHaveLength(1);
  expect((await t.call('GET core/account/sign-in/')).status).toBe(401);
  const bare = await createStaff(t, ['session:list']);
  for (const [token, status] of [
    [undefined, 401],
    [mine.token, 403],
    [bare.token, 403],
  ] as const)
    expect((await t.call('GET core/sys/sign-in/', {}, { token })).status).toBe(status);
});

test('stores requests with an invalid API token once a minute for each address', async () => {
  const address = '203.0.113.77';
  const headers = { authorization: `Bearer mzt_${'x'.repeat(43)}` };
  for (let i = 0; i < 5; i++) await t.call('GET core/user/', {}, { address, headers });
  await expect.poll(() => list({ address })).toHaveLength(1);
  t.advance(60_000);
  await t.call('GET core/user/', {}, { address, headers });
  await expect.poll(() => list({ address })).toHaveLength(2);
});

test('the daily job deletes rows after six months', async () => {
  const { user } = await t.register();
  const { pool } = t.app.services;
  const rows = async () =>
    (await pool.query('select via from sign_ins where user_id = $1', [user.id])).rows.length;
  await pool.query(
    `insert into sign_ins (id, user_id, account, succeeded, via, address, region, device, created_at)
      select gen_random_uuid(), $1, 'old', true, 'password', '', '', '', now() - interval '7 months'
      from generate_series(1, 5100)`,
    [user.id],
  );
  await jobs['expire-sign-in-log']?.(systemCtx(t.app.services), {});
  expect(await rows()).toBe(1);
});

test('uses an index for every filter', async () => {
  const { user } = await t.register();
  const client = await t.app.services.pool.connect();
  const plan = async (where: string, order = 'id desc') => {
    const { rows } = await client.query(
      `explain select * from sign_ins where ${where} order by ${order} limit 10`,
    );
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };
  try {
    await client.query('begin');
    for (const way of ['seqscan', 'bitmapscan', 'sort']) await client.query(`set local enable_${way} = off`);
    expect(await plan(`user_id = '${user.id}'`)).toContain('sign_ins_user');
    expect(await plan(`user_id is null and account = 'unknown:1'`)).toContain('sign_ins_unknown');
    expect(await plan(`address = '1.2.3.4'`)).toContain('sign_ins_address');
    expect(await plan('not succeeded')).toContain('sign_ins_result');
    expect(await plan('created_at > now()', 'created_at desc, id desc')).toContain('sign_ins_created');
  } finally {
    await client.query('rollback');
    client.release();
  }
});
