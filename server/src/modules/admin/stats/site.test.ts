import type { Output } from '@mozhan/contract/client.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chinaDayOf } from '../../../day.ts';
import { newId } from '../../../db/id.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter, publishEssay, submitEssay, type TestUser } from '../../../testing/essays.ts';
import { createOrder, rechargeBalance } from '../../../testing/orders.ts';
import { createStaff, createStaffWithRole } from '../../../testing/staff.ts';
import { countDays, recountDays } from './actions.ts';

let t: TestApp;
let admin: string;
let writer: TestUser;
let otherWriter: TestUser;
let essays: string[];

const AGENT = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36',
};
const DAY = 86_400_000;
/** Noon in China, as time since midnight UTC. */
const NOON = 4 * 3_600_000;
const now = () => t.app.services.clock();
const today = () => chinaDayOf(now());
const daysAgo = (days: number) => chinaDayOf(new Date(now().getTime() - days * DAY));
const query = <T extends object>(text: string, values: unknown[] = []) =>
  t.app.services.pool.query<T>(text, values).then(({ rows }) => rows);
const stats = async (input: object = {}, token = admin) =>
  (await t.call('GET core/sys/stat/', input, { token })).data;
const read = (essayId: string, token: string) =>
  t.call('POST core/essay/read', { essayId }, { token, headers: AGENT });
/** Runs the job; the clock is advanced because recent figures are not recounted. */
async function count(): Promise<void> {
  t.advance(60_000);
  await countDays(systemCtx(t.app.services));
}

async function createActivity(): Promise<void> {
  const reader = await t.register();
  const other = await t.register();
  const [first = '', second = ''] = essays;
  for (const { token } of [reader, other]) await read(first, token);
  await read(second, reader.token);
  const { token } = reader;
  const responses = [
    await t.call('POST core/essay/cmt', { essayId: first, content: '写得清楚' }, { token }),
    await t.call(
      'POST core/essay/pri/msg',
      { toUserId: other.user.id, subject: '问候', content: '你好' },
      { token },
    ),
    await t.call(
      'POST core/essay/pri/chat',
      { toUserId: other.user.id, content: '在吗', clientId: newId() },
      { token },
    ),
  ];
  expect(responses.map(({ errorMessage }) => errorMessage)).toEqual([undefined, undefined, undefined]);
  await rechargeBalance(t, reader, 5000);
  await createOrder(t, reader, { kind: 'read', targetId: second, payBy: 'balance' });
}

type Day = Output<'GET core/sys/stat/'>['days'][number];

async function recount(days: string[]): Promise<Day[]> {
  const times = async (text: string) =>
    (await query<{ at: Date; amount: number }>(text)).map(({ at, amount }) => ({
      day: chinaDayOf(at),
      amount,
    }));
  const plain = async (table: string) => times(`select created_at as at, 1 as amount from ${table}`);
  const reads = await query<{ day: string; amount: number }>(
    `select to_char(day, 'YYYY-MM-DD') as day, reads as amount from essay_days`,
  );
  const [registrations, comments, letters, chats] = [
    await plain('users'),
    await plain('comments'),
    await plain('letters'),
    await plain('chat_messages'),
  ];
  const publications = await times(
    'select created_at as at, 1 as amount from essay_records where to_status = 3 and not revision',
  );
  const turnover = await times(
    `select paid_at as at, amount from orders where kind <> 'recharge' and paid_at is not null`,
  );
  const refunded = await times(
    `select refunded_at as at, amount from orders where kind <> 'recharge' and refunded_at is not null`,
  );
  return days.map((day) => {
    const sumOn = (rows: { day: string; amount: number }[]) =>
      rows.filter((row) => row.day === day).reduce((sum, { amount }) => sum + amount, 0);
    return {
      day,
      reads: sumOn(reads),
      registrations: sumOn(registrations),
      publications: sumOn(publications),
      comments: sumOn(comments),
      messages: sumOn([...letters, ...chats]),
      turnover: sumOn(turnover),
      refunded: sumOn(refunded),
    };
  });
}

beforeAll(async () => {
  t = await startTestApp({ runsJobs: true, config: { paySandbox: true } });
  // Noon in China, because shortly after midnight the day before is still incomplete.
  t.advance((DAY + NOON - (Date.now() % DAY)) % DAY);
  admin = await t.signInAdmin();
  [writer, otherWriter] = [await createWriter(t), await createWriter(t)];
  essays = [await publishEssay(t, writer), await publishEssay(t, otherWriter, { price: 990 })];
});
afterAll(() => t.close());

