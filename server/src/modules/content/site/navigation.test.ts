import type { Category } from '@mozhan/contract/categories.ts';
import type { StaffPage } from '@mozhan/contract/site.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { expectPermissionRequired } from '../../../testing/permissions.ts';
import { createStaff } from '../../../testing/staff.ts';

let t: TestApp;
let staff: string;
let admin: string;
beforeAll(async () => {
  t = await startTestApp();
  staff = (await createStaff(t, ['nav:list', 'nav:update'])).token;
  admin = await t.signInAdmin();
});
afterAll(() => t.close());

const site = async () => (await t.call('GET core/site/')).data;
const get = async () => (await t.call('GET core/sys/nav/', {}, { token: staff })).data;
const put = (input: object) => t.call('PUT core/sys/nav/', input, { token: staff });
const save = async (fields: object) => {
  const response = await put({ version: (await get()).version, ...fields });
  expect(response).toMatchObject({ success: true });
  return response.data;
};
const createPage = async (title: string): Promise<StaffPage> =>
  (await t.call('POST core/sys/page/', { title, content: '正文', published: 1 }, { token: admin })).data;
const listCategories = async () =>
  (await t.call('GET core/sys/category/', {}, { token: admin })).data as Category[];
const labels = async () => (await site()).navigation?.header?.map(({ label }) => label);

test('the default is what the site shows, and the site does not send it', async () => {
  expect(await site()).not.toHaveProperty('navigation');
  expect(await site()).not.toHaveProperty('hasFriendLinks');
  const navigation = await get();
  expect(navigation).toMatchObject({ version: 1, headerEdited: false, footerEdited: false });
  const [program] = await listCategories();
  expect(navigation.header.slice(0, 2)).toEqual([
    { kind: 'route', route: 'home', label: '', enabled: 1 },
    { kind: 'category', categoryId: program?.id, label: '', enabled: 1 },
  ]);
  expect(navigation.footer).toMatchObject([
    { title: '', entries: [{ kind: 'page', page: 'about' }, {}, {}, {}, {}, {}] },
  ]);
  expect(navigation.pages[0]).toEqual({ page: 'about', title: '关于我们', published: 1 });
});

test('the default can be saved, however many categories there are', async () => {
  await t.app.services.pool.query(
    `insert into categories (id, slug, name, icon, sort, created_at)
     select gen_random_uuid(), 'many-' || n, '分类' || n, '', 100 + n, now() from generate_series(1, 50) n`,
  );
  const { header } = await get();
  expect(await save({ header: header.toReversed() })).toMatchObject({ headerEdited: true });
  await save({ header: null });
  await t.app.services.pool.query("delete from categories where slug like 'many-%'");
});

test('every kind of entry leads to its target, in order, under its own name or a label', async () => {
  const [program, tech] = await listCategories();
  const page = await createPage('关于{{站名}}团队');
  await save({
    header: [
      { kind: 'page', page: page.page },
      { kind: 'route', route: 'stars' },
      { kind: 'category', categoryId: tech?.id, label: '写技术' },
      { kind: 'route', route: 'home', enabled: 0 },
      { kind: 'link', url: 'example.com/docs', label: '文档' },
      { kind: 'category', categoryId: program?.id },
      { kind: 'page', page: 'privacy' },
      { kind: 'route', route: 'links' },
    ],
    footer: [
      { title: '产品', entries: [{ kind: 'page', page: 'about', label: '关于' }] },
      { title: '空的', entries: [{ kind: 'route', route: 'home', enabled: 0 }] },
      { entries: [{ kind: 'route', route: 'feed' }] },
    ],
  });
  expect((await site()).navigation).toEqual({
    header: [
      { label: '关于墨栈团队', to: page.path, icon: 'page' },
      { label: '码星', to: '/home?view=stars', icon: 'star' },
      { label: '写技术', to: '/essay/tech.html', icon: 'chip' },
      { label: '文档', to: 'https://example.com/docs', icon: 'link' },
      { label: '编程', to: '/essay/program.html', icon: 'code' },
      { label: '隐私政策', to: '/privacy.html', icon: 'page' },
    ],
    footer: [
      { title: '产品', links: [{ label: '关于', to: '/about.html', icon: 'page' }] },
      { title: '', links: [{ label: '订阅 RSS', to: '/feed.xml', icon: 'bell' }] },
    ],
  });
  const log = await t.call('GET core/sys/log/', { pageSize: 1 }, { token: admin });
  expect(log.data.list[0]).toMatchObject({ target: 'nav:site', before: { header: null } });
});

test('each part returns to its default by itself', async () => {
  await save({ header: [{ kind: 'route', route: 'home' }], footer: [] });
  expect((await site()).navigation).toMatchObject({ header: [{ label: '首页' }], footer: [] });
  expect(await save({ header: null })).toMatchObject({ headerEdited: false, footerEdited: true });
  expect((await site()).navigation).toEqual({ footer: [] });
  await save({ footer: null });
  expect(await site()).not.toHaveProperty('navigation');
});

