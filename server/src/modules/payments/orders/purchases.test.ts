import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter, publishEssay, type TestUser } from '../../../testing/essays.ts';
import { createOrder, listLedgerProblems, rechargeBalance } from '../../../testing/orders.ts';
import { uploadFile } from '../../../testing/uploads.ts';

const OPEN = '谁都能读的开头';
const SECRET = '锁住的秘密';
const content = `${OPEN}。\n\n${'铺垫的句子。'.repeat(40)}\n\n## ${SECRET}标题\n\n${`${SECRET}。`.repeat(60)}\n`;

let t: TestApp;
let author: TestUser;
let buyer: TestUser;
let stranger: TestUser;
let admin: string;
beforeAll(async () => {
  t = await startTestApp({ config: { paySandbox: true } });
  author = await createWriter(t);
  buyer = await t.register();
  stranger = await t.register();
  admin = await t.signInAdmin();
  await rechargeBalance(t, buyer, 100_000);
});
afterAll(async () => {
  expect(await listLedgerProblems(t)).toEqual([]);
  await t.close();
});

const read = (id: string, token?: string) => t.call('GET core/essay/{id}', { id }, { token });
const buy = (kind: 'read' | 'column', targetId: string) =>
  createOrder(t, buyer, { kind, targetId, payBy: 'balance' });
const setStatus = (id: string, status: number, token = author.token) =>
  t.call('PUT core/essay/status', { id, status }, { token });

/** All responses of the server that may contain text of the essay. */
async function everything(id: string, token?: string): Promise<string> {
  const responses = [
    await read(id, token),
    await t.call('GET core/essay/', { keyword: SECRET }, { token }),
    await t.call('GET core/essay/{id}/source', { id }, { token }),
    await t.call('GET core/essay/{id}/revision', { id, revision: 1 }, { token }),
    await t.call('POST core/essay/download', { essayId: id }, { token }),
  ];
  return JSON.stringify(responses.map(({ data }) => data));
}

test('sends locked text to buyers only', async () => {
  const id = await publishEssay(t, author, { content, price: 500 });
  for (const token of [undefined, stranger.token, buyer.token]) {
    expect(await everything(id, token)).not.toContain(SECRET);
    expect((await read(id, token)).data).toMatchObject({ locked: 'buy', mine: { bought: false } });
  }
  await createOrder(t, buyer, { kind: 'read', targetId: id, payBy: 'sandbox' });
  expect((await read(id, buyer.token)).data.html).not.toContain(SECRET);
  await buy('read', id);
  const { data } = await read(id, buyer.token);
  expect(data).toMatchObject({ locked: null, mine: { bought: true } });
  expect(data.html).toContain(SECRET);
  expect(data.toc.map(({ text }) => text)).toContain(`${SECRET}标题`);
  const link = await t.call('POST core/essay/download', { essayId: id }, { token: buyer.token });
  const file = await t.app.server.inject({ url: link.data.url });
  expect(file.body).toContain(SECRET);
  for (const token of [undefined, stranger.token]) expect(await everything(id, token)).not.toContain(SECRET);
});

test('a buyer can read the essay off the shelf and during a revision', async () => {
  const id = await publishEssay(t, author, { content, price: 500, title: '原来的题目' });
  await buy('read', id);
  await setStatus(id, 4);
  const purchased = await read(id, buyer.token);
  expect(purchased.data).toMatchObject({ status: 4, locked: null, title: '原来的题目' });
  expect(purchased.data.html).toContain(SECRET);
  for (const token of [undefined, stranger.token]) expect((await read(id, token)).status).toBe(404);
  await setStatus(id, 0);
  const { version } = (await t.call('GET core/essay/{id}/source', { id }, { token: author.token })).data;
  const file = { name: 'a.txt', content: '没有审过的附件' };
  const uploaded = await uploadFile(t, 'core/minio/upload?kind=attachment', file, author.token);
  const rewritten = {
    id,
    version,
    title: '没有审过的题目',
    content: '没有审过的正文。',
    tags: ['没有审过'],
    attachments: [uploaded.data.id],
  };
  expect((await t.call('PUT core/essay/', rewritten, { token: author.token })).success).toBe(true);
  const still = await read(id, buyer.token);
  expect(still.data).toMatchObject({ locked: null, title: '原来的题目', tags: [], attachments: [] });
  expect(still.data.html).toContain(SECRET);
  const link = await t.call('POST core/essay/download', { essayId: id }, { token: buyer.token });
  const downloaded = await t.app.server.inject({ url: link.data.url });
  expect(downloaded.body).toContain(SECRET);
  expect(downloaded.body).not.toContain('没有审过的正文');
});

