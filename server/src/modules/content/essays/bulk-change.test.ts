import type { BulkChange, BulkResult } from '@mozhan/contract/staff-essays.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import {
  categoryIds,
  createWriter,
  essayFields,
  publishEssay,
  submitEssay,
  type TestUser,
} from '../../../testing/essays.ts';
import { createOrder, listLedgerProblems, rechargeBalance } from '../../../testing/orders.ts';
import { createStaff } from '../../../testing/staff.ts';
import { checkCounters } from '../../admin/system/index.ts';

const SECRET = '付费的那一半';
const content = `开头谁都能读。\n\n${'铺垫的句子。'.repeat(40)}\n\n## 后面\n\n${`${SECRET}。`.repeat(60)}\n`;

let t: TestApp;
let author: TestUser;
let heir: TestUser;
let buyer: TestUser;
let staff: string;
beforeAll(async () => {
  t = await startTestApp({ config: { paySandbox: true } });
  author = await createWriter(t, '林砚');
  heir = await createWriter(t, '周野');
  buyer = await t.register();
  staff = (await createStaff(t, ['essay:list', 'essay:bulk'])).token;
  await rechargeBalance(t, buyer, 100_000);
});
afterAll(async () => {
  expect(await listLedgerProblems(t)).toEqual([]);
  expect(await checkCounters(systemCtx(t.app.services))).toEqual([]);
  await t.close();
});

const send = (ids: string[], change: BulkChange, token: string | undefined = staff) =>
  t.call('PUT core/sys/essay/bulk', { ids, ...change }, { token });
const change = async (ids: string[], given: BulkChange): Promise<BulkResult[]> =>
  (await send(ids, given)).data;
const errorsOf = (results: BulkResult[]) => results.map(({ error }) => error);
const read = (id: string, token?: string) => t.call('GET core/essay/{id}', { id }, { token });
const sourceOf = (id: string, token: string) => t.call('GET core/essay/{id}/source', { id }, { token });
const idsIn = async (query: object) => (await t.call('GET core/essay/', query)).data.list.map(({ id }) => id);
const newestNotice = async ({ token }: TestUser) =>
  (await t.call('GET core/user/notice', { kind: 'audit' }, { token })).data.list[0]?.text;
const balanceOf = async ({ user }: TestUser) => {
  const { rows } = await t.app.services.pool.query<{ balance: string }>(
    `select coalesce(sum(amount) filter (where payee_id = $1 and status = 1), 0) as balance from orders`,
    [user.id],
  );
  return Number(rows[0]?.balance);
};
const operationsOf = async (id: string) => {
  const { rows } = await t.app.services.pool.query(
    `select before, after from operations where call = 'PUT core/sys/essay/bulk' and target = $1`,
    [`essay:${id}`],
  );
  return rows;
};
const createColumn = async (name: string, { token }: TestUser, price = 0) =>
  (await t.call('POST core/essay/column', { name, price }, { token })).data.id;

test('changes category and tags of essays in any status, in lists, search and the author’s versions', async () => {
  const { app = '', tech = '' } = await categoryIds(t);
  const shelved = await publishEssay(t, author, { tags: ['旧的', '留着'], categoryId: tech, title: '甲文' });
  const fields = await essayFields(t, { tags: ['旧的'], title: '乙文' });
  const draft = (await t.call('POST core/essay/', fields, { token: author.token })).data.id;
  const waiting = await submitEssay(t, author);
  const results = await change([shelved, draft, waiting, shelved], {
    categoryId: app,
    addTags: ['新的', '新的'],
    removeTags: ['旧的'],
  });
  expect(results).toEqual([
    { id: shelved, title: '甲文', changed: true, error: null },
    { id: draft, title: '乙文', changed: true, error: null },
    expect.objectContaining({ id: waiting, changed: false, error: '文章正在审核，请先处理它' }),
  ]);
  expect((await read(shelved)).data).toMatchObject({ category: { slug: 'app' }, tags: ['留着', '新的'] });
  expect(await idsIn({ tag: '新的' })).toEqual([shelved]);
  expect(await idsIn({ tag: '旧的' })).toEqual([]);
  expect(await idsIn({ category: 'app' })).toEqual([shelved]);
  expect(await idsIn({ keyword: '甲文 新的' })).toContain(shelved);
  for (const [id, tags] of [
    [shelved, ['留着', '新的']],
    [draft, ['新的']],
  ] as const)
    expect((await sourceOf(id, author.token)).data).toMatchObject({ categoryId: app, tags });
  expect((await sourceOf(shelved, author.token)).data).toMatchObject({
    status: 3,
    revision: null,
    version: 1,
  });
  expect(await operationsOf(shelved)).toEqual([
    {
      before: expect.objectContaining({ categoryId: tech, tags: ['旧的', '留着'] }),
      after: expect.objectContaining({ categoryId: app, tags: ['留着', '新的'] }),
    },
  ]);
  expect(await newestNotice(author)).toBe('《乙文》：分类改为「应用」，标签改为「新的」');

  const again = await change([shelved], { categoryId: app });
  expect(again).toMatchObject([{ changed: false, error: null }]);
  expect(await operationsOf(shelved)).toHaveLength(1);
  const full = await change([shelved, draft], { addTags: ['一', '二', '三', '四'] });
  expect(errorsOf(full)).toEqual(['标签会超过 5 个，请先去掉几个', null]);
});

