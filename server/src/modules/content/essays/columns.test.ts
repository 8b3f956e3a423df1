import type { Column } from '@mozhan/contract/columns.ts';
import type { Page } from '@mozhan/contract/common.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../db/id.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter, publishEssay, type TestUser } from '../../../testing/essays.ts';
import { createStaff } from '../../../testing/staff.ts';

let t: TestApp;
let author: TestUser;
let stranger: TestUser;
beforeAll(async () => {
  t = await startTestApp();
  author = await createWriter(t);
  stranger = await createWriter(t, '别人');
});
afterAll(() => t.close());

const create = async (fields: object = {}, token = author.token) =>
  (await t.call('POST core/essay/column', { name: '系列', ...fields }, { token })).data;
const list = async (query: object, token?: string) =>
  (await t.call('GET core/essay/column', query, { token })).data as Page<Column>;
const one = (id: string) => t.call('GET core/essay/column', { id });

test('lets writers create columns that everyone sees', async () => {
  const reader = await t.register();
  expect((await t.call('POST core/essay/column', { name: '系列' })).status).toBe(401);
  expect((await t.call('POST core/essay/column', { name: '系列' }, { token: reader.token })).status).toBe(
    403,
  );
  const first = await create({ name: '第一个', summary: '简介', price: 1900 });
  const second = await create({ name: '第二个' });
  expect(first).toMatchObject({ name: '第一个', summary: '简介', price: 1900, essayCount: 0 });
  const page = await list({ authorId: author.user.id });
  expect(page.list.map(({ id }) => id)).toEqual([second.id, first.id]);
  expect((await list({}, author.token)).total).toBe(2);
  expect((await t.call('GET core/essay/column', {})).status).toBe(401);
  const next = await list({
    authorId: author.user.id,
    pageSize: 1,
    cursor: (await list({ authorId: author.user.id, pageSize: 1 })).next,
  });
  expect(next.list.map(({ id }) => id)).toEqual([first.id]);
});

test.each([
  { name: '' },
  { name: '长'.repeat(41) },
  { name: '系列', price: 50 },
  { name: '系列', cover: '/files/none.webp' },
])('rejects an invalid column: %o', async (fields) => {
  expect((await t.call('POST core/essay/column', fields, { token: author.token })).status).toBe(422);
});

test('lets only the author change and remove a column, and keeps its essays', async () => {
  const column = await create();
  const id = await publishEssay(t, author, { columnId: column.id });
  expect((await one(column.id)).data).toMatchObject({ essayCount: 1 });
  const change = (token: string) =>
    t.call('PUT core/essay/column', { id: column.id, name: '新名字' }, { token });
  const remove = (token: string) => t.call('DELETE core/essay/column', { id: column.id }, { token });
  expect((await change(stranger.token)).status).toBe(403);
  expect((await remove(stranger.token)).status).toBe(403);
  expect((await change(author.token)).data).toMatchObject({ name: '新名字', essayCount: 1 });
  expect((await remove(author.token)).success).toBe(true);
  expect((await one(column.id)).status).toBe(404);
  expect((await t.call('GET core/essay/{id}', { id })).data.column).toBeNull();
});

test('rejects an order with essays of other columns', async () => {
  const column = await create();
  const inside = await publishEssay(t, author, { columnId: column.id });
  const outside = await publishEssay(t, author);
  const order = (essayIds: string[]) =>
    t.call('PUT core/essay/column', { id: column.id, essayIds }, { token: author.token });
  expect((await order([outside])).fields).toHaveProperty('essayIds');
  expect((await order([inside])).success).toBe(true);
  expect((await order([newId()])).status).toBe(422);
});

test('lists the essays of a column in its order when filtered by author and column', async () => {
  const column = await create();
  const [first, , second] = [
    await publishEssay(t, author, { columnId: column.id }),
    await publishEssay(t, author),
    await publishEssay(t, author, { columnId: column.id }),
  ];
  const asked = async (query: object) => (await t.call('GET core/essay/', query)).data;
  const ids = async (query: object) => (await asked(query)).list.map(({ id }) => id);
  const both = { authorId: author.user.id, columnId: column.id };
  expect(await ids(both)).toEqual([first, second]);
  expect((await asked(both)).total).toBe(2);
  await t.call(
    'PUT core/essay/column',
    { id: column.id, essayIds: [second, first] },
    { token: author.token },
  );
  expect(await ids(both)).toEqual([second, first]);
  const page = await asked({ ...both, pageSize: 1 });
  expect(await ids({ ...both, pageSize: 1, cursor: page.next })).toEqual([first]);
  expect(await ids({ ...both, authorId: stranger.user.id })).toEqual([]);
});

test('limits an author to fifty columns', async () => {
  const many = await createWriter(t, '很多专栏');
  for (let i = 0; i < 50; i += 1) await create({ name: `第 ${i} 个` }, many.token);
  const response = await t.call('POST core/essay/column', { name: '多一个' }, { token: many.token });
  expect(response.errorCode).toBe('TOO_MANY_COLUMNS');
});

