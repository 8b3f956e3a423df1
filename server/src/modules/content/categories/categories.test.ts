import type { Category } from '@mozhan/contract/categories.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedInstallation } from '../../../first-start.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { expectPermissionRequired } from '../../../testing/permissions.ts';
import { createStaff } from '../../../testing/staff.ts';

let t: TestApp;
let staff: string;
beforeAll(async () => {
  t = await startTestApp();
  const all = ['category:create', 'category:update', 'category:remove'] as const;
  staff = (await createStaff(t, all)).token;
});
afterAll(() => t.close());

const list = async (token?: string) =>
  (await t.call('GET core/sys/category/', {}, { token })).data as Category[];
const slugs = async (token?: string) => (await list(token)).map((each) => each.slug);
const onSite = async () => (await t.call('GET core/site/')).data.categories;
let made = 0;
const create = async (more: object = {}) => {
  made += 1;
  return t.call(
    'POST core/sys/category/',
    { slug: `made-${made}`, name: `新 ${made}`, ...more },
    { token: staff },
  );
};

test('creates three categories on the first start, in order, also in the site response', async () => {
  const first = (await list()).slice(0, 3);
  expect(first.map(({ slug, name, icon, enabled }) => [slug, name, icon, enabled])).toEqual([
    ['program', '编程', 'code', 1],
    ['tech', '技术', 'chip', 1],
    ['app', '应用', 'apps', 1],
  ]);
  expect((await onSite()).slice(0, 3)).toEqual(
    first.map(({ id, slug, name, icon }) => ({ id, slug, name, icon })),
  );
});

test('adds a new category last, enabled, with the default icon', async () => {
  const last = (await list(staff)).at(-1)?.sort ?? 0;
  const { data } = await create();
  expect(data).toMatchObject({ sort: last + 10, icon: 'code', enabled: 1 });
  const named = await create({ sort: 1, icon: 'chip', enabled: 0 });
  expect(named.data).toMatchObject({ sort: 1, icon: 'chip', enabled: 0 });
});

test('creates categories after the maximum sort value is used', async () => {
  const { data } = await create({ sort: 9999 });
  expect((await create()).data.sort).toBe(9999);
  await t.call('DELETE core/sys/category/', { id: data.id }, { token: staff });
});

test('shows disabled categories only to users who can edit categories', async () => {
  const { data } = await create();
  const response = await t.call('PUT core/sys/category/', { id: data.id, enabled: 0 }, { token: staff });
  expect(response.data).toEqual({ ...data, enabled: 0 });
  const reader = await t.register();
  const other = await createStaff(t, ['category:create', 'category:remove']);
  for (const token of [undefined, reader.token, other.token]) {
    expect(await slugs(token)).not.toContain(data.slug);
    const one = await t.call('GET core/sys/category/', { id: data.id }, { token });
    expect(one).toMatchObject({ status: 404, errorCode: 'NOT_FOUND' });
  }
  expect((await onSite()).map((each) => each.slug)).not.toContain(data.slug);
  expect(await slugs(staff)).toContain(data.slug);
  expect((await t.call('GET core/sys/category/', { id: data.id }, { token: staff })).data).toEqual(
    response.data,
  );
  expect(await slugs(await t.signInAdmin())).toContain(data.slug);
});

test('changes only the given fields and logs the change', async () => {
  const { data } = await create({ icon: 'apps' });
  const { data: after } = await t.call(
    'PUT core/sys/category/',
    { id: data.id, name: '算法' },
    { token: staff },
  );
  expect(after).toEqual({ ...data, name: '算法' });
  const unchanged = await t.call('PUT core/sys/category/', { id: data.id }, { token: staff });
  expect(unchanged.data).toEqual(after);
  const log = await t.call('GET core/sys/log/', { pageSize: 2 }, { token: await t.signInAdmin() });
  expect(log.data.list[1]).toMatchObject({
    target: `category:${data.id}`,
    before: { name: data.name, icon: 'apps' },
    after: { name: '算法', icon: 'apps' },
  });
});

test('applies concurrent changes of different fields', async () => {
  const { data } = await create();
  const put = (more: object) => t.call('PUT core/sys/category/', { id: data.id, ...more }, { token: staff });
  await Promise.all([put({ name: '甲' }), put({ icon: 'chip' }), put({ sort: 77 }), put({ enabled: 0 })]);
  const one = await t.call('GET core/sys/category/', { id: data.id }, { token: staff });
  expect(one.data).toEqual({ ...data, name: '甲', icon: 'chip', sort: 77, enabled: 0 });
});

test('keeps slugs unique, also under concurrency', async () => {
  const responses = await Promise.all([1, 2, 3].map(() => create({ slug: 'wanted' })));
  expect(responses.filter((response) => response.success)).toHaveLength(1);
  for (const response of responses.filter((each) => !each.success))
    expect(response).toMatchObject({ status: 200, errorCode: 'CATEGORY_TAKEN' });
  const { data } = await create();
  const renamed = await t.call('PUT core/sys/category/', { id: data.id, slug: 'wanted' }, { token: staff });
  expect(renamed).toMatchObject({ status: 200, errorCode: 'CATEGORY_TAKEN' });
});

test('does not restore a removed category on the next start', async () => {
  const app = (await list()).find((each) => each.slug === 'app');
  const remove = () => t.call('DELETE core/sys/category/', { id: app?.id }, { token: staff });
  expect((await remove()).data).toEqual({ done: true });
  expect((await remove()).status).toBe(404);
  await seedInstallation(systemCtx(t.app.services));
  expect(await slugs(staff)).not.toContain('app');
  const nobody = { id: '0'.repeat(32), name: '无' };
  expect((await t.call('PUT core/sys/category/', nobody, { token: staff })).status).toBe(404);
});

test.each([
  ['slug', { slug: 'create' }],
  ['slug', { slug: '9lives' }],
  ['slug', { slug: '编程' }],
  ['slug', { slug: undefined }],
  ['name', { name: ' ' }],
  ['name', { name: '字'.repeat(21) }],
  ['icon', { icon: '<svg>' }],
  ['sort', { sort: -1 }],
  ['enabled', { enabled: 2 }],
])('rejects an invalid %s: %j', async (field, more) => {
  expect(await create(more)).toMatchObject({ status: 422, fields: { [field]: expect.any(String) } });
});

test('requires a separate permission for each action', async () => {
  const { data } = await create();
  await expectPermissionRequired(t, [
    ['category:create', 'POST core/sys/category/', { slug: 'never', name: '无' }],
    ['category:update', 'PUT core/sys/category/', { id: data.id, name: '无' }],
    ['category:remove', 'DELETE core/sys/category/', { id: data.id }],
  ]);
});
