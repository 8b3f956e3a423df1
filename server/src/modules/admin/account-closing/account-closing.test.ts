import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemCtx } from '../../../jobs.ts';
import { PASSWORD, startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter, publishEssay, submitEssay, type TestUser } from '../../../testing/essays.ts';
import { createOrder, rechargeBalance } from '../../../testing/orders.ts';
import { uploadPicture } from '../../../testing/pictures.ts';
import { createStaff } from '../../../testing/staff.ts';
import { checkCounters, checkLedger } from '../system/index.ts';
import { jobs } from './jobs.ts';

const DAY = 24 * 60 * 60_000;

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp({ config: { paySandbox: true } });
});
afterAll(() => t.close());

const close = ({ token }: { token: string }, input: object = {}) =>
  t.call('DELETE core/account/', input, { token });
const runJob = (userId: string) => jobs['close-account']?.(systemCtx(t.app.services), { userId });
const signIn = (account: string) => t.call('POST core/account/login', { account, password: PASSWORD });
const comment = async ({ token }: { token: string }, essayId: string, content: string) =>
  (await t.call('POST core/essay/cmt', { essayId, content }, { token })).data;

async function expectConsistent(): Promise<void> {
  const ctx = systemCtx(t.app.services);
  expect(await checkCounters(ctx)).toEqual([]);
  expect(await checkLedger(ctx)).toEqual([]);
}

test('a request ends all sessions, and signing in within the waiting period cancels it', async () => {
  const { token, user } = await t.register();
  const second = (await signIn(user.account)).token ?? '';
  const { data } = await close({ token });
  expect(new Date(data.closesAt).getTime()).toBeGreaterThan(t.app.services.clock().getTime() + 14 * DAY);
  for (const each of [token, second])
    expect((await t.call('GET core/user/', {}, { token: each })).status).toBe(401);
  await runJob(user.id);
  expect((await t.call('GET core/user/public', { id: user.id })).success).toBe(true);

  const back = (await signIn(user.account)).token;
  const { data: notices } = await t.call('GET core/user/notice', { kind: 'system' }, { token: back });
  expect(notices.list.map(({ text }) => text)).toContain('你重新登录了，注销账号的申请已撤销。');
  t.advance(16 * DAY);
  await runJob(user.id);
  expect((await signIn(user.account)).success).toBe(true);
});

test('rejects visitors, staff, old sign-ins and wallets with money', async () => {
  expect((await t.call('DELETE core/account/')).status).toBe(401);
  const staff = await createStaff(t, ['essay:list']);
  expect(await close(staff)).toMatchObject({ status: 403, errorMessage: expect.stringContaining('角色') });

  const reader = await t.register();
  t.advance(11 * 60_000);
  expect(await close(reader)).toMatchObject({
    status: 403,
    errorMessage: expect.stringContaining('重新登录'),
  });

  const rich = await t.register();
  await rechargeBalance(t, rich, 500);
  expect((await close(rich)).fields?.waive).toContain('余额 ¥ 5.00');
  expect((await close(rich, { waive: 1 })).success).toBe(true);
});

async function createActiveWriter(): Promise<{
  writer: TestUser;
  buyer: TestUser;
  sold: string;
  waiting: string;
}> {
  const writer = await createWriter(t, '要走的人');
  const buyer = await createWriter(t, '留下的人');
  const sold = await publishEssay(t, writer, {
    title: '卖出去的',
    price: 990,
    content: '开头\n\n'.repeat(20),
  });
  const waiting = await submitEssay(t, writer, { title: '还在审核' });
  await rechargeBalance(t, buyer, 990);
  await createOrder(t, buyer, { kind: 'read', targetId: sold, payBy: 'balance' });
  await t.call('POST core/essay/follow', { userId: writer.user.id }, { token: buyer.token });
  await t.call('POST core/essay/follow', { userId: buyer.user.id }, { token: writer.token });
  return { writer, buyer, sold, waiting };
}

test('waits for a withdrawal that is added after the request', async () => {
  const { token, user } = await t.register();
  await close({ token });
  await t.query(
    `insert into withdrawals (id, no, user_id, amount, account, real_name, created_at)
     values (gen_random_uuid(), '20261119000000000001', $1, 500, 'a', '', now())`,
    [user.id],
  );
  t.advance(15 * DAY);
  await runJob(user.id);
  expect((await t.call('GET core/user/public', { id: user.id })).success).toBe(true);
  await t.query('delete from withdrawals where user_id = $1', [user.id]);
  await runJob(user.id);
  expect((await t.call('GET core/user/public', { id: user.id })).errorCode).toBe('GONE');
});

