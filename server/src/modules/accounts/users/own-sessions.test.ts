import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../../ctx.ts';
import { addJob, systemCtx } from '../../../jobs.ts';
import { PASSWORD, startTestApp, type TestApp } from '../../../testing/app.ts';
import { publishEssay } from '../../../testing/essays.ts';
import { openSocket } from '../../../testing/live.ts';
import { createStaff } from '../../../testing/staff.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp({ runsJobs: true, config: { staffIdleHours: 12, staffSessionDays: 7 } });
  await t.app.server.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => t.close());

const me = (token: string | undefined) => t.call('GET core/user/', {}, { token });
const list = async (token: string | undefined, query: object = {}) =>
  (await t.call('GET core/account/session/', query, { token })).data;
const end = (token: string | undefined, id?: string) =>
  t.call('DELETE core/account/session/', id === undefined ? {} : { id }, { token });
const signIn = async (account: string, device = 'Mozilla/5.0 (iPhone) AppleWebKit Safari/604') =>
  (
    await t.call(
      'POST core/account/login',
      { account, password: PASSWORD },
      { address: '202.96.209.5', headers: { 'user-agent': device } },
    )
  ).token ?? '';

async function connect(token: string) {
  const socket = openSocket(t, token);
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  return { gone: new Promise<string>((resolve) => socket.once('disconnect', resolve)) };
}

test('lists the own sessions with device, region and last use, and marks the current one', async () => {
  const { token, user } = await t.register();
  await t.register();
  const laptop = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/150.0 Safari/537.36';
  await signIn(user.account, laptop);
  const phone = await signIn(user.account);
  t.advance(20 * MINUTE);
  await me(phone);
  t.advance(MINUTE);
  const mine = await list(token);
  expect(mine.list).toMatchObject([
    { via: 'register', isCurrent: true },
    { device: 'Safari · iPhone', region: '上海', address: '202.96.209.5', via: 'password', isCurrent: false },
    { device: 'Chrome · Windows', isCurrent: false },
  ]);
  expect(mine.total).toBe(3);
  const [, used, unused] = mine.list.map(({ usedAt }) => new Date(usedAt).getTime());
  expect((used ?? 0) - (unused ?? 0)).toBeGreaterThan(19 * MINUTE);
  t.advance(MINUTE);
  expect((await list(phone)).list.map(({ isCurrent }) => isCurrent)).toEqual([true, false, false]);

  const whole = await list(token);
  const first = await list(token, { pageSize: 1 });
  const second = await list(token, { pageSize: 2, cursor: first.next });
  expect([...first.list, ...second.list].map(({ id }) => id)).toEqual(whole.list.map(({ id }) => id));
  expect((await t.call('GET core/account/session/')).status).toBe(401);
  expect((await end(undefined)).status).toBe(401);
});

