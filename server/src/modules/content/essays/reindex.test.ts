import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter, publishEssay, type TestUser } from '../../../testing/essays.ts';
import { createStaff } from '../../../testing/staff.ts';
import { indexUserNames } from '../../accounts/users/index.ts';
import { queueAuthorEssays, resumeReindex, runReindex } from './actions/reindex.ts';

const ESSAY_COUNT = 25;

let t: TestApp;
let other: TestApp;
let writer: TestUser;
let staff: string;
/** Jobs run when the test says so. */
beforeAll(async () => {
  t = await startTestApp();
  other = await startTestApp({ sameDatabaseAs: t });
  writer = await createWriter(t, '陆青禾');
  staff = (await createStaff(t, ['search:list', 'search:update', 'search:reindex'])).token;
  for (let n = 0; n < ESSAY_COUNT; n++)
    await publishEssay(t, writer, { title: `第 ${n} 篇`, content: `飞鹤传书，其 ${n}。` });
});
afterAll(async () => {
  await other.close();
  await t.close();
});

const ctxOf = (app: TestApp) => systemCtx(app.app.services);
const start = (app = t) => app.call('POST core/sys/search/reindex', {}, { token: staff });
const cancel = (id: string) => t.call('DELETE core/sys/search/reindex', { id }, { token: staff });
const getState = async () => (await t.call('GET core/sys/search/reindex', {}, { token: staff })).data;
const countIndexed = async () =>
  (await t.query<{ count: number }>('select count(*)::int as count from search_essays'))[0]?.count;
/** The number of jobs of this name that wait; removes them. */
async function takeJobs(name: string): Promise<unknown[]> {
  const rows = await t.query<{ id: string; payload: unknown }>(
    `select job.id, payload from graphile_worker._private_jobs as job
      join graphile_worker._private_tasks as task on task.id = task_id where identifier = $1 order by job.id`,
    [name],
  );
  await t.query('select graphile_worker.complete_jobs($1)', [rows.map(({ id }) => id)]);
  return rows.map(({ payload }) => payload);
}

test('an outdated index is reported until all essays were indexed with the words', async () => {
  expect(await getState()).toEqual({ isOutdated: false, essayCount: ESSAY_COUNT, runs: [] });
  await t.call('POST core/sys/search/term', { words: ['飞鹤传书'] }, { token: staff });
  expect(await getState()).toMatchObject({ isOutdated: true });
  const before = await t.query<{ tokens: number[] }>('select tokens from search_essays order by id limit 1');
  await start();
  expect(await takeJobs('reindex-essays')).toHaveLength(1);
  await runReindex(ctxOf(other));
  const { isOutdated, runs } = await getState();
  expect(isOutdated).toBe(false);
  expect(runs[0]).toMatchObject({
    state: 'done',
    done: ESSAY_COUNT,
    total: ESSAY_COUNT,
    startedBy: expect.anything(),
    finishedAt: expect.any(String),
  });
  const after = await t.query<{ tokens: number[] }>('select tokens from search_essays order by id limit 1');
  expect(after).not.toEqual(before);
  const { data } = await t.call('GET core/essay/', { keyword: '飞鹤传书' });
  expect([data.total, data.partial]).toEqual([ESSAY_COUNT, undefined]);
});

test('words that are changed during a run leave the index outdated', async () => {
  await start();
  await t.call('POST core/sys/search/term', { words: ['云中锦书'] }, { token: staff });
  await runReindex(ctxOf(t));
  expect(await getState()).toMatchObject({ isOutdated: true, runs: [{ state: 'done' }, { state: 'done' }] });
});

