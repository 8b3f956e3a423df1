import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemCtx } from '../../../jobs.ts';
import { callAsAdmin } from '../../../testing/admin.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter, submitEssay, type TestUser } from '../../../testing/essays.ts';
import { jobs } from './jobs.ts';

let t: TestApp;
let author: TestUser;
beforeAll(async () => {
  t = await startTestApp({ runsJobs: true });
  author = await createWriter(t);
});
afterAll(() => t.close());

const timeIn = (ms: number) => new Date(t.app.services.clock().getTime() + ms).toISOString();
const readStatus = async (id: string) => (await t.call('GET core/essay/{id}', { id })).status;
const listJobs = (id: string) =>
  t.query<{ run_at: Date }>('select run_at from graphile_worker.jobs where key = $1', [`shelve:${id}`]);

async function approveFor(scheduledAt: string): Promise<string> {
  const id = await submitEssay(t, author, { scheduledAt });
  await callAsAdmin(t, 'PUT core/essay/status', { id, status: ESSAY_STATUS.approved });
  return id;
}

test('a job shelves an approved essay at its time', async () => {
  const scheduledAt = timeIn(500);
  const id = await approveFor(scheduledAt);
  await expect.poll(() => readStatus(id)).toBe(200);
  const { data } = await t.call('GET core/essay/{id}', { id });
  expect(Date.parse(data.publishedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(scheduledAt));
});

test('shows the time to the author and keeps the essay private until then', async () => {
  const scheduledAt = timeIn(3_600_000);
  const id = await approveFor(scheduledAt);
  const { data } = await t.call('GET core/essay/', { mine: 1, status: 2 }, author);
  expect(data.list.find((essay) => essay.id === id)).toMatchObject({ scheduledAt });
  expect(await readStatus(id)).toBe(404);
});

test('a job that runs too early leaves the essay private and is queued again', async () => {
  const scheduledAt = timeIn(3_600_000);
  const id = await approveFor(scheduledAt);
  await t.query('select graphile_worker.remove_job($1)', [`shelve:${id}`]);
  await jobs['shelve-essay']?.(systemCtx(t.app.services), { id });
  expect(await readStatus(id)).toBe(404);
  expect(await listJobs(id)).toEqual([{ run_at: new Date(scheduledAt) }]);
});

test('is cancelled when the author withdraws the essay', async () => {
  const id = await approveFor(timeIn(1500));
  await t.call('PUT core/essay/status', { id, status: ESSAY_STATUS.draft }, author);
  await expect.poll(() => listJobs(id)).toEqual([]);
  expect((await t.call('GET core/essay/{id}/source', { id }, author)).data.status).toBe(ESSAY_STATUS.draft);
});
