import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { expectPermissionRequired } from '../../../testing/permissions.ts';
import { createStaff } from '../../../testing/staff.ts';
import { redactError } from './rules/jobs.ts';

let t: TestApp;
let staff: string;
beforeAll(async () => {
  t = await startTestApp();
  staff = (await createStaff(t, ['job:list', 'job:update', 'job:remove'])).token;
});
afterAll(() => t.close());

const SECRET = '不许别人看见';

/** No process runs jobs with this name, so the job stays in the queue. */
async function addTestJob(name: string, more = ''): Promise<string> {
  const { rows } = await t.app.services.pool.query<{ id: number }>(
    `select id from graphile_worker.add_job($1, payload => $2, run_at => now() + interval '1 day'${more})`,
    [
      name,
      JSON.stringify({
        id: '0'.repeat(32),
        to: 'someone@example.com',
        code: 123456,
        text: SECRET,
        list: [1],
      }),
    ],
  );
  return String(rows[0]?.id);
}
const query = (text: string, values: unknown[] = []) => t.app.services.pool.query(text, values);
const list = async (query: object = {}) => (await t.call('GET core/sys/job/', query, { token: staff })).data;
const retry = (id: string) => t.call('PUT core/sys/job/', { id }, { token: staff });
const remove = (id: string) => t.call('DELETE core/sys/job/', { id }, { token: staff });

test('lists waiting, running and failed jobs without private data', async () => {
  const [waiting, failed, running] = [
    await addTestJob('odd-a'),
    await addTestJob('odd-b'),
    await addTestJob('odd-b'),
  ];
  await query('select graphile_worker.permanently_fail_jobs(array[$1::bigint], $2)', [
    failed,
    'connect smtp://user:word@mail.example.com: 550 <someone@example.com>',
  ]);
  await query(`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'x' where id = $1`, [
    running,
  ]);
  const page = await list({ name: 'odd-b' });
  expect(page.list.map(({ id, state }) => [id, state])).toEqual([
    [running, 'running'],
    [failed, 'failed'],
  ]);
  expect(page.list[1]).toMatchObject({ attempts: 25, maxAttempts: 25 });
  expect(page.list[0]?.payload).toEqual([
    { name: 'id', value: '0'.repeat(32) },
    { name: 'to', value: '19 个字符' },
    { name: 'code', value: '6 个字符' },
    { name: 'text', value: '6 个字符' },
    { name: 'list', value: '1 项' },
  ]);
  const body = JSON.stringify(await list({ pageSize: 100 }));
  for (const secret of [SECRET, 'someone', '123456', 'user:word']) expect(body).not.toContain(secret);
  expect((await list({ state: 'failed' })).list.map(({ id }) => id)).toEqual([failed]);
  expect((await list({ state: 'waiting', name: 'odd-a' })).list.map(({ id }) => id)).toEqual([waiting]);
  const first = await list({ pageSize: 1, name: 'odd-b' });
  expect((await list({ pageSize: 1, name: 'odd-b', cursor: first.next })).list[0]?.id).toBe(failed);
  expect(page.schedule).toContainEqual(
    expect.objectContaining({ name: 'refresh-heat', match: '41 * * * *' }),
  );

  expect(await retry(running)).toMatchObject({ success: false, errorCode: 'JOB_RUNNING' });
  expect(await remove(running)).toMatchObject({ success: false, errorCode: 'JOB_RUNNING' });
});

test('retries immediately with all attempts, and only one of two concurrent removals succeeds', async () => {
  const id = await addTestJob('odd-c');
  await query('select graphile_worker.permanently_fail_jobs(array[$1::bigint])', [id]);
  expect((await retry(id)).success).toBe(true);
  const [job] = (await list({ name: 'odd-c' })).list;
  expect(job).toMatchObject({ state: 'waiting', attempts: 0 });
  expect(Date.parse(job?.runAt ?? '')).toBeLessThan(Date.now() + 60_000);
  const both = await Promise.all([remove(id), remove(id)]);
  expect(both.filter(({ success }) => success)).toHaveLength(1);
  expect((await list({ name: 'odd-c' })).total).toBe(0);
  expect((await retry(id)).status).toBe(404);
  const { rows } = await query('select before, after from operations where target = $1 order by id', [
    `job:${id}`,
  ]);
  expect(rows).toMatchObject([
    { before: { state: 'failed' }, after: { state: 'waiting' } },
    { before: { name: 'odd-c' }, after: null },
  ]);
});

test('rejects calls without permission and invalid ids', async () => {
  const id = await addTestJob('odd-d');
  await expectPermissionRequired(t, [
    ['job:list', 'GET core/sys/job/', {}],
    ['job:update', 'PUT core/sys/job/', { id }],
    ['job:remove', 'DELETE core/sys/job/', { id }],
  ]);
  expect((await retry('1 or 1=1')).errorCode).toBe('INVALID');
  expect((await list({ name: 'odd-d' })).total).toBe(1);
});

test('removes e-mail addresses and passwords from errors', () => {
  expect(redactError('a@b.com: redis://u:p@h/0')).toBe('…@b.com: redis://…@h/0');
});