test('there is one run at a time; another process continues where a process died', async () => {
  await t.query('delete from search_essays');
  const answers = await Promise.all([start(), start(other), start()]);
  expect(answers.filter(({ success }) => success)).toHaveLength(1);
  expect(answers.filter(({ errorCode }) => errorCode === 'REINDEX_RUNNING')).toHaveLength(2);
  await takeJobs('reindex-essays');
  // A process indexed twenty essays and died.
  await t.query(`update reindex_runs set done = 20, position = (
    select id from essays where status = 3 order by id offset 19 limit 1) where state = 'running'`);
  await resumeReindex(ctxOf(other));
  expect(await takeJobs('reindex-essays')).toHaveLength(1);
  await Promise.all([runReindex(ctxOf(t)), runReindex(ctxOf(other))]);
  expect((await getState()).runs[0]).toMatchObject({ state: 'done', done: ESSAY_COUNT });
  expect(await countIndexed()).toBe(ESSAY_COUNT - 20);
  await start();
  await runReindex(ctxOf(t));
  expect(await countIndexed()).toBe(ESSAY_COUNT);
  await takeJobs('reindex-essays');
  await resumeReindex(ctxOf(t));
  expect(await takeJobs('reindex-essays')).toEqual([]);
});

test('an essay that is taken off the shelf during a run stays out of the index', async () => {
  const [first] = await t.query<{ id: string }>(
    `select replace(id::text, '-', '') as id from essays where status = 3 order by id desc limit 1`,
  );
  await start();
  const offShelf = { id: first?.id ?? '', status: ESSAY_STATUS.offShelf };
  expect((await t.call('PUT core/essay/status', offShelf, { token: writer.token })).success).toBe(true);
  await runReindex(ctxOf(t));
  expect(await countIndexed()).toBe(ESSAY_COUNT - 1);
});

test('a cancelled run stops, and only a running one can be cancelled', async () => {
  const { data } = await start();
  expect((await cancel(data.id)).success).toBe(true);
  expect((await cancel(data.id)).errorCode).toBe('REINDEX_FINISHED');
  expect((await cancel('f'.repeat(32))).status).toBe(404);
  await runReindex(ctxOf(t));
  expect((await getState()).runs[0]).toMatchObject({ id: data.id, state: 'cancelled', done: 0 });
  const log = await t.query<{ call: string }>(`select call from operations where target = $1 order by id`, [
    `reindex:${data.id}`,
  ]);
  expect(log.map(({ call }) => call)).toEqual([
    'POST core/sys/search/reindex',
    'DELETE core/sys/search/reindex',
  ]);
});

test('only staff with the permission see, start and cancel runs', async () => {
  const id = 'f'.repeat(32);
  expect((await t.call('POST core/sys/search/reindex', {})).status).toBe(401);
  const lister = (await createStaff(t, ['search:list'])).token;
  for (const token of [writer.token, lister]) {
    expect((await t.call('POST core/sys/search/reindex', {}, { token })).status).toBe(403);
    expect((await t.call('DELETE core/sys/search/reindex', { id }, { token })).status).toBe(403);
  }
  expect((await t.call('GET core/sys/search/reindex', {}, { token: writer.token })).status).toBe(403);
  expect((await t.call('GET core/sys/search/reindex', {}, { token: lister })).success).toBe(true);
});

test('the essays of a renamed author are found by the new name and not by the old one', async () => {
  const id = await publishEssay(t, writer, { title: '署名的一篇' });
  const newcomer = await createWriter(t, '没写过的人');
  await indexUserNames(ctxOf(t));
  // New users are not renamed.
  expect(await takeJobs('queue-author-essays')).toEqual([]);
  const find = async (keyword: string) => {
    const { data } = await other.call('GET core/essay/', { keyword });
    return { first: data.list[0]?.id, partial: data.partial ?? false };
  };
  expect(await find('陆青禾 署名')).toEqual({ first: id, partial: false });
  await t.call('PUT core/user/', { displayName: '顾西舟' }, { token: writer.token });
  await t.call('PUT core/user/', { displayName: '还是没写过' }, { token: newcomer.token });
  await indexUserNames(ctxOf(t));
  expect(await takeJobs('queue-author-essays')).toEqual([{ authorId: writer.user.id }]);
  await queueAuthorEssays(ctxOf(t), writer.user.id);
  // A second rename before the first one was processed.
  await queueAuthorEssays(ctxOf(t), writer.user.id);
  expect(await takeJobs('reindex-essays')).toHaveLength(1);
  await Promise.all([runReindex(ctxOf(t)), runReindex(ctxOf(other))]);
  expect(await t.query('select * from unindexed_essays')).toEqual([]);
  expect(await find('顾西舟 署名')).toEqual({ first: id, partial: false });
  expect((await find('陆青禾 署名')).partial).toBe(true);
});
