import { afterAll, beforeAll, expect, test } from 'vitest';
import { chinaDayOf } from '../../../day.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createStaff } from '../../../testing/staff.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

test('filters the log by user, call, target, time and address, in both sort orders', async () => {
  const staffUser = await createStaff(t, ['user:update', 'role:create', 'log:list']);
  const { user } = await t.register();
  const staff = { token: staffUser.token, address: '203.0.113.7' };
  await t.call('PUT core/sys/user/', { id: user.id, curIdentity: 2 }, staff);
  await t.call('POST core/sys/role/', { name: '临时', code: 'for-now' }, staff);
  const last = await t.call('PUT core/sys/user/', { id: user.id, curIdentity: 1 }, staff);

  const find = async (input: object) =>
    (await t.call('GET core/sys/log/', input, { token: staffUser.token })).data.list.map(({ call }) => call);
  const [identity, role] = ['PUT core/sys/user/', 'POST core/sys/role/'];
  expect(await find({ userId: staffUser.user.id })).toEqual([identity, role, identity]);
  expect(await find({ target: `user:${user.id}` })).toEqual([identity, identity]);
  expect(await find({ keyword: `user:${user.id.slice(0, 8)}` })).toEqual([identity, identity]);
  expect(await find({ keyword: '新建角色' })).toEqual([role]);
  expect(await find({ keyword: '203.0.113.' })).toEqual([identity, role, identity]);
  expect(await find({ keyword: String(last.headers['x-request-id']) })).toEqual([identity]);
  expect(await find({ keyword: '%' })).toEqual([]);
  const today = chinaDayOf(new Date());
  expect(await find({ from: today, to: today, call: role })).toEqual([role]);
  expect(await find({ to: '2020-01-01' })).toEqual([]);

  const oldest = await t.call(
    'GET core/sys/log/',
    { sort: 'createdAt', order: 0, pageSize: 1 },
    { token: staffUser.token },
  );
  expect(oldest.data.list[0]).toMatchObject({ after: { curIdentity: 2 } });
  const next = { sort: 'createdAt', order: 0, pageSize: 1, cursor: oldest.data.next };
  expect(await find(next)).toEqual([role]);
  expect((await t.call('GET core/sys/log/', { sort: 'call' }, { token: staffUser.token })).status).toBe(422);
});
