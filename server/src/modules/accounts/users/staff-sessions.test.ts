import { afterAll, beforeAll, expect, test } from 'vitest';
import { PASSWORD, startTestApp, type TestApp } from '../../../testing/app.ts';
import { openSocket } from '../../../testing/live.ts';
import { createStaff } from '../../../testing/staff.ts';

const MINUTE = 60_000;
const ALL = ['session:list', 'session:remove'] as const;

let t: TestApp;
let staff: Awaited<ReturnType<typeof createStaff>>;
beforeAll(async () => {
  t = await startTestApp();
  staff = await createStaff(t, ALL);
});
afterAll(() => t.close());

const list = async (query: object = {}, token = staff.token) =>
  (await t.call('GET core/sys/session/', { pageSize: 100, ...query }, { token })).data;
const end = (id: string, token = staff.token) => t.call('DELETE core/sys/session/', { id }, { token });
const me = (token: string) => t.call('GET core/user/', {}, { token });

test('lists sessions by account, name, user or staff, most recently used first', async () => {
  const reader = await t.register();
  await t.call('POST core/account/login', { account: reader.user.account, password: PASSWORD });
  const page = await list({ userId: reader.user.id });
  expect(page.total).toBe(2);
  expect(page.list[0]).toMatchObject({
    user: { id: reader.user.id, account: reader.user.account },
    isStaff: false,
    via: 'password',
    isCurrent: false,
  });
  expect((await list({ keyword: reader.user.account })).total).toBe(2);
  expect((await list({ keyword: 'nobody-of-that-name' })).list).toEqual([]);
  const team = await list({ staff: 1 });
  expect(team.list.map(({ user }) => user.id)).toContain(staff.user.id);
  expect(team.list.every(({ isStaff }) => isStaff)).toBe(true);
  expect(team.list.find(({ isCurrent }) => isCurrent)?.user.id).toBe(staff.user.id);

  t.advance(20 * MINUTE);
  await me(reader.token);
  const used = await list();
  expect(used.list[0]?.user.id).toBe(staff.user.id);
  expect(used.list[1]).toMatchObject({ user: { id: reader.user.id }, via: 'register' });
  for (const order of [0, 1])
    for (const sort of ['usedAt', 'createdAt']) {
      const whole = (await list({ sort, order })).list.map(({ id }) => id);
      const first = await list({ sort, order, pageSize: 2 });
      const rest = await list({ sort, order, cursor: first.next });
      expect([...first.list, ...rest.list].map(({ id }) => id)).toEqual(whole);
    }
});

test('ends one session with its token and live connection, and keeps the others', async () => {
  const reader = await t.register();
  const { token: other = '' } = await t.call('POST core/account/login', {
    account: reader.user.account,
    password: PASSWORD,
  });
  await t.app.server.listen({ port: 0, host: '127.0.0.1' });
  const socket = openSocket(t, reader.token);
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  const gone = new Promise<string>((resolve) => socket.once('disconnect', resolve));
  const first = (await list({ userId: reader.user.id, sort: 'createdAt', order: 0 })).list[0]?.id ?? '';
  const both = await Promise.all([end(first), end(first)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
  await gone;
  expect((await me(reader.token)).status).toBe(401);
  expect((await me(other)).success).toBe(true);
  const log = await t.app.services.pool.query<{ before: object }>(
    `select before from operations where target = $1`,
    [`session:${first}`],
  );
  expect(log.rows[0]?.before).toMatchObject({ account: reader.user.account, via: 'register' });
});

test('refuses to end sessions of staff with more permissions, or without the permission', async () => {
  const above = await createStaff(t, [...ALL, 'role:list']);
  const [theirs] = (await list({ userId: above.user.id })).list;
  expect(await end(theirs?.id ?? '')).toMatchObject({ success: false, errorCode: 'GRANT_TOO_MUCH' });
  expect((await me(above.token)).success).toBe(true);
  const [mine] = (await list({ userId: staff.user.id })).list;
  const admin = await t.signInAdmin();
  const [adminSession] = (await list({ keyword: 'admin' })).list;
  expect(await end(adminSession?.id ?? '')).toMatchObject({ errorCode: 'GRANT_TOO_MUCH' });

  const lister = await createStaff(t, ['session:list']);
  const reader = await t.register();
  for (const token of [lister.token, reader.token])
    expect((await end(mine?.id ?? '', token)).status).toBe(403);
  expect((await t.call('GET core/sys/session/', {}, { token: reader.token })).status).toBe(403);
  expect((await t.call('GET core/sys/session/')).status).toBe(401);
  expect((await end('x')).errorCode).toBe('INVALID');
  expect((await end('0'.repeat(32))).status).toBe(404);

  // A super administrator may, and ending the own session signs out.
  expect((await end(mine?.id ?? '', admin)).success).toBe(true);
  expect((await me(staff.token)).status).toBe(401);
  expect(await end(adminSession?.id ?? '', admin)).toMatchObject({ success: true, token: '' });
});
