import { createClient } from '@mozhan/contract/client.ts';
import type { Cover } from '@mozhan/contract/covers.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { expectPermissionRequired } from '../../../testing/permissions.ts';
import { uploadPicture } from '../../../testing/pictures.ts';
import { createTestSite } from '../../../testing/site.ts';
import { createStaff } from '../../../testing/staff.ts';
import { isLibraryCover } from './index.ts';
import { jobs } from './jobs.ts';

/** A page renderer that outputs the titles of the banners. */
const site = createTestSite(async ({ transport }) => {
  const banners = await createClient(transport)('GET core/sys/cover/', { kind: 'banner' });
  return { status: 200, html: (Array.isArray(banners) ? banners : []).map(({ title }) => title).join() };
});

const ALL = ['cover:list', 'cover:create', 'cover:update', 'cover:remove'] as const;
const HOUR = 3_600_000;
let t: TestApp;
let staff: string;
let image: string;
beforeAll(async () => {
  t = await startTestApp({ site: async () => site });
  staff = (await createStaff(t, ALL)).token;
  image = await uploadPicture(t, staff);
});
afterAll(() => t.close());

const create = (more: object = {}) =>
  t.call('POST core/sys/cover/', { kind: 'library', title: '山色', image, ...more }, { token: staff });
const update = (id: string, more: object) => t.call('PUT core/sys/cover/', { id, ...more }, { token: staff });
const list = async (query: object = {}, token?: string) =>
  (await t.call('GET core/sys/cover/', query, { token })).data as Cover[];
const listAll = async () => (await t.call('GET core/sys/cover/all', {}, { token: staff })).data;
const titles = async (query: object = {}, token?: string) =>
  (await list(query, token)).map((each) => each.title);
const later = (ms: number) => new Date(t.app.services.clock().getTime() + ms).toISOString();
const page = async () => (await t.app.server.inject('/')).body;

async function clear(): Promise<void> {
  for (const { id } of await listAll()) await t.call('DELETE core/sys/cover/', { id }, { token: staff });
}

test('starts without covers', async () => {
  expect(await list()).toEqual([]);
});

test('a library cover has no link and no period, and new ones are last', async () => {
  const { data } = await create({ summary: '一句话', link: '/a.html', startsAt: later(HOUR) });
  expect(data).toEqual({
    id: expect.any(String),
    kind: 'library',
    title: '山色',
    summary: '',
    image,
    imageSizes: [],
    link: '',
    sort: 10,
    enabled: 1,
    startsAt: null,
    endsAt: null,
  });
  expect((await create({ title: '水声' })).data.sort).toBe(20);
  expect(await titles({ kind: 'library' })).toEqual(['山色', '水声']);
  await update(data.id, { sort: 30 });
  expect(await titles({ kind: 'library' })).toEqual(['水声', '山色']);
  expect((await t.call('GET core/sys/cover/', { id: data.id })).data).toMatchObject({ sort: 30 });
});

test('shows disabled covers only to users who can list all', async () => {
  await clear();
  const { data } = await create({ enabled: 0 });
  await create({ title: '可见' });
  const reader = await t.register();
  for (const token of [undefined, reader.token, staff]) expect(await titles({}, token)).toEqual(['可见']);
  expect((await listAll()).map((each) => each.title)).toEqual(['山色', '可见']);
  for (const token of [undefined, reader.token])
    expect((await t.call('GET core/sys/cover/', { id: data.id }, { token })).status).toBe(404);
  expect((await t.call('GET core/sys/cover/', { id: data.id }, { token: staff })).data).toEqual(data);
});

test('lets writers use an enabled library cover', async () => {
  await clear();
  const has = () => isLibraryCover(systemCtx(t.app.services).db, image);
  const { data: banner } = await create({ kind: 'banner' });
  expect(await has()).toBe(false);
  const { data } = await create();
  expect(await has()).toBe(true);
  await update(data.id, { enabled: 0 });
  expect(await has()).toBe(false);
  await t.call('DELETE core/sys/cover/', { id: banner.id }, { token: staff });
});

test('shows banners only in their period, although pages are cached', async () => {
  await clear();
  const { data } = await create({
    kind: 'banner',
    title: '专题',
    link: '/essay/tech.html',
    startsAt: later(HOUR),
    endsAt: later(2 * HOUR),
  });
  await create({ kind: 'banner', title: '常在' });
  const queued = async () => {
    const { rows } = await t.app.services.pool.query<{ run_at: Date }>(
      "select run_at from graphile_worker.jobs where task_identifier = 'turn-banners' and key like $1 order by run_at",
      [`%${data.id}`],
    );
    return rows.map(({ run_at }) => Math.round((run_at.getTime() - Date.now()) / HOUR));
  };
  expect(await queued()).toEqual([1, 2]);
  expect(await page()).toBe('常在');

  const runInvalidationJob = () => jobs['turn-banners']?.(systemCtx(t.app.services), {});
  t.advance(HOUR + 1000);
  expect(await titles({ kind: 'banner' })).toEqual(['专题', '常在']);
  await runInvalidationJob();
  expect(await page()).toBe('专题,常在');
  t.advance(HOUR);
  await runInvalidationJob();
  expect(await page()).toBe('常在');
  expect((await t.call('GET core/sys/cover/', { id: data.id })).status).toBe(404);

  // A changed period replaces the job instead of adding one.
  t.advance(-2 * HOUR - 1000);
  await update(data.id, { endsAt: later(5 * HOUR) });
  expect(await queued()).toEqual([1, 5]);
});