test('nobody can delete a purchased essay', async () => {
  const id = await publishEssay(t, author, { content, price: 500 });
  await buy('read', id);
  for (const token of [author.token, admin]) {
    const response = await t.call('DELETE core/essay/{id}', { id, reason: '不要了' }, { token });
    expect(response.errorCode).toBe('ESSAY_SOLD');
  }
  expect((await read(id, buyer.token)).data.html).toContain(SECRET);
});

test('of a concurrent purchase and deletion only one succeeds', async () => {
  for (let round = 0; round < 4; round++) {
    const id = await publishEssay(t, author, { price: 500 });
    const [bought, deleted] = await Promise.all([
      t.call(
        'POST core/user/order',
        { kind: 'read', targetId: id, payBy: 'balance' },
        { token: buyer.token },
      ),
      t.call('DELETE core/essay/{id}', { id }, { token: author.token }),
    ]);
    expect(bought.success).toBe(!deleted.success);
  }
});

test('buying a column unlocks its current and later essays', async () => {
  const column = await t.call(
    'POST core/essay/column',
    { name: '合集', price: 900 },
    { token: author.token },
  );
  const columnId = column.data.id;
  const first = await publishEssay(t, author, { content, price: 500, columnId });
  const own = await publishEssay(t, author, { content, price: 500 });
  expect((await read(first)).data.column).toMatchObject({ id: columnId, price: 900 });
  const order = await buy('column', columnId);
  expect(order).toMatchObject({
    kind: 'column',
    title: '合集',
    amount: 900,
    target: { id: columnId, url: `/column/${columnId}.html` },
  });
  const later = await publishEssay(t, author, { content, price: 500, columnId });
  for (const id of [first, later]) {
    expect((await read(id, buyer.token)).data).toMatchObject({ locked: null, mine: { bought: true } });
    const again = { kind: 'read', targetId: id, payBy: 'balance' };
    expect((await t.call('POST core/user/order', again, { token: buyer.token })).errorCode).toBe(
      'ALREADY_OWNED',
    );
  }
  const twice = { kind: 'column', targetId: columnId, payBy: 'balance' };
  expect((await t.call('POST core/user/order', twice, { token: buyer.token })).errorCode).toBe(
    'ALREADY_OWNED',
  );
  expect((await read(own, buyer.token)).data.locked).toBe('buy');

  for (const [route, token] of [
    ['DELETE core/essay/column', author.token],
    ['DELETE core/sys/column/', admin],
  ] as const)
    expect((await t.call(route, { id: columnId }, { token })).errorCode).toBe('COLUMN_SOLD');
  const removed = await t.call('DELETE core/essay/{id}', { id: first }, { token: author.token });
  expect(removed.errorCode).toBe('ESSAY_SOLD');
  const leave = (id: string, version: number) =>
    t.call('PUT core/essay/', { id, version, columnId: null }, { token: author.token });
  expect((await leave(first, 1)).errorCode).toBe('COLUMN_SOLD');
  // Essays that were never on the shelf are not part of the purchase.
  const draft = await t.call('POST core/essay/', { title: '草稿', columnId }, { token: author.token });
  expect((await read(draft.data.id, buyer.token)).status).toBe(404);
  expect((await leave(draft.data.id, 1)).success).toBe(true);

  const paidBack = await t.call(
    'PUT core/sys/order/refund',
    { id: order.id, reason: '退' },
    { token: admin },
  );
  expect(paidBack.success).toBe(true);
  expect((await read(first, buyer.token)).data).toMatchObject({ locked: 'buy', mine: { bought: false } });
  expect((await t.call('DELETE core/essay/column', { id: columnId }, { token: author.token })).success).toBe(
    true,
  );
});

test('a column that is bought while an essay is being removed keeps the essay', async () => {
  const column = await t.call(
    'POST core/essay/column',
    { name: '另一本', price: 900 },
    { token: author.token },
  );
  const columnId = column.data.id;
  const id = await publishEssay(t, author, { content, price: 500, columnId });
  const leaving = { id, version: 1, columnId: null, status: 1 };
  expect((await t.call('PUT core/essay/', leaving, { token: author.token })).success).toBe(true);
  await buy('column', columnId);
  const approved = { id, status: 3, revision: true };
  expect((await t.call('PUT core/essay/status', approved, { token: admin })).success).toBe(true);
  expect((await read(id, buyer.token)).data).toMatchObject({ locked: null, column: { id: columnId } });
});