test('figures of current and past days match a recount and are compared with the range before', async () => {
  await createActivity();
  // No count has run yet: the first one includes past days.
  t.advance(DAY);
  await createActivity();
  const [order] = await query<{ id: string }>(
    `select id from orders where kind = 'read' order by id limit 1`,
  );
  await t.call('PUT core/sys/order/refund', { id: order?.id, reason: '买错了' }, { token: admin });
  await Promise.all([count(), count()]);
  const found = await stats({ days: 7 });
  expect(found.days.map(({ day }) => day)).toEqual([6, 5, 4, 3, 2, 1, 0].map(daysAgo));
  expect(found.days).toEqual(await recount(found.days.map(({ day }) => day)));
  expect(found.days.at(-1)).toMatchObject({
    reads: 3,
    comments: 1,
    messages: 2,
    turnover: 990,
    refunded: 990,
  });
  expect(found).toMatchObject({ from: daysAgo(6), to: today(), updatedAt: expect.any(String) });
  expect(found.total).toMatchObject({ reads: 6, publications: 2, comments: 2, messages: 4, turnover: 1980 });
  const own = await stats({ from: today(), to: today() });
  expect(own.days).toEqual([found.days.at(-1)]);
  expect(own.before).toMatchObject({ reads: 3, publications: 2, turnover: 990, refunded: 0 });
});

test('a complete day changes only by payments reported late; incomplete days are recount', async () => {
  const yesterday = (await stats({ days: 7 })).days.at(-1);
  t.advance(DAY);
  await count();
  await query(`delete from comments`);
  await query(`update orders set paid_at = paid_at - interval '1 day' where kind = 'read' and status = 1`);
  await createActivity();
  await count();
  const { days } = await stats({ days: 7 });
  expect(days.at(-2)).toEqual(yesterday);
  expect(days.at(-1)).toMatchObject({ reads: 3, comments: 1, registrations: 2 });
  t.advance(DAY);
  await count();
  const { days: next } = await stats({ days: 7 });
  expect(next.at(-3)).toEqual({ ...yesterday, turnover: 0 });
  await recountDays(systemCtx(t.app.services));
  expect((await stats()).updatedAt).toBeNull();
  await count();
  const { days: all } = await stats();
  expect(all).toEqual(await recount(all.map(({ day }) => day)));
});

test('ranks the essays and writers of a range when somebody views it', async () => {
  const [first = '', second = ''] = essays;
  const ranked = async (input: object) => {
    expect((await stats(input)).tops).toBeNull();
    await expect.poll(async () => (await stats(input)).tops).not.toBeNull();
    const { tops } = await stats(input);
    return [
      tops?.essays.map(({ id, reads }) => [id, reads]),
      tops?.writers.map(({ id, reads }) => [id, reads]),
    ];
  };
  expect(await ranked({ days: 60 })).toEqual([
    [
      [first, 6],
      [second, 3],
    ],
    [
      [writer.user.id, 6],
      [otherWriter.user.id, 3],
    ],
  ]);
  const day = daysAgo(1);
  expect((await ranked({ from: day, to: day }))[0]).toEqual([
    [first, 2],
    [second, 1],
  ]);
  await t.call('DELETE core/essay/{id}', { id: first }, { token: writer.token });
  expect((await stats({ days: 60 })).tops?.essays.map(({ id }) => id)).toEqual([second]);
});

test('figures, money and pending counts each require their permission', async () => {
  expect((await t.call('GET core/sys/stat/')).status).toBe(401);
  expect((await t.call('GET core/sys/stat/todo')).status).toBe(401);
  const reader = await t.register();
  const staff = await createStaff(t, ['comment:list']);
  for (const { token } of [reader, staff])
    expect((await t.call('GET core/sys/stat/', {}, { token })).status).toBe(403);
  const [auditor, finance] = [
    await createStaffWithRole(t, 'auditor'),
    await createStaffWithRole(t, 'finance'),
  ];
  expect((await stats({}, auditor.token)).total).toMatchObject({ reads: 9, turnover: null, refunded: null });
  expect((await stats({}, finance.token)).total).toMatchObject({ reads: 9, refunded: 990 });
  await submitEssay(t, writer);
  const getPending = (token: string) => t.call('GET core/sys/stat/todo', {}, { token });
  expect((await getPending(reader.token)).status).toBe(403);
  const nothing = { essays: null, comments: null, reports: null, applications: null, withdrawals: null };
  expect((await getPending(staff.token)).data).toEqual({ ...nothing, comments: 0 });
  expect((await getPending(auditor.token)).data).toEqual({
    essays: 1,
    comments: 0,
    reports: 0,
    applications: 0,
    withdrawals: null,
  });
  expect((await getPending(finance.token)).data).toEqual({ ...nothing, withdrawals: 0 });
});

test('rejects invalid ranges of days', async () => {
  const request = (input: object) => t.call('GET core/sys/stat/', input, { token: admin });
  for (const input of [
    { days: 0 },
    { days: 367 },
    { from: '2026-13-01' },
    { to: daysAgo(1) },
    { from: daysAgo(1), to: daysAgo(2) },
    { from: daysAgo(1), to: chinaDayOf(new Date(now().getTime() + DAY)) },
    { from: daysAgo(366), to: today() },
  ])
    expect(await request(input), JSON.stringify(input)).toMatchObject({ status: 422, errorCode: 'INVALID' });
  expect((await request({ from: daysAgo(365) })).data.days).toHaveLength(366);
});