test('unpublished and deleted pages and disabled categories vanish, and come back', async () => {
  const page = await createPage('会走的页面');
  const [, tech] = await listCategories();
  await save({
    header: [
      { kind: 'page', page: page.page },
      { kind: 'category', categoryId: tech?.id },
    ],
  });
  expect(await labels()).toEqual(['会走的页面', '技术']);
  const staffPage = async () =>
    (await t.call('GET core/sys/page/', { page: page.page }, { token: admin })).data as StaffPage;
  const change = async (fields: object) =>
    t.call(
      'PUT core/sys/page/',
      { page: page.page, version: (await staffPage()).version, ...fields },
      { token: admin },
    );
  expect(await staffPage()).toMatchObject({ inNavigation: true });
  await change({ published: 0 });
  expect(await labels()).toEqual(['技术']);
  expect(await staffPage()).toMatchObject({ inNavigation: false });
  expect((await get()).header).toHaveLength(2);
  await change({ published: 1, title: '回来的页面', slug: 'returned' });
  expect((await site()).navigation?.header?.[0]).toMatchObject({
    label: '回来的页面',
    to: '/page/returned.html',
  });
  await t.call('PUT core/sys/category/', { id: tech?.id, enabled: 0 }, { token: admin });
  expect(await labels()).toEqual(['回来的页面']);
  await t.call('PUT core/sys/category/', { id: tech?.id, enabled: 1 }, { token: admin });
  await t.call('DELETE core/sys/page/', { page: page.page }, { token: admin });
  expect(await labels()).toEqual(['技术']);
  expect((await get()).header).toHaveLength(1);
  await save({ header: null });
});

test('a change of a page invalidates all pages only if they link to it and show the change', async () => {
  const page = await createPage('看得见');
  const hidden = await createPage('看不见');
  await save({ header: [{ kind: 'page', page: page.page }] });
  const invalidated = vi.spyOn(t.app.services.pages, 'invalidate');
  const update = async (input: { page: string; version: number; title?: string; content?: string }) => {
    invalidated.mockClear();
    await t.call('PUT core/sys/page/', input, { token: admin });
    // Those of earlier transactions may arrive late, from the database.
    const calls = invalidated.mock.calls.map(([given]) => [...given]);
    return calls.filter((each) => each.includes(`page:${input.page}`)).flat();
  };
  expect(await update({ page: hidden.page, version: 1, title: '还是看不见' })).not.toContain('site');
  expect(await update({ page: page.page, version: 1, content: '只改正文' })).not.toContain('site');
  expect(await update({ page: page.page, version: 2, title: '改了标题' })).toContain('site');
  invalidated.mockRestore();
  await save({ header: null });
});

test('accepts one of several concurrent changes', async () => {
  const { version } = await get();
  const responses = await Promise.all(
    ['甲', '乙', '丙'].map((label) => put({ version, header: [{ kind: 'route', route: 'home', label }] })),
  );
  expect(responses.filter(({ success }) => success)).toHaveLength(1);
  for (const lost of responses.filter(({ success }) => !success))
    expect(lost).toMatchObject({ status: 409, errorCode: 'STALE_VERSION' });
  await save({ header: null });
});

const home = { kind: 'route', route: 'home' };
test.each([
  ['header', { header: Array.from({ length: 41 }, () => home) }],
  ['header', { header: [{ kind: 'link', url: 'javascript:alert(1)', label: '坏' }] }],
  ['header', { header: [{ kind: 'link', url: 'https://example.com', label: '' }] }],
  ['header', { header: [{ kind: 'route', route: 'admin' }] }],
  ['header', { header: [{ kind: 'page', page: '0'.repeat(32) }] }],
  ['header', { header: [{ kind: 'page', page: 'nothing' }] }],
  ['header', { header: [{ kind: 'category', categoryId: '0'.repeat(32) }] }],
  ['header', { header: [{ ...home, label: '字'.repeat(21) }] }],
  ['footer', { footer: Array.from({ length: 5 }, () => ({ title: '组', entries: [] })) }],
  [
    'footer',
    { footer: [1, 2].map(() => ({ title: '组', entries: Array.from({ length: 21 }, () => home) })) },
  ],
  ['footer', { footer: [{ title: '两\n行', entries: [] }] }],
  ['footer', { footer: [{ title: '组', entries: [{ kind: 'page', page: '0'.repeat(32) }] }] }],
])('rejects an invalid %s: %j', async (field, input) => {
  const before = await get();
  const response = await put({ version: before.version, ...input });
  expect(response.status).toBe(422);
  expect(Object.keys(response.fields ?? {}).some((key) => key.startsWith(field))).toBe(true);
  expect(await get()).toEqual(before);
});

test('requires separate permissions to read and to change', async () => {
  const { version } = await get();
  await expectPermissionRequired(t, [
    ['nav:list', 'GET core/sys/nav/', {}],
    ['nav:update', 'PUT core/sys/nav/', { version, header: [] }],
  ]);
});