test('a new price applies to later buyers only, and locks or opens the text', async () => {
  const free = await publishEssay(t, author, { content, title: '先免费' });
  const paid = await publishEssay(t, author, { content, price: 500, title: '先收费' });
  await createOrder(t, buyer, { kind: 'read', targetId: paid, payBy: 'balance' });
  const income = await balanceOf(author);
  expect((await read(free)).data.html).toContain(SECRET);
  expect(errorsOf(await change([free, paid], { price: 900, memberFree: true }))).toEqual([null, null]);
  for (const id of [free, paid]) {
    const { data } = await read(id);
    expect(data).toMatchObject({ price: 900, memberFree: true, locked: 'buy' });
    expect(data.html).not.toContain(SECRET);
  }
  expect((await read(free, author.token)).data.html).toContain(SECRET);
  expect(await idsIn({ keyword: SECRET })).not.toContain(free);
  const owned = await read(paid, buyer.token);
  expect(owned.data.html).toContain(SECRET);
  expect(await balanceOf(author)).toBe(income);
  expect(await newestNotice(author)).toBe('《先收费》：价格改为 ¥ 9，买过的读者不受影响，改为会员免费');
  const order = await createOrder(t, buyer, { kind: 'read', targetId: free, payBy: 'balance' });
  expect(order).toMatchObject({ amount: 900 });

  expect(errorsOf(await change([free, paid], { price: 0, memberFree: false }))).toEqual([null, null]);
  for (const id of [free, paid]) {
    const { data } = await read(id);
    expect(data).toMatchObject({ price: 0, locked: null });
    expect(data.html).toContain(SECRET);
  }
  expect(await idsIn({ keyword: SECRET })).toContain(free);
  const { rows } = await t.app.services.pool.query(
    'select 1 from essay_locked_texts where essay_id = any($1)',
    [[free, paid]],
  );
  expect(rows).toEqual([]);
});

test('locks the text of an essay off the shelf, also when it returns', async () => {
  const id = await publishEssay(t, author, { content });
  await t.call('PUT core/essay/status', { id, status: 4 }, { token: author.token });
  expect(errorsOf(await change([id], { price: 300 }))).toEqual([null]);
  await t.call('PUT core/essay/status', { id, status: 3 }, { token: author.token });
  const { data } = await read(id);
  expect(data).toMatchObject({ price: 300, locked: 'buy', status: 3 });
  expect(JSON.stringify(data)).not.toContain(SECRET);
});

