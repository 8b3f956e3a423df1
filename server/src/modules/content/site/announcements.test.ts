import { createClient } from '@mozhan/contract/client.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { expectPermissionRequired } from '../../../testing/permissions.ts';
import { createTestSite } from '../../../testing/site.ts';
import { createStaff } from '../../../testing/staff.ts';
import { jobs } from './jobs.ts';

/** A page renderer that outputs the titles of the announcements. */
const site = createTestSite(async ({ transport }) => {
  const { announcements } = await createClient(transport)('GET core/site/', {});
  return { status: 200, html: announcements.map(({ title }) => title).join() };
});

const ALL = (['list', 'create', 'update', 'remove'] as const).map((verb) => `announcement:${verb}` as const);
const HOUR = 3_600_000;
let t: TestApp;
let staff: string;
beforeAll(async () => {
  t = await startTestApp({ site: async () => site });
  staff = (await createStaff(t, ALL)).token;
});
afterAll(() => t.close());

const create = (more: object = {}) =>
  t.call('POST core/sys/announcement/', { title: '周六维护', ...more }, { token: staff });
const update = (id: string, more: object) =>
  t.call('PUT core/sys/announcement/', { id, ...more }, { token: staff });
const remove = (id: string) => t.call('DELETE core/sys/announcement/', { id }, { token: staff });
const list = async () => (await t.call('GET core/sys/announcement/', {}, { token: staff })).data;
const listVisible = async () => (await t.call('GET core/site/')).data.announcements;
const page = async () => (await t.app.server.inject('/')).body;
const later = (ms: number) => new Date(t.app.services.clock().getTime() + ms).toISOString();
async function clear(): Promise<void> {
  for (const { id } of await list()) await remove(id);
}

test('returns at most three current announcements in order, rendered safely', async () => {
  expect(await page()).toBe('');
  const { data } = await create({
    content: '**停机**两小时 <script>alert(1)</script>',
    link: '/help.html',
    level: 'important',
  });
  expect(data).toMatchObject({ sort: 10, enabled: 1, level: 'important', startsAt: null });
  expect(await listVisible()).toEqual([
    { id: data.id, title: '周六维护', html: data.html, link: '/help.html', level: 'important' },
  ]);
  expect(data.html).toContain('<strong>停机</strong>');
  expect(data.html).not.toContain('<script');
  expect(await page()).toBe('周六维护');
  await create({ title: '乙' });
  await create({ title: '丙', sort: 5 });
  await create({ title: '丁', enabled: 0 });
  await create({ title: '戊' });
  expect(await page()).toBe('丙,周六维护,乙');
  await update(data.id, { title: '改过', content: '' });
  expect((await listVisible())[1]).toMatchObject({ title: '改过', html: '' });
  expect(await page()).toBe('丙,改过,乙');
  await remove(data.id);
  expect(await page()).toBe('丙,乙,戊');
});

test('shows each announcement in its period, although pages are cached', async () => {
  await clear();
  await create({ title: '将来', startsAt: later(HOUR), endsAt: later(2 * HOUR) });
  expect(await page()).toBe('');
  const { rows } = await t.app.services.pool.query(
    `select 1 from graphile_worker.jobs where task_identifier = 'turn-announcements'`,
  );
  expect(rows).toHaveLength(2);
  const runInvalidationJob = jobs['turn-announcements'];
  t.advance(HOUR);
  await runInvalidationJob?.(systemCtx(t.app.services), {});
  expect(await page()).toBe('将来');
  t.advance(HOUR);
  await runInvalidationJob?.(systemCtx(t.app.services), {});
  expect(await page()).toBe('');
  expect(await list()).toHaveLength(1);
});

test('applies concurrent changes, and rejects invalid input', async () => {
  await clear();
  const { data } = await create();
  await Promise.all([update(data.id, { title: '新题' }), update(data.id, { link: '/a.html' })]);
  expect(await list()).toMatchObject([{ title: '新题', link: '/a.html' }]);
  for (const wrong of [
    { title: '' },
    { title: '两\n行' },
    { link: 'javascript:alert(1)' },
    { link: '//evil.example' },
    { level: 'loud' },
    { startsAt: later(HOUR), endsAt: later(0) },
    { content: '长'.repeat(1001) },
  ])
    expect((await update(data.id, wrong)).errorCode).toBe('INVALID');
  expect(await list()).toMatchObject([{ title: '新题', link: '/a.html', startsAt: null }]);
  expect((await update('0'.repeat(32), { title: 'x' })).status).toBe(404);
  const log = await t.app.services.pool.query('select before, after from operations where target = $1', [
    `announcement:${data.id}`,
  ]);
  expect(log.rows[0]).toMatchObject({ before: null, after: { title: '周六维护' } });
});

test('requires the permission', async () => {
  const [first] = await list();
  await expectPermissionRequired(t, [
    ['announcement:list', 'GET core/sys/announcement/', {}],
    ['announcement:create', 'POST core/sys/announcement/', { title: 'x' }],
    ['announcement:update', 'PUT core/sys/announcement/', { id: first?.id, title: 'x' }],
    ['announcement:remove', 'DELETE core/sys/announcement/', { id: first?.id }],
  ]);
  expect(await list()).toHaveLength(1);
});
