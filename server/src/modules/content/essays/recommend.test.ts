import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemCtx } from '../../../jobs.ts';
import { callAsAdmin } from '../../../testing/admin.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter, publishEssay, type TestUser } from '../../../testing/essays.ts';
import { addToEssayCounters } from './index.ts';

const HOUR_MS = 3_600_000;
const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };

let t: TestApp;
let first: TestUser;
let second: TestUser;
let columnId: string;
const titles = new Map<string, string>();

async function publish(by: TestUser, title: string, more: object = {}): Promise<string> {
  t.advance(HOUR_MS);
  const id = await publishEssay(t, by, { title, ...more });
  titles.set(id, title);
  return id;
}
const readBy = (essayId: string, reads: number) =>
  addToEssayCounters(systemCtx(t.app.services), [{ essayId, reads }]);
const markRead = (essayId: string, by: TestUser) =>
  t.call('POST core/essay/read', { essayId, progress: 100 }, { token: by.token, headers });

const fetchPage = async (by?: TestUser, more: object = {}) => {
  t.app.services.pages.invalidate(['essays']);
  return (await t.call('GET core/essay/', { feed: 'recommend', ...more }, { token: by?.token })).data;
};
const listTitles = async (by?: TestUser, more: object = {}) =>
  (await fetchPage(by, more)).list.map(({ title }) => title);
const listAll = async (by: TestUser | undefined, pageSize: number) => {
  const found: string[] = [];
  for (let cursor: string | null | undefined, pages = 0; cursor !== null && pages < 50; pages++) {
    const page = await fetchPage(by, { pageSize, ...(cursor !== undefined && { cursor }) });
    found.push(...page.list.map(({ title }) => title));
    cursor = page.next;
  }
  return found;
};

beforeAll(async () => {
  t = await startTestApp();
  first = await createWriter(t, '林砚');
  second = await createWriter(t, '周牧');
  const { data } = await t.call('POST core/essay/column', { name: '后端札记' }, { token: second.token });
  columnId = data.id;
  for (const [index, reads] of [900, 800, 700, 600].entries())
    await readBy(await publish(first, `砚${index}`, { tags: [`砚的标签${index}`] }), reads);
  await readBy(await publish(second, '牧0', { tags: ['数据库'] }), 500);
  await readBy(await publish(second, '牧1', { tags: ['数据库', '缓存'], columnId }), 400);
  await publish(second, '牧2');
});
afterAll(() => t.close());

const VISITOR = ['砚0', '砚1', '牧0', '砚2', '砚3', '牧1', '牧2'];

test('visitors get the hot list with at most two essays of one author in a row', async () => {
  expect(await listTitles()).toEqual(VISITOR);
  expect((await t.call('GET core/essay/', { feed: 'hot' })).data.list.map(({ title }) => title)).toEqual([
    '砚0',
    '砚1',
    '砚2',
    '砚3',
    '牧0',
    '牧1',
    '牧2',
  ]);
});

test('every page size and page number gives the same order', async () => {
  for (const pageSize of [1, 2, 3, 7, 20]) expect(await listAll(undefined, pageSize)).toEqual(VISITOR);
  const numbered = [];
  for (const page of [1, 2, 3, 4]) numbered.push(...(await listTitles(undefined, { pageSize: 2, page })));
  expect(numbered).toEqual(VISITOR);
});

test('a category has the same rule, and other cursors are refused', async () => {
  expect(await listTitles(undefined, { category: 'tech' })).toEqual(VISITOR);
  const { data } = await t.call('GET core/essay/', { feed: 'hot', pageSize: 1 });
  const reader = await t.register();
  for (const token of [undefined, reader.token]) {
    const refused = await t.call(
      'GET core/essay/',
      { feed: 'recommend', cursor: data.next ?? '' },
      { token },
    );
    expect(refused.status).toBe(422);
  }
});

test('a reader who follows nothing gets hot essays, without those already read', async () => {
  const reader = await t.register();
  expect(await listTitles(reader)).toEqual(VISITOR);
  const [opened] = (await fetchPage(reader)).list;
  await markRead(opened?.id ?? '', reader);
  expect(await listTitles(reader)).toEqual(VISITOR.slice(1));
  expect(await listAll(reader, 2)).toEqual(VISITOR.slice(1));
  expect((await fetchPage(reader)).list.every(({ reason }) => reason === undefined)).toBe(true);
});