test('a new author gets the essay, its counts and later income; the former author loses access', async () => {
  const column = await createColumn('手记', author);
  const id = await publishEssay(t, author, { content, price: 500, columnId: column, title: '换手的文章' });
  await t.call('PUT core/essay/pin', { id, pinned: true }, { token: author.token });
  await t.call('POST core/essay/like', { essayId: id }, { token: buyer.token });
  const oldBuyer = await t.register();
  await rechargeBalance(t, oldBuyer, 1000);
  await createOrder(t, oldBuyer, { kind: 'read', targetId: id, payBy: 'balance' });
  const [before, heirBefore] = [await balanceOf(author), await balanceOf(heir)];
  expect(errorsOf(await change([id], { authorId: heir.user.id }))).toEqual([null]);
  const { data } = await read(id);
  expect(data).toMatchObject({ author: { id: heir.user.id }, column: null, likeCount: 1 });
  const { list } = (await t.call('GET core/essay/', { authorId: heir.user.id })).data;
  expect(list.map(({ id, pinned }) => [id, pinned])).toEqual([[id, false]]);
  expect(await idsIn({ authorId: author.user.id })).not.toContain(id);
  expect(await idsIn({ keyword: '周野' })).toContain(id);
  expect((await sourceOf(id, author.token)).status).toBe(403);
  expect((await read(id, author.token)).data).toMatchObject({ locked: 'buy', can: { edit: false } });
  const source = (await sourceOf(id, heir.token)).data;
  expect(source).toMatchObject({ columnId: null, title: '换手的文章' });
  expect(await newestNotice(author)).toContain('《换手的文章》的作者改为「周野」');
  expect(await newestNotice(heir)).toContain('《换手的文章》归到你的名下，原来的作者是「林砚」');
  expect((await read(id, oldBuyer.token)).data.html).toContain(SECRET);
  await createOrder(t, buyer, { kind: 'read', targetId: id, payBy: 'balance' });
  expect([await balanceOf(author), await balanceOf(heir)]).toEqual([before, heirBefore + 500]);
});

test('the new author keeps cover and attachments that the former author uploaded', async () => {
  const { pool } = t.app.services;
  const cover = '/files/ab/cover-of-the-former-author.webp';
  await pool.query(
    `insert into uploads (id, user_id, path, thumb_path, width, height, bytes, created_at)
      values (gen_random_uuid(), $1, $2, $2, 10, 10, 10, now())`,
    [author.user.id, cover],
  );
  const { rows } = await pool.query<{ id: string }>(
    `insert into attachments (id, user_id, name, type, bytes, path, created_at)
      values (gen_random_uuid(), $1, '附件.zip', 'application/zip', 10, 'ab/x', now()) returning replace(id::text, '-', '') as id`,
    [author.user.id],
  );
  const attachments = rows.map((row) => row.id);
  const id = await publishEssay(t, author, { cover, attachments });
  await change([id], { authorId: heir.user.id });
  const saved = await t.call(
    'PUT core/essay/',
    { id, version: 1, cover, attachments, title: '换了题目' },
    { token: heir.token },
  );
  expect(saved.success).toBe(true);
  expect((await sourceOf(id, heir.token)).data).toMatchObject({ cover, attachments, title: '换了题目' });
  const foreign = await t.call('POST core/essay/', { cover }, { token: heir.token });
  expect(foreign.fields?.cover).toContain('请先上传图片');
});

test('columns: of the author only, and sold ones keep their essays', async () => {
  const [own, sold, others] = [
    await createColumn('自己的', author),
    await createColumn('卖出的', author, 1000),
    await createColumn('别人的', heir),
  ];
  const id = await publishEssay(t, author);
  const mixed = await publishEssay(t, heir);
  expect(errorsOf(await change([id, mixed], { columnId: own }))).toEqual([
    null,
    '专栏属于另一位作者，这篇文章不能放进去',
  ]);
  expect((await read(id)).data.column).toMatchObject({ id: own, position: 1, count: 1 });
  expect(errorsOf(await change([id], { columnId: sold }))).toEqual([null]);
  await createOrder(t, buyer, { kind: 'column', targetId: sold, payBy: 'balance' });
  for (const given of [{ columnId: null }, { columnId: own }, { authorId: heir.user.id }])
    expect(errorsOf(await change([id], given))[0]).toContain('已有读者购买了这个专栏');
  expect((await read(id)).data).toMatchObject({ author: { id: author.user.id }, column: { id: sold } });
  const both = { authorId: heir.user.id, columnId: others };
  const moving = await publishEssay(t, author);
  expect(errorsOf(await change([moving], both))).toEqual([null]);
  expect((await read(moving)).data).toMatchObject({ author: { id: heir.user.id }, column: { id: others } });
  expect(errorsOf(await change([moving], { columnId: null }))).toEqual([null]);
  expect((await read(moving)).data.column).toBeNull();
});