test('removes all personal data after the waiting period and keeps the data of others', async () => {
  const { writer, buyer, sold, waiting } = await createActiveWriter();
  const other = await publishEssay(t, buyer);
  const [alone, answered] = [
    await comment(writer, other, '没人理的话'),
    await comment(writer, other, '有人答的话'),
  ];
  await t.call(
    'POST core/essay/cmt/reply',
    { cmtId: answered.id, content: '答的人还在' },
    { token: buyer.token },
  );
  await t.call('POST core/essay/collect', { essayId: other }, { token: writer.token });
  const { account, id } = writer.user;
  expect((await close(writer)).fields?.waive).toContain('收益');
  await close(writer, { waive: 1 });
  t.advance(15 * DAY);
  await runJob(id);
  await runJob(id);

  expect(await t.call('GET core/user/public', { id })).toMatchObject({ status: 410, errorCode: 'GONE' });
  expect((await signIn(account)).errorCode).toBe('WRONG_PASSWORD');
  expect((await t.call('GET core/essay/{id}', { id: sold })).status).not.toBe(200);
  const token = (await signIn(buyer.user.account)).token;
  expect((await t.call('GET core/essay/{id}', { id: sold }, { token })).data.html).toContain('开头');
  const { rows } = await t.app.services.pool.query(
    'select status from essays where id = any($1) order by title',
    [[sold, waiting]],
  );
  expect(rows.map(({ status }) => status)).toEqual([4, 0]);

  const { data: page } = await t.call('GET core/essay/cmt', { essayId: other });
  expect(page.list).toHaveLength(1);
  expect(page.list[0]).toMatchObject({ id: answered.id, content: '', user: null });
  expect(JSON.stringify(page)).not.toContain(alone.content);
  const { data: me } = await t.call('GET core/user/public', { id: buyer.user.id });
  expect(me.counters).toMatchObject({ followers: 0, following: 0 });
  await expectConsistent();

  const again = await t.register(account);
  expect(again.user.account).toBe(account);
});

test('deletes pictures that nothing uses any more, and the archive of an own export', async () => {
  const { writer, sold } = await createActiveWriter();
  const { token } = writer;
  const [face, cover] = [
    await uploadPicture(t, token, { background: '#123' }),
    await uploadPicture(t, token, { background: '#456' }),
  ];
  await t.call('PUT core/user/', { headImg: face }, { token });
  const { version } = (await t.call('GET core/essay/{id}/source', { id: sold }, { token })).data;
  expect((await t.call('PUT core/essay/', { id: sold, version, cover }, { token })).success).toBe(true);
  expect((await t.call('POST core/user/export', {}, { token })).success).toBe(true);
  await close(writer, { waive: 1 });
  t.advance(15 * DAY);
  await runJob(writer.user.id);
  const left = await t.query('select path from uploads where user_id = $1', [writer.user.id]);
  expect(left).toEqual([{ path: cover }]);
  const discarded = await t.query('select from discarded_files where path = $1', [face]);
  expect(discarded).toHaveLength(1);
  expect(await t.query('select from transfers where user_id = $1', [writer.user.id])).toEqual([]);
});

test('users can download their own data, and nobody else can', async () => {
  const { token, user } = await t.register();
  const essay = await publishEssay(t, await createWriter(t));
  await comment({ token }, essay, '我说过的话');
  const author = await createWriter(t);
  const { data: column } = await t.call('POST core/essay/column', { name: '连载' }, { token: author.token });
  await t.call('POST core/essay/column/follow', { columnId: column.id }, { token });
  await publishEssay(t, author, { tags: ['导出的标签'] });
  await t.call('POST core/essay/tag/follow', { tag: '导出的标签' }, { token });
  await t.call('PUT core/user/home', {}, { token });
  await rechargeBalance(t, { token }, 700);
  expect((await t.call('GET core/account/export')).status).toBe(401);
  const { data } = await t.call('GET core/account/export', {}, { token });
  expect(data.user.account).toBe(user.account);
  const get = (url: string) => t.app.server.inject(url);
  const response = await get(data.file.url);
  expect(response.headers['content-type']).toBe('application/zip');
  const files = Object.fromEntries(
    Object.entries(unzipSync(response.rawPayload)).map(([name, content]) => [
      name,
      JSON.parse(strFromU8(content)),
    ]),
  );
  expect(files['profile.json']).toMatchObject({ account: user.account });
  expect(files['comments.json']).toMatchObject([{ essayId: essay, content: '我说过的话' }]);
  expect(files['followedColumns.json']).toMatchObject([{ columnId: column.id }]);
  expect(files['followedTags.json']).toMatchObject([{ tagId: expect.any(String) }]);
  expect(files['followingVisits.json']).toMatchObject([{ visitedAt: expect.any(String) }]);
  expect(files['orders.json']).toMatchObject([{ kind: 'recharge', amount: 700 }]);
  expect(files['bookings.json']).toMatchObject([{ amount: 700, balanceAfter: 700 }]);
  expect(files['sessions.json']).toHaveLength(1);
  expect(JSON.stringify(files)).not.toMatch(/hash|secret/i);

  expect((await get(`${data.file.url.slice(0, -2)}xx`)).statusCode).toBe(404);
  expect((await get(data.file.url.replace('own-data', 'transfer'))).statusCode).toBe(404);
  t.advance(11 * 60_000);
  expect((await get(data.file.url)).statusCode).toBe(410);
});
