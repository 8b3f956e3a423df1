import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemCtx } from '../../../jobs.ts';
import { callAsAdmin } from '../../../testing/admin.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter, publishEssay, submitEssay, type TestUser } from '../../../testing/essays.ts';
import { jobs } from './jobs.ts';

let t: TestApp;
let author: TestUser;
let stranger: TestUser;
beforeAll(async () => {
  t = await startTestApp();
  author = await createWriter(t);
  stranger = await createWriter(t, '别人');
});
afterAll(() => t.close());

const newDraft = async (title: string, fields: object = {}) =>
  (await t.call('POST core/essay/', { title, content: '正文', ...fields }, { token: author.token })).data.id;
const change = async (input: object, token: string | undefined = author.token) =>
  t.call('PUT core/essay/own', input as never, { token });
const errorsOf = async (input: object, token?: string) =>
  (await change(input, token)).data.list.map(({ error }) => error);
const own = async (input: object = {}, token = author.token) =>
  (await t.call('GET core/essay/', { mine: 1, ...input }, { token })).data.list;
const source = (id: string) => t.call('GET core/essay/{id}/source', { id }, { token: author.token });

test('counts own essays by status', async () => {
  const { token, user } = await createWriter(t, '数一数');
  const writer = { token };
  expect((await t.call('GET core/essay/own', {})).status).toBe(401);
  expect((await t.call('GET core/essay/own', {}, writer)).data).toEqual({
    total: 0,
    counts: [0, 0, 0, 0, 0, 0],
  });
  await t.call('POST core/essay/', { title: '一' }, writer);
  await t.call('POST core/essay/', { title: '二' }, writer);
  const published = await publishEssay(t, { token, user } as TestUser);
  await t.call('PUT core/essay/status', { id: published, status: ESSAY_STATUS.offShelf }, writer);
  expect((await t.call('GET core/essay/own', {}, writer)).data).toEqual({
    total: 3,
    counts: [2, 0, 0, 0, 1, 0],
  });
});

test('deletes drafts, which can be restored for ten minutes and are erased afterwards', async () => {
  const id = await newDraft('先删掉的草稿');
  expect(await errorsOf({ ids: [id], act: 'remove' })).toEqual([null]);
  expect((await source(id)).status).toBe(410);
  expect(await own({ keyword: '先删掉的草稿' })).toEqual([]);

  // The job of the first deletion leaves a restored essay alone, and one that was deleted again later.
  expect(await errorsOf({ ids: [id], act: 'restore' }, stranger.token)).toEqual(['没有找到这篇文章']);
  expect(await errorsOf({ ids: [id], act: 'restore' })).toEqual([null]);
  expect((await source(id)).data).toMatchObject({ title: '先删掉的草稿', content: '正文' });
  const erase = () => jobs['erase-essay']?.(systemCtx(t.app.services), { essayId: id });
  await erase();
  expect((await source(id)).status).toBe(200);
  await change({ ids: [id], act: 'remove' });
  await erase();
  expect(await errorsOf({ ids: [id], act: 'restore' })).toEqual([null]);

  await change({ ids: [id], act: 'remove' });
  t.advance(10 * 60_000 + 1000);
  expect(await errorsOf({ ids: [id], act: 'restore' })).toEqual(['删除已超过 10 分钟，不能恢复了']);
  await erase();
  const { rows } = await t.app.services.pool.query(
    'select e.title, count(r.version)::int as versions from essays e left join essay_revisions r on r.essay_id = e.id where e.id = $1 group by 1',
    [id],
  );
  expect(rows).toEqual([{ title: '', versions: 0 }]);
});

const takeJob = (key: string) => t.app.services.pool.query('select graphile_worker.remove_job($1)', [key]);
const hasJob = async (key: string) =>
  (await t.app.services.pool.query('select from graphile_worker.jobs where key = $1', [key])).rowCount === 1;

test('erases later if the job runs too early', async () => {
  const id = await newDraft('钟走快了');
  await change({ ids: [id], act: 'remove' });
  await takeJob(`erase:${id}`);
  await jobs['erase-essay']?.(systemCtx(t.app.services), { essayId: id });
  expect(await hasJob(`erase:${id}`)).toBe(true);
  expect(await errorsOf({ ids: [id], act: 'restore' })).toEqual([null]);
});