test('refuses a bulk change that is invalid or not permitted, and changes nothing', async () => {
  const id = await publishEssay(t, author, { tags: ['原样'] });
  const list = (await createStaff(t, ['essay:list', 'essay:update'])).token;
  expect((await t.call('PUT core/sys/essay/bulk', { ids: [id], price: 100 })).status).toBe(401);
  for (const token of [author.token, buyer.token, list])
    expect((await send([id], { price: 100 }, token)).status).toBe(403);
  const reader = await t.register();
  await t.call('POST core/sys/word/', { word: '博彩', level: 'mask' }, { token: await t.signInAdmin() });
  const unknown = 'a'.repeat(32);
  for (const [given, field] of [
    [{}, 'ids'],
    [{ categoryId: unknown }, 'categoryId'],
    [{ authorId: unknown }, 'authorId'],
    [{ authorId: reader.user.id }, 'authorId'],
    [{ columnId: unknown }, 'columnId'],
    [{ columnId: await createColumn('周野的', heir), authorId: author.user.id }, 'columnId'],
    [{ addTags: ['博彩'] }, 'addTags'],
    [{ addTags: ['Vue'], removeTags: ['ｖｕｅ'] }, 'removeTags'],
    [{ price: 50 }, 'price'],
  ] as const) {
    const response = await send([id], given as BulkChange);
    expect([response.status, Object.keys(response.fields ?? {})]).toEqual([422, [field]]);
  }
  expect((await send([], { price: 0 })).status).toBe(422);
  expect((await send(Array(51).fill(id), { price: 0 })).status).toBe(422);
  expect(await change([unknown], { price: 100 })).toMatchObject([{ error: '没有找到这篇文章' }]);
  expect(await operationsOf(id)).toEqual([]);
  expect((await read(id)).data).toMatchObject({ tags: ['原样'], price: 0 });
});

/** Starts the calls one after the other while the essay is locked, so that each has read it before any changes it. */
async function runAfterReading(id: string, calls: (() => Promise<unknown>)[]): Promise<void> {
  const { pool } = t.app.services;
  const client = await pool.connect();
  await client.query('begin');
  await client.query('select 1 from essays where id = $1 for update', [id]);
  const countWaiting = async () =>
    (
      await pool.query(`select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%from "essays"%'`)
    ).rows.length;
  const started: Promise<unknown>[] = [];
  for (const call of calls) {
    started.push(call());
    await expect.poll(countWaiting).toBe(started.length);
  }
  await client.query('rollback');
  client.release();
  await Promise.all(started);
}

test('a bulk change and a save of the author at the same time lose nothing', async () => {
  const id = await publishEssay(t, author, { title: '同时', tags: ['起点'] });
  await runAfterReading(id, [
    () => change([id], { addTags: ['员工加的'] }),
    () => t.call('PUT core/essay/', { id, version: 1, content: '作者写的新内容' }, { token: author.token }),
  ]);
  const source = (await sourceOf(id, author.token)).data;
  expect(source).toMatchObject({ content: '作者写的新内容', tags: ['起点', '员工加的'] });
  expect((await read(id)).data.tags).toEqual(['起点', '员工加的']);
});

test('refuses what staff save for an author while the essay is given to another author', async () => {
  const { token } = await createStaff(t, ['essay:list', 'essay:edit']);
  const id = await publishEssay(t, author, { title: '换手之前' });
  let saved: string | undefined;
  await runAfterReading(id, [
    () => change([id], { authorId: heir.user.id }),
    async () => {
      const response = await t.call('PUT core/essay/', { id, version: 1, title: '换手之后' }, { token });
      saved = response.errorCode;
    },
  ]);
  expect(saved).toBe('STALE_VERSION');
  expect((await sourceOf(id, heir.token)).data).toMatchObject({ title: '换手之前', version: 1 });
});

test('two prices at the same time never leave a paid essay open to everyone', async () => {
  const id = await publishEssay(t, author, { content, price: 500 });
  await runAfterReading(id, [() => change([id], { price: 0 }), () => change([id], { price: 900 })]);
  const { data } = await read(id);
  expect({ price: data.price, isOpen: data.html.includes(SECRET) }).toEqual({ price: 0, isOpen: true });
  expect(errorsOf(await change([id], { price: 900 }))).toEqual([null]);
  expect((await read(id)).data.html).not.toContain(SECRET);
});

test('an essay that gets a price while its author submits it is not open to everyone', async () => {
  const fields = await essayFields(t, { content });
  const { id } = (await t.call('POST core/essay/', fields, { token: author.token })).data;
  let submitted: string | undefined;
  await runAfterReading(id, [
    () => change([id], { price: 500 }),
    async () => {
      const response = await t.call('PUT core/essay/status', { id, status: 1 }, { token: author.token });
      submitted = response.errorCode;
    },
  ]);
  expect(submitted).toBe('STALE_VERSION');
  expect((await sourceOf(id, author.token)).data).toMatchObject({ price: 500, status: 0 });
});
