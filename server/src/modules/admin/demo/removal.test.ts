import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter, publishEssay, type TestUser } from '../../../testing/essays.ts';
import { createOrder, rechargeBalance } from '../../../testing/orders.ts';
import { createStaff } from '../../../testing/staff.ts';
import { checkCounters, checkLedger } from '../system/index.ts';

let t: TestApp;
let admin: string;
beforeAll(async () => {
  t = await startTestApp({ runsJobs: true, config: { paySandbox: true } });
  admin = await t.signInAdmin();
});
afterAll(() => t.close());

const read = async () => (await t.call('GET core/sys/demo/', {}, { token: admin })).data.demo;
const remove = (token: string | undefined = admin) => t.call('DELETE core/sys/demo/', {}, { token });
const markDemo = ({ user }: TestUser) => t.query('update users set demo = true where id = $1', [user.id]);
const waitUntilEnded = () =>
  expect.poll(async () => ['waiting', 'running'].includes((await read())?.removal?.status ?? '')).toBe(false);

test('without demo users there is nothing to remove', async () => {
  expect(await read()).toBeNull();
  expect(await remove()).toMatchObject({ status: 404, errorMessage: '没有示例内容，可能已经移除' });
});

test('needs the permission', async () => {
  const staff = await createStaff(t, ['stat:list', 'checklist:update']);
  for (const token of [(await t.register()).token, staff.token]) {
    expect((await t.call('GET core/sys/demo/', {}, { token })).status).toBe(403);
    expect((await remove(token)).status).toBe(403);
  }
  expect((await t.call('DELETE core/sys/demo/')).status).toBe(401);
});

test('removes what was announced, keeps everything else, and is logged', async () => {
  const [demo, writer, reader] = [await createWriter(t), await createWriter(t), await t.register()];
  const demoEssay = await publishEssay(t, demo, { price: 300 });
  const essay = await publishEssay(t, writer);
  await markDemo(demo);
  const comment = (essayId: string, token: string) =>
    t.call('POST core/essay/cmt', { essayId, content: '说一句' }, { token });
  await comment(demoEssay, reader.token);
  const { id: cmtId } = (await comment(essay, demo.token)).data;
  await t.call('POST core/essay/cmt/reply', { cmtId, content: '回一句' }, { token: reader.token });
  await comment(essay, reader.token);
  const letter = { toUserId: demo.user.id, subject: '问候', content: '你好' };
  await t.call('POST core/essay/pri/msg', letter, { token: reader.token });
  await rechargeBalance(t, reader, 1000);
  await createOrder(t, reader, { kind: 'read', targetId: demoEssay, payBy: 'balance' });

  expect(await read()).toEqual({
    users: 1,
    essays: 1,
    others: { comments: 2, conversations: 1, orders: 1 },
    removal: null,
  });
  const [first, second] = await Promise.all([remove(), remove()]);
  expect([first.success, second.success]).toEqual([true, true]);
  await waitUntilEnded();
  expect(await read()).toBeNull();
  const { list } = (await t.call('GET core/essay/', {})).data;
  expect(list.map(({ id, cmtCount }) => [id, cmtCount])).toEqual([[essay, 1]]);
  const wallet = (await t.call('GET core/user/wallet', {}, { token: reader.token })).data;
  expect(wallet.balance).toBe(1000);
  const ctx = systemCtx(t.app.services);
  expect([...(await checkCounters(ctx)), ...(await checkLedger(ctx))]).toEqual([]);
  const log = (await t.call('GET core/sys/log/', { target: 'demo:site' }, { token: admin })).data.list;
  expect(log[0]).toMatchObject({ call: 'DELETE core/sys/demo/', before: { users: 1, essays: 1 } });
});

test('refuses to remove orders with real money', async () => {
  const [demo, reader] = [await createWriter(t), await t.register()];
  const essay = await publishEssay(t, demo, { price: 300 });
  await markDemo(demo);
  await rechargeBalance(t, reader, 1000);
  const { id } = await createOrder(t, reader, { kind: 'read', targetId: essay, payBy: 'balance' });
  await t.query(`update orders set pay_by = 'alipay' where id = $1`, [id]);
  expect(await remove()).toMatchObject({
    errorCode: 'DEMO_HAS_PAYMENTS',
    errorMessage: expect.stringContaining('1 笔'),
  });
  expect(await read()).toMatchObject({ users: 1, removal: null });
  await t.query(`update orders set pay_by = 'balance' where id = $1`, [id]);
});

test('reports a failed removal, which changed nothing and can be repeated', async () => {
  const demo = await createWriter(t);
  await markDemo(demo);
  await t.query(`insert into account_roles select $1, id from roles where code = 'super'`, [demo.user.id]);
  const setAdmin = (enabled: boolean) =>
    t.query(`update accounts set enabled = $1 where name = 'admin'`, [enabled]);
  await setAdmin(false);
  const find = async () => (await t.call('GET core/sys/demo/', {}, { token: demo.token })).data.demo;
  const before = await find();
  await remove(demo.token);
  await expect
    .poll(async () => (await find())?.removal)
    .toMatchObject({ status: 'failed', message: '至少要保留一个可用的超级管理员' });
  expect(await find()).toMatchObject({ users: before?.users, essays: before?.essays });
  await setAdmin(true);
  admin = await t.signInAdmin();

  await t.query(`update settings set value = value || '{"status": "running"}' where key = 'demo-removal'`);
  t.advance(3 * 60_000);
  expect((await read())?.removal).toMatchObject({
    status: 'failed',
    message: expect.stringContaining('程序在移除途中退出了'),
  });
  await remove();
  await waitUntilEnded();
  expect(await read()).toBeNull();
});