test('what a reader follows comes first, newest first, with the reason', async () => {
  const reader = await t.register();
  const { token } = reader;
  const reasons = async () =>
    (await fetchPage(reader)).list.map(({ title, reason }) =>
      reason === undefined ? title : `${title} ${reason.kind} ${reason.name}`.trim(),
    );
  await t.call('POST core/essay/tag/follow', { tag: '数据库' }, { token });
  expect(await reasons()).toEqual(['牧1 tag 数据库', '牧0 tag 数据库', '砚0', '砚1', '砚2', '砚3', '牧2']);
  await t.call('POST core/essay/column/follow', { columnId }, { token });
  expect((await reasons()).slice(0, 3)).toEqual(['牧1 column 后端札记', '牧0 tag 数据库', '砚0']);
  await t.call('POST core/essay/follow', { userId: second.user.id }, { token });
  expect(await reasons()).toEqual(['牧2 author', '牧1 author', '牧0 author', '砚0', '砚1', '砚2', '砚3']);
  for (const pageSize of [1, 2, 3, 4, 20])
    expect(await listAll(reader, pageSize)).toEqual(['牧2', '牧1', '牧0', '砚0', '砚1', '砚2', '砚3']);
  const numbered = [];
  for (const page of [1, 2, 3, 4]) numbered.push(...(await listTitles(reader, { pageSize: 2, page })));
  expect(numbered).toEqual(['牧2', '牧1', '牧0', '砚0', '砚1', '砚2', '砚3']);

  const [, middle] = (await fetchPage(reader)).list;
  await markRead(middle?.id ?? '', reader);
  expect((await reasons()).slice(0, 3)).toEqual(['牧2 author', '牧0 author', '砚0']);
  await t.call('DELETE core/essay/follow', { userId: second.user.id }, { token });
  await t.call('DELETE core/essay/tag/follow', { tag: '数据库' }, { token });
  await t.call('DELETE core/essay/column/follow', { columnId }, { token });
  expect((await fetchPage(reader)).list.every(({ reason }) => reason === undefined)).toBe(true);
});

test('writers do not get their own essays, nor those of users whom they blocked', async () => {
  await t.call('POST core/essay/tag/follow', { tag: '数据库' }, { token: second.token });
  expect(await listTitles(second)).toEqual(['砚0', '砚1', '砚2', '砚3']);
  const reader = await t.register();
  await t.call('POST core/essay/tag/follow', { tag: '数据库' }, { token: reader.token });
  await t.call('POST core/user/block', { userId: second.user.id }, { token: reader.token });
  expect(await listTitles(reader)).toEqual(['砚0', '砚1', '砚2', '砚3']);
});

test('reading between two pages neither repeats nor skips essays', async () => {
  const reader = await t.register();
  const page = await fetchPage(reader, { pageSize: 3 });
  for (const { id } of page.list) await markRead(id, reader);
  const next = await fetchPage(reader, { pageSize: 10, cursor: page.next });
  expect([...page.list, ...next.list].map(({ title }) => title).toSorted()).toEqual(VISITOR.toSorted());
});

test('pinned essays come first until they are read', async () => {
  const reader = await t.register();
  const pinned = [...titles].find(([, title]) => title === '牧1')?.[0] ?? '';
  await callAsAdmin(t, 'PUT core/sys/essay/pin', { id: pinned, pinned: true });
  expect(await listTitles()).toEqual(['牧1', '砚0', '砚1', '牧0', '砚2', '砚3', '牧2']);
  expect(await listAll(undefined, 2)).toEqual(['牧1', '砚0', '砚1', '牧0', '砚2', '砚3', '牧2']);
  expect((await fetchPage(reader)).list[0]).toMatchObject({ title: '牧1', pinned: true });
  expect(await listAll(reader, 2)).toEqual(['牧1', '砚0', '砚1', '牧0', '砚2', '砚3', '牧2']);
  await markRead(pinned, reader);
  expect(await listAll(reader, 2)).toEqual(['砚0', '砚1', '牧0', '砚2', '砚3', '牧2']);
  await callAsAdmin(t, 'PUT core/sys/essay/pin', { id: pinned, pinned: false });
});

test('the ranking has the titles of the hottest essays, of the site or of a category', async () => {
  t.app.services.pages.invalidate(['essays']);
  const { data } = await t.call('GET core/essay/ranking');
  expect(data.map(({ title }) => title)).toEqual(['砚0', '砚1', '砚2', '砚3', '牧0', '牧1', '牧2']);
  expect(Object.keys(data[0] ?? {})).toEqual(['id', 'slug', 'title', 'titleBreaks', 'readCount']);
  expect((await t.call('GET core/essay/ranking', { category: 'app' })).data).toEqual([]);
  expect((await t.call('GET core/essay/ranking', { category: 'none' })).status).toBe(404);
});
