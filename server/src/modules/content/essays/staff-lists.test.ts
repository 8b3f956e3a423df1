import type { StaffEssay } from '@mozhan/contract/staff-essays.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import {
  categoryIds,
  createWriter,
  publishEssay,
  submitEssay,
  type TestUser,
} from '../../../testing/essays.ts';
import { createStaff } from '../../../testing/staff.ts';

let t: TestApp;
let writer: TestUser;
let other: TestUser;
let staff: string;
/** Ids by the first character of the title. */
const ids: Record<string, string> = {};
beforeAll(async () => {
  t = await startTestApp();
  writer = await createWriter(t, '林砚');
  other = await createWriter(t, '周野');
  staff = (await createStaff(t, ['essay:list', 'essay:audit', 'essay:update', 'column:list'])).token;
  const { app = '' } = await categoryIds(t);
  ids.甲 = await publishEssay(t, writer, { title: '甲：排版的规矩', tags: ['排版'] });
  ids.乙 = await publishEssay(t, writer, { title: '乙：谈价格', price: 300, categoryId: app });
  ids.丙 = await publishEssay(t, other, { title: '丙：100% 会员', memberFree: true });
  ids.丁 = await submitEssay(t, writer, { title: '丁：还在等', content: `正文\n\n${'长'.repeat(300)}` });
  ids.戊 = await submitEssay(t, other, { title: '戊：也在等', categoryId: app });
  const { pool } = t.app.services;
  for (const [title, reads] of Object.entries({ 甲: 5, 乙: 9 }))
    await pool.query('update essays set read_count = $2 where id = $1', [ids[title], reads]);
  await pool.query(`update essays set published_at = '2024-05-01T15:59:59Z' where id = $1`, [ids.甲]);
});
afterAll(() => t.close());

const list = (query: object = {}) =>
  t.call('GET core/sys/essay/', { pageSize: 100, ...query }, { token: staff });
const initials = (rows: StaffEssay[]) => rows.map(({ title }) => title[0]).join('');
const found = async (query: object) => initials((await list(query)).data.list);
const queue = async (query: object = {}) =>
  initials((await t.call('GET core/sys/essay/queue', query, { token: staff })).data.list);

test('filters essays by price, tag, category, author and day', async () => {
  expect(await found({})).toBe('戊丁丙乙甲');
  expect(await found({ charge: 'paid' })).toBe('乙');
  expect(await found({ charge: 'member' })).toBe('丙');
  expect(await found({ charge: 'free' })).toBe('戊丁甲');
  expect(await found({ tag: '排版' })).toBe('甲');
  expect(await found({ authorId: other.user.id, status: 1 })).toBe('戊');
  expect(await found({ categoryId: (await categoryIds(t)).app })).toBe('戊乙');
  // 23:59 in China.
  expect(await found({ from: '2024-05-01', to: '2024-05-01' })).toBe('甲');
  expect(await found({ to: '2024-04-30' })).toBe('');
  expect(await found({ from: '2024-05-02' })).toBe('丙乙');
  const { data: column } = await t.call('POST core/essay/column', { name: '手记' }, { token: writer.token });
  expect(await found({ columnId: column.id })).toBe('');
});

test('finds a keyword anywhere in a title, without wildcards', async () => {
  expect(await found({ keyword: '甲：' })).toBe('甲');
  expect(await found({ keyword: '在等' })).toBe('戊丁');
  expect(await found({ keyword: '在等', authorId: writer.user.id })).toBe('丁');
  expect(await found({ keyword: '100% 会' })).toBe('丙');
  expect(await found({ keyword: '1_0%' })).toBe('');
});

test('sorts essays by times and counts, for all authors or one', async () => {
  expect(await found({ sort: 'publishedAt', order: 1 })).toMatch(/^丙乙甲/);
  expect(await found({ sort: 'publishedAt', order: 0 })).toMatch(/甲乙丙$/);
  expect(await found({ sort: 'savedAt', order: 0 })).toBe('甲乙丙丁戊');
  expect(await found({ authorId: writer.user.id, sort: 'readCount', order: 1 })).toBe('乙甲丁');
  for (const sort of ['readCount', 'likeCount', 'cmtCount', 'collectCount']) {
    const { rows } = await t.app.services.pool.query(
      `select indexdef from pg_indexes where tablename = 'essays' and indexdef like $1`,
      [`%(${sort.replace('Count', '_count')}, id) WHERE (deleted_at IS NULL)`],
    );
    expect(rows, sort).toHaveLength(1);
    expect((await list({ sort, order: 1 })).success).toBe(true);
  }
  expect(await found({ sort: 'readCount', order: 1 })).toMatch(/^乙甲/);
  let byReads = '';
  let at: string | undefined;
  do {
    const { data } = await list({ sort: 'readCount', order: 1, pageSize: 2, ...(at && { cursor: at }) });
    byReads += initials(data.list);
    at = data.next ?? undefined;
  } while (at !== undefined);
  expect(byReads).toBe(await found({ sort: 'readCount', order: 1 }));
  let seen = '';
  let cursor: string | undefined;
  do {
    const { data } = await list({
      sort: 'publishedAt',
      order: 1,
      pageSize: 1,
      ...(cursor !== undefined && { cursor }),
    });
    seen += initials(data.list);
    cursor = data.next ?? undefined;
  } while (cursor !== undefined);
  expect(seen).toBe(await found({ sort: 'publishedAt', order: 1 }));
  const { next } = (await list({ pageSize: 1 })).data;
  expect((await list({ sort: 'wordCount' })).status).toBe(422);
  const wrong = { authorId: writer.user.id, sort: 'likeCount', cursor: next };
  expect((await list(wrong)).fields?.cursor).toContain('游标');
});

