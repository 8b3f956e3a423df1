import type { ListedEssay } from '@mozhan/contract/essays.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
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
/** Ids by title; 庚 was published last. */
const ids: Record<string, string> = {};
const TITLES = ['甲', '乙', '丙', '丁', '戊', '己', '庚'];
beforeAll(async () => {
  t = await startTestApp();
  writer = await createWriter(t, '林砚');
  other = await createWriter(t, '周野');
  staff = (await createStaff(t, ['essay:list', 'essay:pin'])).token;
  const { app = '' } = await categoryIds(t);
  for (const title of TITLES)
    ids[title] = await publishEssay(t, writer, { title, ...(title === '乙' && { categoryId: app }) });
});
beforeEach(async () => {
  await t.app.services.pool.query('update essays set author_pin = null, site_pin = null');
  t.app.services.pages.invalidate(['essays']);
});
afterAll(() => t.close());

const idOf = (title: string) => ids[title] ?? '';
const pin = (title: string, pinned = true, token: string | undefined = writer.token) =>
  t.call('PUT core/essay/pin', { id: idOf(title), pinned }, { token });
const pinSite = (title: string, more: object = {}, token: string | undefined = staff) =>
  t.call('PUT core/sys/essay/pin', { id: idOf(title), pinned: true, ...more }, { token });

/** `*` marks pinned essays. */
const titles = (list: ListedEssay[]) => list.map(({ title, pinned }) => title + (pinned ? '*' : '')).join('');
const list = async (query: object, token?: string) =>
  (await t.call('GET core/essay/', { pageSize: 100, ...query }, { token })).data;
const found = async (query: object, token?: string) => titles((await list(query, token)).list);
const byAuthor = () => found({ authorId: writer.user.id, feed: 'latest' });

test('an author pins essays on the own home page, the last pinned one first', async () => {
  expect(await byAuthor()).toBe('庚己戊丁丙乙甲');
  expect((await pin('甲')).data).toEqual({ id: idOf('甲'), pinned: true });
  await pin('丙');
  expect(await byAuthor()).toBe('丙*甲*庚己戊丁乙');
  expect((await pin('甲')).success).toBe(true);
  expect(await byAuthor()).toBe('丙*甲*庚己戊丁乙');
  // The site's lists have pins of their own; the own list marks them, in its usual order.
  expect(await found({ feed: 'latest' })).toBe('庚己戊丁丙乙甲');
  expect((await found({ mine: 1 }, writer.token)).replace(/[^丙甲*]/g, '')).toBe('丙*甲*');
  expect((await pin('丙', false)).data).toEqual({ id: idOf('丙'), pinned: false });
  expect((await pin('丙', false)).success).toBe(true);
  expect(await byAuthor()).toBe('甲*庚己戊丁丙乙');
});

test('others cannot pin, nor can drafts be pinned', async () => {
  expect((await pin('甲', true, '')).status).toBe(401);
  expect(await pin('甲', true, other.token)).toMatchObject({ errorCode: 'FORBIDDEN' });
  ids.草稿 = await submitEssay(t, writer, { title: '草稿' });
  expect(await pin('草稿', true, other.token)).toMatchObject({ errorCode: 'NOT_FOUND' });
  expect(await pin('草稿')).toMatchObject({
    errorCode: 'TRANSITION_REFUSED',
    errorMessage: '只能置顶已上架的文章',
  });
  expect((await pinSite('甲', {}, '')).status).toBe(401);
  expect((await pinSite('甲', {}, writer.token)).status).toBe(403);
  const withoutPermission = await createStaff(t, ['essay:list', 'essay:update']);
  expect((await pinSite('甲', {}, withoutPermission.token)).status).toBe(403);
  expect((await pinSite('草稿')).errorCode).toBe('TRANSITION_REFUSED');
  expect((await pinSite('甲', { position: 6 })).status).toBe(422);
  expect(await byAuthor()).toBe('庚己戊丁丙乙甲');
});

