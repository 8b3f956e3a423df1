import { afterAll, beforeAll, expect, test } from 'vitest';
import { chinaDayOf } from '../../../day.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter, publishEssay, submitEssay, type TestUser } from '../../../testing/essays.ts';
import { createOrder, rechargeBalance } from '../../../testing/orders.ts';

let t: TestApp;
let writer: TestUser;
let essays: string[];
beforeAll(async () => {
  t = await startTestApp({ config: { paySandbox: true } });
  writer = await createWriter(t);
  essays = [];
  for (let i = 0; i < 3; i++) essays.push(await publishEssay(t, writer));
  await submitEssay(t, writer);
});
afterAll(() => t.close());

const AGENT = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36',
};
const DAY = 86_400_000;
const now = () => t.app.services.clock();
const stats = (input: object = {}, token: string | undefined = writer.token) =>
  t.call('GET core/user/stat', input, { token });
const perEssay = (input: object = {}, token: string | undefined = writer.token) =>
  t.call('GET core/user/stat/essay', input, { token });

const zeros = { reads: 0, likes: 0, comments: 0, collects: 0, shares: 0, income: 0 };

test('returns every requested day, with zeros for days without activity', async () => {
  const { data } = await stats({ days: 7 });
  expect(data.total).toEqual({ ...zeros, followers: 0, essays: 3 });
  expect(data.days.map((each) => each.day)).toEqual(
    [6, 5, 4, 3, 2, 1, 0].map((ago) => chinaDayOf(new Date(now().getTime() - ago * DAY))),
  );
  for (const each of data.days) expect(each).toEqual({ ...zeros, followers: 0, day: each.day });
  expect((await stats()).data.days).toHaveLength(30);
});

test('counts actions on their day and in the totals, and subtracts those that are undone', async () => {
  const [first = '', second = ''] = essays;
  const reader = await t.register();
  const other = await t.register();
  const read = (id: string, token: string) =>
    t.call('POST core/essay/read', { essayId: id }, { token, headers: AGENT });
  const like = (id: string, token: string) => t.call('POST core/essay/like', { essayId: id }, { token });
  await read(first, reader.token);
  await like(first, reader.token);
  await t.call('POST core/essay/follow', { userId: writer.user.id }, { token: reader.token });
  t.advance(DAY);
  await read(first, reader.token);
  await read(second, other.token);
  await like(second, reader.token);
  await like(second, other.token);
  await t.call('DELETE core/essay/like', { essayId: second }, { token: other.token });
  await t.call('DELETE core/essay/follow', { userId: writer.user.id }, { token: reader.token });
  const { data } = await stats({ days: 7 });
  expect(data.total).toEqual({ ...zeros, reads: 3, likes: 2, followers: 0, essays: 3 });
  expect(data.days.slice(-2)).toMatchObject([
    { day: chinaDayOf(new Date(now().getTime() - DAY)), reads: 1, likes: 1, followers: 1 },
    { day: chinaDayOf(now()), reads: 2, likes: 1, followers: -1 },
  ]);
});

test('lists the figures of each published essay, sorted by any of them', async () => {
  const [first, second, third] = essays;
  const order = async (sort?: string) =>
    (await perEssay(sort ? { sort } : {})).data.list.map((each) => each.id);
  expect(await order()).toEqual([third, second, first]);
  expect(await order('reads')).toEqual([first, second, third]);
  expect((await perEssay({ sort: 'reads' })).data).toMatchObject({
    total: 3,
    list: [{ reads: 2, likes: 1 }, {}, {}],
  });
  for (const sort of ['publishedAt', 'reads', 'likes', 'comments', 'collects', 'shares', 'income']) {
    const all = await order(sort);
    const paged: string[] = [];
    let cursor: string | null = null;
    do {
      const { data } = await perEssay({ sort, pageSize: 1, ...(cursor === null ? {} : { cursor }) });
      paged.push(...data.list.map((each) => each.id));
      cursor = data.next;
    } while (cursor !== null);
    expect(paged, sort).toEqual(all);
  }
  expect((await perEssay({ sort: 'price' })).status).toBe(422);
});