test('ends a session with its live connection, but not one of another user', async () => {
  const { token, user } = await t.register();
  const lost = await signIn(user.account);
  const { gone } = await connect(lost);
  const id = (await list(lost)).list.find(({ isCurrent }) => isCurrent)?.id ?? '';
  const stranger = await t.register();
  const admin = await t.signInAdmin();
  for (const other of [stranger.token, admin])
    expect(await end(other, id)).toMatchObject({ status: 404, errorMessage: '这次登录已经结束' });
  expect((await me(lost)).success).toBe(true);

  const both = await Promise.all([end(token, id), end(token, id)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
  expect(await gone).toBe('io server disconnect');
  expect((await me(lost)).status).toBe(401);
  expect((await me(token)).success).toBe(true);

  const own = (await list(token)).list[0]?.id ?? '';
  expect(await end(token, own)).toMatchObject({ success: true, token: '' });
  expect((await me(token)).status).toBe(401);
});

test('ends all sessions except the current one', async () => {
  const { token, user } = await t.register();
  const others = [await signIn(user.account), await signIn(user.account)];
  const stranger = await t.register();
  expect(await end(token)).toMatchObject({ success: true, token: undefined });
  for (const other of others) expect((await me(other)).status).toBe(401);
  for (const kept of [token, stranger.token]) expect((await me(kept)).success).toBe(true);
  expect((await list(token)).total).toBe(1);
});

test('signs staff out after twelve idle hours and after seven days, but not other users', async () => {
  const reader = await t.register();
  const idle = await createStaff(t, ['user:list']);
  const busy = await createStaff(t, ['user:list']);
  const roleless = await createStaff(t, ['user:list']);
  await t.app.services.pool.query('update roles set enabled = false where id = $1', [roleless.roleId]);
  // The last use counts, with a precision of a few minutes.
  t.advance(5 * MINUTE);
  await me(idle.token);
  t.advance(12 * HOUR - 3 * MINUTE);
  expect((await me(idle.token)).success).toBe(true);
  const { gone } = await connect(idle.token);
  let { token } = busy;
  token = (await me(token)).token ?? token;
  t.advance(12 * HOUR + 3 * MINUTE);
  expect((await me(idle.token)).status).toBe(401);
  expect((await me(token)).status).toBe(401);
  await inTransaction(systemCtx(t.app.services), (ctx) => addJob(ctx, 'expire-sign-ins', {}));
  expect(await gone).toBe('io server disconnect');
  expect((await me(reader.token)).success).toBe(true);
  expect((await me(roleless.token)).success).toBe(true);

  token = await signIn(busy.user.account);
  for (let hours = 0; hours < 7 * 24 - 6; hours += 6) {
    t.advance(6 * HOUR);
    const response = await me(token);
    expect(response.success).toBe(true);
    token = response.token ?? token;
  }
  t.advance(6 * HOUR + MINUTE);
  expect((await me(token)).status).toBe(401);
});

test('does not count background requests of staff pages as use', async () => {
  const staff = await createStaff(t, ['user:list']);
  for (let hours = 1; hours < 12; hours++) {
    t.advance(HOUR);
    const polled = await t.call('GET core/user/', {}, { token: staff.token, headers: { idle: '1' } });
    expect(polled.success).toBe(true);
  }
  t.advance(HOUR + MINUTE);
  expect((await me(staff.token)).status).toBe(401);
});

test('rejects live connections and leaves rooms after a staff session has ended', async () => {
  const staff = await createStaff(t, ['user:list']);
  t.advance(13 * HOUR);
  const socket = openSocket(t, staff.token);
  const refusal = await new Promise<string>((resolve) => {
    socket.once('connect_error', ({ message }) => resolve(message));
  });
  expect(refusal).toBe('SIGN_IN_REQUIRED');
});

const fetched = async (url: string) => (await t.app.server.inject(url)).statusCode;

test('invalidates download links when their session ends', async () => {
  const { token, user } = await t.register();
  const other = await signIn(user.account);
  const link = async (with_: string) =>
    (await t.call('GET core/account/export', {}, { token: with_ })).data.file.url;
  const [here, there] = [await link(token), await link(other)];
  for (const url of [here, there]) expect(await fetched(url)).toBe(200);
  await end(token);
  expect(await fetched(there)).toBe(410);
  expect(await fetched(here)).toBe(200);
  await t.call('DELETE core/account/login', { all: 1 }, { token });
  expect(await fetched(here)).toBe(410);
});

test('invalidates attachment links when the session or the access ends', async () => {
  const writer = await t.register();
  await t.app.services.pool.query('update users set cur_identity = 2 where id = $1', [writer.user.id]);
  const essayId = await publishEssay(t, writer);
  const auditor = await createStaff(t, ['essay:audit']);
  const download = async (token?: string) =>
    (await t.call('POST core/essay/download', { essayId }, { token })).data.url;
  const anyone = await download();
  const own = await download(writer.token);
  await t.app.services.pool.query('update essays set price = 500 where id = $1', [essayId]);
  const audited = await download(auditor.token);
  expect(await fetched(anyone)).toBe(410);
  for (const url of [own, audited]) expect(await fetched(url)).toBe(200);
  await t.app.services.pool.query('delete from account_roles where user_id = $1', [auditor.user.id]);
  expect(await fetched(audited)).toBe(410);
  await t.call('DELETE core/account/login', {}, { token: writer.token });
  expect(await fetched(own)).toBe(410);
});