test('staff pin essays on the home page in an order of their own', async () => {
  await pinSite('甲');
  await pinSite('乙');
  expect((await pinSite('丙', { position: 2 })).data).toEqual({
    id: idOf('丙'),
    pinned: true,
    pinPosition: 2,
  });
  expect(await found({ feed: 'latest' })).toBe('乙*丙*甲*庚己戊丁');
  expect(await found({ feed: 'recommend' })).toMatch(/^乙\*丙\*甲\*[庚己戊丁]{4}$/);
  expect((await pinSite('甲', { position: 1 })).data.pinPosition).toBe(1);
  expect(await found({ feed: 'latest' })).toBe('甲*乙*丙*庚己戊丁');
  // Pinning again without a position changes nothing.
  expect((await pinSite('丙')).data.pinPosition).toBe(3);
  expect(await found({ feed: 'latest', category: 'app' })).toBe('乙*');
  expect(await found({ feed: 'latest', category: 'tech' })).toBe('甲*丙*庚己戊丁');
  expect(await found({ feed: 'hot' })).not.toContain('*');
  expect(await found({ keyword: '甲' })).not.toContain('*');
  expect(await byAuthor()).toBe('庚己戊丁丙乙甲');
  const rows = await t.call('GET core/sys/essay/', { pinned: 1 }, { token: staff });
  expect(rows.data.list.map(({ title, pinPosition }) => `${title}${pinPosition}`).toSorted()).toEqual([
    '丙3',
    '乙2',
    '甲1',
  ]);
  expect((await pinSite('乙', { pinned: false })).data).toMatchObject({ pinned: false, pinPosition: null });
  expect(await found({ feed: 'latest' })).toBe('甲*丙*庚己戊丁乙');
});

test('pages contain every essay once, whatever their size', async () => {
  for (const title of ['甲', '乙', '丙']) await pinSite(title);
  for (const pageSize of [2, 3, 4, 5]) {
    const byCursor: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Awaited<ReturnType<typeof list>> = await list({
        feed: 'latest',
        pageSize,
        ...(cursor === '' ? {} : { cursor }),
      });
      byCursor.push(...page.list.map(({ title }) => title));
      cursor = page.next;
    }
    const byNumber: string[] = [];
    for (let page = 1; page <= Math.ceil(7 / pageSize); page += 1) {
      const found = await list({ feed: 'latest', pageSize, page });
      expect(found.total).toBe(7);
      byNumber.push(...found.list.map(({ title }) => title));
    }
    expect(byCursor.join('')).toBe(byNumber.join(''));
    expect(byCursor.toSorted()).toEqual(TITLES.toSorted());
    expect(byCursor[0]).toBe('丙');
  }
  expect(await found({ feed: 'latest', pageSize: 1 })).toBe('庚');
});

test('the limits hold, also for concurrent requests', async () => {
  const answers = await Promise.all(TITLES.map((title) => pin(title)));
  expect(answers.filter(({ success }) => success)).toHaveLength(3);
  for (const { success, errorCode, errorMessage } of answers)
    if (!success)
      expect({ errorCode, errorMessage }).toEqual({
        errorCode: 'TOO_MANY_PINNED',
        errorMessage: '主页最多置顶 3 篇文章，请先取消一篇',
      });
  expect((await byAuthor()).match(/\*/g)).toHaveLength(3);
  const onHome = await Promise.all(TITLES.map((title) => pinSite(title, { position: 3 })));
  expect(onHome.filter(({ success }) => success)).toHaveLength(5);
  expect(onHome.find(({ success }) => !success)?.errorMessage).toBe('首页最多置顶 5 篇文章，请先取消一篇');
  expect((await found({ feed: 'latest' })).match(/\*/g)).toHaveLength(5);
  // Taking essays off the shelf at the same time leaves no pin behind.
  await Promise.all([
    ...TITLES.map((title) => pinSite(title, { position: 1 })),
    ...TITLES.map((title) => pin(title)),
    t.call('PUT core/essay/status', { id: idOf('丁'), status: 4 }, { token: writer.token }),
  ]);
  expect(await found({ feed: 'latest' })).not.toContain('丁');
  await t.call('PUT core/essay/status', { id: idOf('丁'), status: 3 }, { token: writer.token });
  expect(await byAuthor()).toMatch(/丁(?!\*)/);
});

test('an essay that leaves the shelf or is deleted is not pinned any more', async () => {
  await pin('甲');
  await pinSite('甲');
  const change = (status: 3 | 4) =>
    t.call('PUT core/essay/status', { id: idOf('甲'), status }, { token: writer.token });
  await change(4);
  await change(3);
  expect(await byAuthor()).not.toContain('*');
  expect(await found({ feed: 'latest' })).not.toContain('*');
  await pin('庚');
  await pinSite('庚');
  await t.call('DELETE core/essay/{id}', { id: idOf('庚') }, { token: writer.token });
  expect(await pin('庚')).toMatchObject({ errorCode: 'GONE' });
  const { rows } = await t.app.services.pool.query(
    'select 1 from essays where author_pin is not null or site_pin is not null',
  );
  expect(rows).toEqual([]);
});
