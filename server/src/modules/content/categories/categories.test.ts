import type { Category } from '@mozhan/contract/categories.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepare } from '../../../first-start.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { expectPermissionRequired } from '../../../testing/permissions.ts';
import { makeStaff } from '../../../testing/staff.ts';

let t: TestApp;
let staff: string;
beforeAll(async () => {
  t = await startTestApp();
  const all = ['category:create', 'category:update', 'category:remove'] as const;
  staff = (await makeStaff(t, all)).token;
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

test('three come with the first start, in order, for visitors and in the site’s answer', async () => {
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

test('a new one comes last, enabled, with the usual icon', async () => {
  const last = (await list(staff)).at(-1)?.sort ?? 0;
  const { data } = await create();
  expect(data).toMatchObject({ sort: last + 10, icon: 'code', enabled: 1 });
  const named = await create({ sort: 1, icon: 'chip', enabled: 0 });
  expect(named.data).toMatchObject({ sort: 1, icon: 'chip', enabled: 0 });
});

test('the order ends somewhere, and still new ones can be made', async () => {
  const { data } = await create({ sort: 9999 });
  expect((await create()).data.sort).toBe(9999);
  await t.call('DELETE core/sys/category/', { id: data.id }, { token: staff });
});

test('a disabled one is there for those who edit categories, and for nobody else', async () => {
  const { data } = await create();
  const answer = await t.call('PUT core/sys/category/', { id: data.id, enabled: 0 }, { token: staff });
  expect(answer.data).toEqual({ ...data, enabled: 0 });
  const reader = await t.register();
  const other = await makeStaff(t, ['category:create', 'category:remove']);
  for (const token of [undefined, reader.token, other.token]) {
    expect(await slugs(token)).not.toContain(data.slug);
    const one = await t.call('GET core/sys/category/', { id: data.id }, { token });
    expect(one).toMatchObject({ status: 404, errorCode: 'NOT_FOUND' });
  }
  expect((await onSite()).map((each) => each.slug)).not.toContain(data.slug);
  expect(await slugs(staff)).toContain(data.slug);
  expect((await t.call('GET core/sys/category/', { id: data.id }, { token: staff })).data).toEqual(
    answer.data,
  );
  expect(await slugs(await t.signInAdmin())).toContain(data.slug);
});

test('only what is given changes, and the change is logged', async () => {
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

test('two changes of different fields at once both count', async () => {
  const { data } = await create();
  const put = (more: object) => t.call('PUT core/sys/category/', { id: data.id, ...more }, { token: staff });
  await Promise.all([put({ name: '甲' }), put({ icon: 'chip' }), put({ sort: 77 }), put({ enabled: 0 })]);
  const one = await t.call('GET core/sys/category/', { id: data.id }, { token: staff });
  expect(one.data).toEqual({ ...data, name: '甲', icon: 'chip', sort: 77, enabled: 0 });
});

test('a slug belongs to one category, also when several want it at once', async () => {
  const answers = await Promise.all([1, 2, 3].map(() => create({ slug: 'wanted' })));
  expect(answers.filter((answer) => answer.success)).toHaveLength(1);
  for (const answer of answers.filter((each) => !each.success))
    expect(answer).toMatchObject({ status: 200, errorCode: 'CATEGORY_TAKEN' });
  const { data } = await create();
  const renamed = await t.call('PUT core/sys/category/', { id: data.id, slug: 'wanted' }, { token: staff });
  expect(renamed).toMatchObject({ status: 200, errorCode: 'CATEGORY_TAKEN' });
});

test('what is removed is gone, and stays away at the next start', async () => {
  const app = (await list()).find((each) => each.slug === 'app');
  const remove = () => t.call('DELETE core/sys/category/', { id: app?.id }, { token: staff });
  expect((await remove()).data).toEqual({ done: true });
  expect((await remove()).status).toBe(404);
  await prepare(systemCtx(t.app.services));
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
  ['name', { name: '十一个字的名字太长了啊' }],
  ['icon', { icon: '<svg>' }],
  ['sort', { sort: -1 }],
  ['enabled', { enabled: 2 }],
])('a wrong %s is refused: %j', async (field, more) => {
  expect(await create(more)).toMatchObject({ status: 422, fields: { [field]: expect.any(String) } });
});

test('each deed needs its own permission', async () => {
  const { data } = await create();
  await expectPermissionRequired(t, [
    ['category:create', 'POST core/sys/category/', { slug: 'never', name: '无' }],
    ['category:update', 'PUT core/sys/category/', { id: data.id, name: '无' }],
    ['category:remove', 'DELETE core/sys/category/', { id: data.id }],
  ]);
});