test('filters and sorts the audit queue', async () => {
  expect(await queue()).toBe('丁戊');
  expect(await queue({ sort: 'submittedAt', order: 1 })).toBe('戊丁');
  expect(await queue({ sort: 'wordCount', order: 1 })).toBe('丁戊');
  expect(await queue({ keyword: '也在' })).toBe('戊');
  expect(await queue({ authorId: writer.user.id })).toBe('丁');
  expect(await queue({ kind: 'revision' })).toBe('');
  expect(await queue({ kind: 'first', categoryId: (await categoryIds(t)).app })).toBe('戊');
});

test('filters and sorts columns', async () => {
  for (const [name, price] of Object.entries({ 便宜的: 100, 白送的: 0 }))
    await t.call('POST core/essay/column', { name, price }, { token: other.token });
  await t.app.services.pool.query(`update columns set essay_count = 7 where name = '便宜的'`);
  const names = async (query: object) =>
    (await t.call('GET core/sys/column/', query, { token: staff })).data.list.map(({ name }) => name);
  expect(await names({ authorId: other.user.id })).toEqual(['白送的', '便宜的']);
  expect(await names({ priced: 1 })).toEqual(['便宜的']);
  expect(await names({ priced: 0, authorId: other.user.id })).toEqual(['白送的']);
  expect(await names({ keyword: '送的' })).toEqual(['白送的']);
  expect((await names({ sort: 'essayCount', order: 1 }))[0]).toBe('便宜的');
  expect(await names({ sort: 'createdAt', order: 0, authorId: other.user.id })).toEqual(['便宜的', '白送的']);
});

test('staff change the category and tags of an essay, in lists and in the author’s next version', async () => {
  const { app, tech } = await categoryIds(t);
  const id = await publishEssay(t, writer, { title: '放错了地方', tags: ['旧标签'], categoryId: tech ?? '' });
  const file = (input: object, token?: string) => t.call('PUT core/sys/essay/', { id, ...input }, { token });
  const response = await file({ categoryId: app, tags: ['新标签', '新标签'] }, staff);
  expect(response.data).toMatchObject({
    category: { slug: 'app' },
    tags: ['新标签'],
    status: 3,
    revision: null,
  });
  const titles = async (query: object) =>
    (await t.call('GET core/essay/', query)).data.list.map(({ title }) => title);
  expect(await titles({ tag: '新标签' })).toEqual(['放错了地方']);
  expect(await titles({ tag: '旧标签' })).toEqual([]);
  expect(await titles({ category: 'app' })).toContain('放错了地方');
  const { data: source } = await t.call('GET core/essay/{id}/source', { id }, { token: writer.token });
  expect(source).toMatchObject({ categoryId: app, tags: ['新标签'], status: 3, revision: null });
  const { data: notices } = await t.call('GET core/user/notice', { kind: 'audit' }, { token: writer.token });
  expect(notices.list[0]?.text).toBe('《放错了地方》的分类改为「应用」，标签改为「新标签」');
  const { rows } = await t.app.services.pool.query(
    `select call from operations where call = 'PUT core/sys/essay/'`,
  );
  expect(rows).toHaveLength(1);

  await t.call('POST core/sys/word/', { word: '博彩', level: 'mask' }, { token: await t.signInAdmin() });
  expect((await file({ tags: ['博彩'] }, staff)).fields?.tags).toContain('博彩');
  expect((await file({ categoryId: '0'.repeat(32) }, staff)).fields?.categoryId).toBe('没有这个分类');
  expect((await file({ tags: ['一', '二', '三', '四', '五', '六'] }, staff)).status).toBe(422);
  expect((await file({ tags: [] })).status).toBe(401);
  expect((await file({ tags: [] }, writer.token)).status).toBe(403);
  const { version } = source;
  const change = { id, version, content: '改过的正文', status: 1 };
  expect((await t.call('PUT core/essay/', change, { token: writer.token })).success).toBe(true);
  expect(await file({ tags: [] }, staff)).toMatchObject({ errorCode: 'TRANSITION_REFUSED' });
  expect(await queue({ kind: 'revision' })).toBe('放');
  const waiting = await t.call('PUT core/sys/essay/', { id: ids.丁, tags: [] }, { token: staff });
  expect(waiting).toMatchObject({ errorCode: 'TRANSITION_REFUSED' });
});