test('only writers see figures, and only their own', async () => {
  expect((await t.call('GET core/user/stat')).status).toBe(401);
  const reader = await t.register();
  expect((await stats({}, reader.token)).status).toBe(403);
  expect((await perEssay({}, reader.token)).status).toBe(403);
  const another = await createWriter(t);
  expect((await stats({}, another.token)).data.total).toEqual({ ...zeros, followers: 0, essays: 0 });
  expect((await perEssay({}, another.token)).data.list).toEqual([]);
  for (const days of [6, 367]) expect((await stats({ days })).status).toBe(422);
});

test('excludes deleted essays', async () => {
  await t.call('DELETE core/essay/{id}', { id: essays[0] }, { token: writer.token });
  const { data } = await stats({ days: 7 });
  expect(data.total).toMatchObject({ reads: 1, likes: 1, essays: 2 });
  expect(data.days.at(-2)).toMatchObject({ reads: 0, likes: 0 });
});

test('income is sales and rewards minus refunds, each on its day', async () => {
  const author = await createWriter(t);
  const { token } = author;
  const column = (await t.call('POST core/essay/column', { name: '专栏', price: 2000 }, { token })).data.id;
  const priced = await publishEssay(t, author, { price: 1000 });
  const free = await publishEssay(t, author, { columnId: column });
  const reader = await t.register();
  await rechargeBalance(t, reader, 10_000);
  const { id } = await createOrder(t, reader, { kind: 'read', targetId: priced, payBy: 'balance' });
  const given = { essayId: free, amount: 501, payBy: 'balance' };
  await t.call('POST core/essay/reward', given, { token: reader.token });
  t.advance(DAY);
  await createOrder(t, reader, { kind: 'column', targetId: column, payBy: 'balance' });
  const incomes = async () => {
    const { data } = await stats({ days: 7 }, token);
    const { list } = (await perEssay({ sort: 'income' }, token)).data;
    return {
      total: data.total.income,
      days: data.days.slice(-2).map(({ income }) => income),
      essays: list.map((each) => [each.id, each.income]),
    };
  };
  expect(await incomes()).toEqual({
    total: 900 + 451 + 1800,
    days: [900 + 451, 1800],
    essays: [
      [priced, 900],
      [free, 451],
    ],
  });
  const admin = await t.signInAdmin();
  const refund = await t.call('PUT core/sys/order/refund', { id, reason: '买错了' }, { token: admin });
  expect(refund.success).toBe(true);
  await t.call('POST core/user/withdraw', { amount: 1000, account: '支付宝 a@b.cn' }, { token });
  expect(await incomes()).toEqual({
    total: 451 + 1800,
    days: [900 + 451, 1800 - 900],
    essays: [
      [free, 451],
      [priced, 0],
    ],
  });
  const first = (await perEssay({ sort: 'income', pageSize: 1 }, token)).data;
  const second = (await perEssay({ sort: 'income', pageSize: 1, cursor: first.next }, token)).data;
  expect(second.list.map((each) => each.id)).toEqual([priced]);
});

test('returns the days before as well, and the reads and income of single essays', async () => {
  const { data } = await stats({ days: 7 });
  expect(data.before).toHaveLength(7);
  expect((data.before.at(-1)?.day ?? '') < (data.days[0]?.day ?? '')).toBe(true);
  const plot = (ids: string[], token?: string) => t.call('POST core/user/stat/plot', { ids }, { token });
  expect((await plot(essays)).status).toBe(401);
  expect((await plot(essays, (await t.register()).token)).data.list).toEqual([]);
  const { list } = (await plot(essays, writer.token)).data;
  const perEssayList = (await perEssay()).data.list;
  expect(list.length).toBeGreaterThan(0);
  for (const { id, reads, income } of list) {
    const expected = perEssayList.find((each) => each.id === id);
    expect(reads).toHaveLength(30);
    expect(reads.reduce((sum, count) => sum + count, 0)).toBe(expected?.reads);
    expect(income).toBe(expected?.income);
  }
});