test('shows a changed banner on the page immediately', async () => {
  await clear();
  expect(await page()).toBe('');
  const { data } = await create({ kind: 'banner', title: '一' });
  expect(await page()).toBe('一');
  await update(data.id, { title: '二' });
  expect(await page()).toBe('二');
  await update(data.id, { enabled: 0 });
  expect(await page()).toBe('');
  await update(data.id, { enabled: 1 });
  await t.call('DELETE core/sys/cover/', { id: data.id }, { token: staff });
  expect(await page()).toBe('');
});

test('requires an own upload, unless the picture is unchanged', async () => {
  const other = (await createStaff(t, ALL)).token;
  const input = { kind: 'library', title: '别人的', image };
  const refused = { status: 422, fields: { image: '请先上传图片' } };
  expect(await t.call('POST core/sys/cover/', input, { token: other })).toMatchObject(refused);
  expect(await create({ image: `/files/ab/${'c'.repeat(62)}.webp` })).toMatchObject(refused);
  const { data } = await create();
  const put = (fields: object) => t.call('PUT core/sys/cover/', { id: data.id, ...fields }, { token: other });
  expect((await put({ image, title: '改名' })).data).toEqual({ ...data, title: '改名' });
  const own = await uploadPicture(t, other, { background: '#ff6968' });
  expect((await put({ image: own })).data.image).toBe(own);
  expect(await update(data.id, { image: own })).toMatchObject({ success: true });
});

test('lists the sizes of a picture that also exists in a medium size', async () => {
  const { data: small } = await create();
  expect(small.imageSizes).toEqual([]);
  const wide = await uploadPicture(t, staff, { width: 1600, height: 400 });
  const { data } = await create({ kind: 'banner', image: wide });
  const middle = { path: expect.stringMatching(/^\/files\/.*\.webp$/), width: 1080 };
  expect(data.imageSizes).toEqual([middle, { path: wide, width: 1600 }]);
  expect(data.imageSizes[0]?.path).not.toBe(wide);
  expect((await list({ kind: 'banner' })).find(({ id }) => id === data.id)).toEqual(data);
  // The same picture of another user is one picture.
  await uploadPicture(t, (await createStaff(t, ALL)).token, { width: 1600, height: 400 });
  expect((await t.call('GET core/sys/cover/', { id: data.id })).data).toEqual(data);
  const high = await uploadPicture(t, staff, { width: 600, height: 2160 });
  expect((await update(data.id, { image: high })).data.imageSizes[0]?.width).toBe(300);
});

test('applies and logs concurrent changes of different fields', async () => {
  const { data } = await create({ kind: 'banner' });
  await Promise.all([update(data.id, { title: '甲' }), update(data.id, { sort: 77 })]);
  await update(data.id, { link: 'https://example.com/a?b=1' });
  const one = await t.call('GET core/sys/cover/', { id: data.id }, { token: staff });
  expect(one.data).toEqual({ ...data, title: '甲', sort: 77, link: 'https://example.com/a?b=1' });
  const log = await t.call('GET core/sys/log/', { pageSize: 1 }, { token: await t.signInAdmin() });
  expect(log.data.list[0]).toMatchObject({
    target: `cover:${data.id}`,
    before: { title: '甲', link: '' },
    after: { title: '甲', link: 'https://example.com/a?b=1' },
  });
});

test.each([
  ['kind', { kind: 'poster' }],
  ['title', { title: ' ' }],
  ['title', { title: '长'.repeat(51) }],
  ['image', { image: 'https://example.com/a.png' }],
  ['image', { image: undefined }],
  ['link', { link: 'javascript:alert(1)' }],
  ['link', { link: '//example.com' }],
  ['link', { link: '/\\example.com' }],
  ['link', { link: 'essay.html' }],
  ['sort', { sort: -1 }],
  ['startsAt', { startsAt: '明天' }],
  ['endsAt', { startsAt: '2030-01-02T00:00:00Z', endsAt: '2030-01-02T00:00:00Z' }],
])('rejects an invalid %s: %j', async (field, more) => {
  expect(await create({ kind: 'banner', ...more })).toMatchObject({
    status: 422,
    fields: { [field]: expect.any(String) },
  });
});

test('rejects an end before the stored start', async () => {
  const { data } = await create({ kind: 'banner', startsAt: '2030-01-02T00:00:00Z' });
  expect(await update(data.id, { endsAt: '2030-01-01T00:00:00Z' })).toMatchObject({ status: 422 });
  expect((await update(data.id, { startsAt: null, endsAt: '2030-01-01T08:00:00+08:00' })).data).toMatchObject(
    {
      startsAt: null,
      endsAt: '2030-01-01T00:00:00.000Z',
    },
  );
});

test('requires a separate permission for each action', async () => {
  const { data } = await create();
  await expectPermissionRequired(t, [
    ['cover:list', 'GET core/sys/cover/all', {}],
    ['cover:create', 'POST core/sys/cover/', { kind: 'library', title: '无', image }],
    ['cover:update', 'PUT core/sys/cover/', { id: data.id, title: '无' }],
    ['cover:remove', 'DELETE core/sys/cover/', { id: data.id }],
  ]);
  const missing = { id: '0'.repeat(32) };
  expect((await t.call('PUT core/sys/cover/', missing, { token: staff })).status).toBe(404);
  expect((await t.call('DELETE core/sys/cover/', missing, { token: staff })).status).toBe(404);
});