test('lets staff with the permission list, rename and remove any column', async () => {
  const column = await create({ name: '要改名的' });
  const staff = await createStaff(t, ['column:list', 'column:update', 'column:remove']);
  const listed = (token?: string) => t.call('GET core/sys/column/', { keyword: '要改' }, { token });
  const renamed = (token?: string) =>
    t.call('PUT core/sys/column/', { id: column.id, name: '改了名' }, { token });
  const removed = (token?: string) => t.call('DELETE core/sys/column/', { id: column.id }, { token });
  for (const call of [listed, renamed, removed]) {
    expect((await call()).status).toBe(401);
    expect((await call(author.token)).status).toBe(403);
  }
  expect((await listed(staff.token)).data.list.map(({ name }) => name)).toEqual(['要改名的']);
  expect((await renamed(staff.token)).data).toMatchObject({ name: '改了名' });
  expect((await removed(staff.token)).success).toBe(true);
});

test('requires the permission for each staff list of essays', async () => {
  const id = await publishEssay(t, author, { title: '给工作人员看的' });
  const lister = (await createStaff(t, ['essay:list'])).token;
  const auditor = (await createStaff(t, ['essay:audit'])).token;
  const all = (token?: string) => t.call('GET core/sys/essay/', { keyword: '给工作' }, { token });
  const queue = (token?: string) => t.call('GET core/sys/essay/queue', {}, { token });
  const audit = (token?: string) => t.call('GET core/sys/essay/audit', { id }, { token });
  for (const call of [all, queue, audit]) {
    expect((await call()).status).toBe(401);
    expect((await call(author.token)).status).toBe(403);
  }
  expect((await all(auditor)).status).toBe(403);
  expect((await queue(lister)).status).toBe(403);
  expect((await audit(lister)).status).toBe(403);
  expect((await all(lister)).data.list.map((essay) => essay.id)).toEqual([id]);
  // The audit view exists only for essays that wait for a decision.
  expect((await audit(auditor)).status).toBe(404);
  for (const [filter, found] of [
    [{ status: 3 }, true],
    [{ status: 0 }, false],
    [{ authorId: author.user.id }, true],
    [{ authorId: stranger.user.id }, false],
  ] as const) {
    const { data } = await t.call('GET core/sys/essay/', { ...filter, pageSize: 100 }, { token: lister });
    expect(data.list.some((essay) => essay.id === id)).toBe(found);
  }
});

test('the page of a column: sums, the first essay, and for a reader where to continue and what was bought', async () => {
  const column = await create({ name: '周末编译器', price: 900 });
  const detail = async (token?: string) =>
    (await t.call('GET core/essay/column/{id}', { id: column.id }, { token })).data;
  expect(await detail()).toMatchObject({ essayCount: 0, wordCount: 0, paidCount: 0, first: null });
  const ids = [];
  for (const price of [0, 600, 0]) ids.push(await publishEssay(t, author, { columnId: column.id, price }));
  const [first, second, third] = ids;
  const cards = (await t.call('GET core/essay/', { columnId: column.id })).data.list;
  const nobody = { followed: false, bought: false, finished: 0, resume: null, essays: [] };
  expect(await detail()).toMatchObject({
    essayCount: 3,
    paidCount: 1,
    wordCount: cards.reduce((sum, card) => sum + card.wordCount, 0),
    first: { id: first, slug: null, title: cards[0]?.title },
    mine: nobody,
  });

  const reader = await t.register();
  expect((await detail(reader.token)).mine).toEqual(nobody);
  const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
  const read = (essayId: string | undefined, progress: number) => {
    t.advance(1000);
    return t.call('POST core/essay/read', { essayId, progress }, { token: reader.token, headers });
  };
  const mine = async () => (await detail(reader.token)).mine;
  await read(second, 40);
  expect(await mine()).toMatchObject({
    finished: 0,
    resume: { id: second, position: 2, progress: 40 },
    essays: [{ id: second, progress: 40, bought: false }],
  });
  await read(second, 100);
  expect(await mine()).toMatchObject({ finished: 1, resume: { id: third, position: 3, progress: 0 } });
  await read(third, 97);
  // Everything after the last one is finished, so it continues at the beginning.
  expect(await mine()).toMatchObject({ finished: 2, resume: { id: first, position: 1, progress: 0 } });
  await read(first, 100);
  expect(await mine()).toMatchObject({ finished: 3, resume: null });

  const buy = (kind: 'read' | 'column', targetId: string | undefined) =>
    t.app.services.pool.query(
      `insert into purchases (user_id, target_id, kind, order_id, created_at) values ($1, $2, $3, $4, now())`,
      [reader.user.id, targetId, kind === 'read' ? 'essay' : kind, newId()],
    );
  await buy('read', second);
  expect(await mine()).toMatchObject({
    bought: false,
    essays: [{ bought: false }, { id: second, bought: true }, { bought: false }],
  });
  await buy('column', column.id);
  expect((await mine()).bought).toBe(true);
  expect((await t.call('GET core/essay/column/{id}', { id: newId() })).status).toBe(404);
});

test('the visitor’s data of a column changes with its essays at once', async () => {
  const column = await create();
  const detail = async () => (await t.call('GET core/essay/column/{id}', { id: column.id })).data;
  expect((await detail()).essayCount).toBe(0);
  const id = await publishEssay(t, author, { columnId: column.id });
  expect(await detail()).toMatchObject({ essayCount: 1, first: { id } });
  await t.call('PUT core/essay/status', { id, status: 4 }, { token: author.token });
  expect(await detail()).toMatchObject({ essayCount: 0, wordCount: 0, first: null });
});
