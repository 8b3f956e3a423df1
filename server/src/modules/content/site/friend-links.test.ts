import type { FriendLink } from '@mozhan/contract/friend-links.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { expectPermissionRequired } from '../../../testing/permissions.ts';
import { uploadPicture } from '../../../testing/pictures.ts';
import { createStaff } from '../../../testing/staff.ts';

let t: TestApp;
let staff: string;
let admin: string;
beforeAll(async () => {
  t = await startTestApp({ config: { siteUrl: 'https://site.test' } });
  const all = ['friend-link:list', 'friend-link:create', 'friend-link:update', 'friend-link:remove'] as const;
  staff = (await createStaff(t, all)).token;
  admin = await t.signInAdmin();
});
afterAll(() => t.close());

const visible = async () => (await t.call('GET core/site/link')).data;
const list = async () =>
  (await t.call('GET core/sys/friend-link/', {}, { token: staff })).data as FriendLink[];
const create = (more: object = {}, token = staff) =>
  t.call('POST core/sys/friend-link/', { name: '邻居', url: 'https://example.com/', ...more }, { token });
const update = (input: object) => t.call('PUT core/sys/friend-link/', input, { token: staff });
const remove = (id: string) => t.call('DELETE core/sys/friend-link/', { id }, { token: staff });
const hasLinks = async () => (await t.call('GET core/site/')).data.hasFriendLinks;
const sitemap = async () => (await t.app.server.inject('/sitemap/pages.xml')).body;

test('readers see enabled links in order, and whether there are any', async () => {
  expect(await visible()).toEqual([]);
  expect(await hasLinks()).toBeUndefined();
  expect(await sitemap()).not.toContain('/page/links.html');
  const { data: first } = await create({ url: 'example.com', description: '写代码的朋友' });
  expect(first).toMatchObject({
    url: 'https://example.com',
    description: '写代码的朋友',
    logo: '',
    enabled: 1,
  });
  const { data: second } = await create({ name: '另一家' });
  expect(second.sort).toBe(first.sort + 10);
  const { data: off } = await create({ name: '停用的', enabled: 0 });
  expect((await visible()).map(({ name }) => name)).toEqual(['邻居', '另一家']);
  expect(await hasLinks()).toBe(true);
  expect(await sitemap()).toContain('<loc>https://site.test/page/links.html</loc>');
  await update({ id: second.id, sort: 1 });
  expect((await visible()).map(({ name }) => name)).toEqual(['另一家', '邻居']);
  expect(await list()).toHaveLength(3);
  for (const { id } of [first, second]) expect((await remove(id)).data).toEqual({ done: true });
  expect(await hasLinks()).toBeUndefined();
  expect(await sitemap()).not.toContain('/page/links.html');
  await remove(off.id);
  expect((await remove(off.id)).status).toBe(404);
});

test('changes only the given fields and logs the change', async () => {
  const { data } = await create({ description: '介绍' });
  const { data: after } = await update({ id: data.id, name: '改名' });
  expect(after).toEqual({ ...data, name: '改名' });
  const log = await t.call('GET core/sys/log/', { pageSize: 1 }, { token: admin });
  expect(log.data.list[0]).toMatchObject({
    target: `friend-link:${data.id}`,
    before: { name: '邻居' },
    after: { name: '改名' },
  });
  await remove(data.id);
});

test('a logo must be a picture that the user uploaded', async () => {
  const logo = await uploadPicture(t, staff, { background: '#336699' });
  const { data } = await create({ logo });
  expect(data.logo).toBe(logo);
  const other = await uploadPicture(t, admin, { background: '#993366' });
  expect(await create({ logo: other })).toMatchObject({ status: 422, fields: { logo: '请先上传图片' } });
  expect(await update({ id: data.id, logo: other })).toMatchObject({ status: 422 });
  expect((await update({ id: data.id, logo, name: '不变' })).success).toBe(true);
  await remove(data.id);
});

test.each([
  ['name', { name: ' ' }],
  ['name', { name: '字'.repeat(41) }],
  ['url', { url: 'javascript:alert(1)' }],
  ['url', { url: '/home' }],
  ['url', { url: undefined }],
  ['description', { description: '字'.repeat(101) }],
  ['logo', { logo: 'https://example.com/a.png' }],
  ['enabled', { enabled: 2 }],
])('rejects an invalid %s: %j', async (field, more) => {
  expect(await create(more)).toMatchObject({ status: 422, fields: { [field]: expect.any(String) } });
  expect(await list()).toEqual([]);
});

test('accepts at most 100 links, also under concurrency', async () => {
  await t.app.services.pool.query(
    `insert into friend_links (id, name, url, description, logo, sort, enabled, created_at, updated_at)
     select gen_random_uuid(), 'n', 'https://example.com', '', '', 1, true, now(), now() from generate_series(1, 99)`,
  );
  const responses = await Promise.all([1, 2, 3].map(() => create()));
  expect(responses.filter(({ success }) => success)).toHaveLength(1);
  await t.app.services.pool.query('delete from friend_links');
});

test('requires a separate permission for each action', async () => {
  const { data } = await create();
  await expectPermissionRequired(t, [
    ['friend-link:list', 'GET core/sys/friend-link/', {}],
    ['friend-link:create', 'POST core/sys/friend-link/', { name: '无', url: 'https://example.com' }],
    ['friend-link:update', 'PUT core/sys/friend-link/', { id: data.id, name: '无' }],
    ['friend-link:remove', 'DELETE core/sys/friend-link/', { id: data.id }],
  ]);
});