test('an essay that is restored is shelved at its time, even if that came while it was deleted', async () => {
  const scheduledAt = new Date(t.app.services.clock().getTime() + 3_600_000).toISOString();
  const id = await submitEssay(t, author, { scheduledAt });
  await callAsAdmin(t, 'PUT core/essay/status', { id, status: ESSAY_STATUS.approved });
  await change({ ids: [id], act: 'remove' });
  await takeJob(`shelve:${id}`);
  await jobs['shelve-essay']?.(systemCtx(t.app.services), { id });
  expect(await errorsOf({ ids: [id], act: 'restore' })).toEqual([null]);
  expect(await hasJob(`shelve:${id}`)).toBe(true);
});

test('says where an essay was pinned before it was taken off the shelf', async () => {
  const [first, second] = [await publishEssay(t, author), await publishEssay(t, author)];
  for (const id of [second, first])
    await t.call('PUT core/essay/pin', { id, pinned: true }, { token: author.token });
  const { list } = (await change({ ids: [second, first], act: 'unshelve' })).data;
  expect(list.map(({ pinPosition }) => pinPosition)).toEqual([2, 1]);
  const back = (await change({ ids: [first], act: 'shelve' })).data.list;
  expect(back).toMatchObject([{ changed: true, pinPosition: null }]);
});

test('takes essays off the shelf and puts them back, and names those that cannot be changed', async () => {
  const shelved = await publishEssay(t, author);
  const draft = await newDraft('还是草稿');
  const others = await publishEssay(t, stranger);
  const ids = [shelved, draft, others];
  expect(await errorsOf({ ids, act: 'unshelve' })).toEqual([
    null,
    '文章现在是「草稿」，不能改为「已下架」',
    '没有找到这篇文章',
  ]);
  expect((await source(shelved)).data.status).toBe(ESSAY_STATUS.offShelf);
  expect(await errorsOf({ ids: [shelved], act: 'shelve' })).toEqual([null]);
  expect((await source(shelved)).data.status).toBe(ESSAY_STATUS.onShelf);
  expect(await errorsOf({ ids: [shelved], act: 'remove' })).toEqual(['文章已上架，请先下架']);
});

test('moves essays to a column and back, without an audit', async () => {
  const column = (await t.call('POST core/essay/column', { name: '搬家' }, { token: author.token })).data;
  const foreign = (await t.call('POST core/essay/column', { name: '别人的' }, { token: stranger.token }))
    .data;
  const ids = [await publishEssay(t, author), await newDraft('放进去的草稿')];
  expect((await change({ ids, act: 'move' })).status).toBe(422);
  expect((await change({ ids, act: 'move', columnId: foreign.id })).status).toBe(422);
  const moved = (await change({ ids, act: 'move', columnId: column.id })).data.list;
  expect(moved.map(({ changed, columnId }) => [changed, columnId])).toEqual([
    [true, null],
    [true, null],
  ]);
  const inColumn = async () =>
    (await t.call('GET core/essay/', { columnId: column.id })).data.list.map(({ id }) => id);
  expect(await inColumn()).toEqual([ids[0]]);
  for (const id of ids)
    expect((await source(id)).data).toMatchObject({ columnId: column.id, revision: null });
  const back = (await change({ ids, act: 'move', columnId: null })).data.list;
  expect(back.map(({ columnId }) => columnId)).toEqual([column.id, column.id]);
  expect(await inColumn()).toEqual([]);
});

test('only signed-in users change essays, at most 50 at once', async () => {
  const id = await newDraft('不让动');
  expect((await t.call('PUT core/essay/own', { ids: [id], act: 'remove' })).status).toBe(401);
  expect((await change({ ids: [], act: 'remove' })).status).toBe(422);
  expect((await change({ ids: Array(51).fill(id), act: 'remove' })).status).toBe(422);
  expect(await errorsOf({ ids: [id], act: 'remove' }, await t.signInAdmin())).toEqual(['没有找到这篇文章']);
});

test('finds own essays by title, summary, tag and published text', async () => {
  const { token, user } = await createWriter(t, '找一找');
  const writer: TestUser = { token, user } as TestUser;
  const call = (fields: object) => t.call('POST core/essay/', fields, { token });
  const draft = (
    await call({ title: '半夜的告警', content: '正文', tags: ['值班'], summary: '写给被叫醒的人' })
  ).data.id;
  await call({ title: '别的', content: '正文' });
  const shelved = await publishEssay(t, writer, { title: '归档', content: '独角鲸调度器的来历。' });
  const find = async (keyword: string) => (await own({ keyword }, token)).map(({ id }) => id);
  expect(await find('告警')).toEqual([draft]);
  expect(await find('值班')).toEqual([draft]);
  expect(await find('叫醒')).toEqual([draft]);
  expect(await find('独角鲸')).toEqual([shelved]);
  expect(await find('没有的')).toEqual([]);
});
