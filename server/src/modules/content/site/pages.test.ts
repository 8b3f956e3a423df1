import { FLAG } from '@mozhan/contract/enums.ts';
import { isPageSlug } from '@mozhan/contract/page-address.ts';
import type { ListedPage, StaffPage } from '@mozhan/contract/site.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { expectPermissionRequired } from '../../../testing/permissions.ts';
import { createStaff } from '../../../testing/staff.ts';
import { findFreeSlug, toPageSlug } from './rules/page-slugs.ts';

let t: TestApp;
let staff: string;
let admin: string;
beforeAll(async () => {
  t = await startTestApp({ config: { basePath: '/blog', siteUrl: 'https://site.test/blog' } });
  staff = (await createStaff(t, ['page:list', 'page:create', 'page:update', 'page:remove'])).token;
  admin = await t.signInAdmin();
});
afterAll(() => t.close());

const read = (slug: string, token?: string) => t.call('GET core/site/page', { slug }, { token });
const create = (input: object, token = staff) => t.call('POST core/sys/page/', input, { token });
const save = (input: object) => t.call('PUT core/sys/page/', input, { token: staff });
const remove = (page: string) => t.call('DELETE core/sys/page/', { page }, { token: staff });
const list = async () => (await t.call('GET core/sys/page/all', {}, { token: staff })).data as ListedPage[];
let made = 0;
const publish = async (more: object = {}): Promise<StaffPage> => {
  made += 1;
  const input = {
    title: `第 ${made} 页`,
    slug: `made-${made}`,
    content: '正文',
    published: FLAG.on,
    ...more,
  };
  const response = await create(input);
  expect(response).toMatchObject({ success: true });
  return response.data;
};
const sitemap = async () => (await t.app.server.inject('/blog/sitemap/pages.xml')).body;

test('a new page is a draft that only staff see', async () => {
  const { data } = await create({ title: '团队 Team' });
  expect(data).toMatchObject({
    page: expect.stringMatching(/^[0-9a-f]{32}$/),
    slug: '团队-team',
    path: `/page/${encodeURIComponent('团队-team')}.html`,
    published: 0,
    publishedAt: null,
    version: 1,
    content: '',
    inNavigation: false,
  });
  const reader = await t.register();
  for (const token of [undefined, reader.token, staff])
    expect(await read('团队-team', token)).toMatchObject({ status: 404, errorCode: 'NOT_FOUND' });
  const written = await save({ page: data.page, version: 1, content: '## {{站名}}\n\n[帮助](/help.html)' });
  expect(written.data).toMatchObject({ version: 2, published: 0 });
  expect((await read('团队-team')).status).toBe(404);
  const { data: shown } = await save({ page: data.page, version: 2, published: 1 });
  expect(shown).toMatchObject({ published: 1, publishedAt: shown.updatedAt });
  expect((await read('团队-team')).data).toEqual({
    slug: '团队-team',
    path: `/page/${encodeURIComponent('团队-team')}.html`,
    title: '团队 Team',
    summary: '墨栈 帮助',
    html: expect.stringContaining('href="/blog/help.html"'),
    toc: [{ id: 'h-站名', text: '墨栈', level: 2 }],
    updatedAt: shown.updatedAt,
  });
  const { data: hidden } = await save({ page: data.page, version: 3, published: 0 });
  expect(hidden).toMatchObject({ published: 0, publishedAt: shown.publishedAt });
  expect((await read('团队-team')).status).toBe(404);
});

test('a page without text cannot be published', async () => {
  const refused = { status: 422, fields: { content: '先写正文，再发布' } };
  expect(await create({ title: '空', published: 1 })).toMatchObject(refused);
  const { data } = await create({ title: '空' });
  expect(await save({ page: data.page, version: 1, published: 1 })).toMatchObject(refused);
});

test('the sitemap lists published pages, and follows every change', async () => {
  const page = await publish({ slug: 'mapped' });
  const url = 'https://site.test/blog/page/mapped.html';
  expect(await sitemap()).toContain(`<loc>${url}</loc><lastmod>${page.updatedAt}`);
  await save({ page: page.page, version: 1, published: 0 });
  expect(await sitemap()).not.toContain(url);
  await save({ page: page.page, version: 2, published: 1 });
  expect(await sitemap()).toContain(url);
  await remove(page.page);
  expect(await sitemap()).not.toContain(url);
});

test('a former address leads to the page until another page uses it', async () => {
  const page = await publish({ slug: 'first' });
  await save({ page: page.page, version: 1, slug: 'second' });
  await save({ page: page.page, version: 2, slug: 'third' });
  for (const slug of ['first', 'second', 'third'])
    expect((await read(slug)).data).toMatchObject({ slug: 'third', path: '/page/third.html' });
  const other = await publish({ slug: 'first' });
  expect((await read('first')).data.title).toBe(other.title);
  await save({ page: page.page, version: 3, slug: 'second' });
  expect((await read('third')).data).toMatchObject({ slug: 'second' });
  await save({ page: page.page, version: 4, published: 0 });
  for (const slug of ['second', 'third']) expect((await read(slug)).status).toBe(404);
  await remove(page.page);
  expect((await create({ title: '新', slug: 'third' })).data.slug).toBe('third');
});

test('built-in pages can be read under both addresses, and keep their address and state', async () => {
  expect((await read('about')).data).toMatchObject({ slug: 'about', path: '/about.html' });
  const { data } = await t.call('GET core/sys/page/', { page: 'about' }, { token: staff });
  const { version } = data as StaffPage;
  const refused = { status: 200, errorCode: 'PAGE_BUILT_IN' };
  expect(await save({ page: 'about', version, slug: 'we' })).toMatchObject(refused);
  expect(await save({ page: 'about', version, published: 0 })).toMatchObject(refused);
  expect(await remove('about')).toMatchObject(refused);
  expect(await save({ page: 'about', version, published: 1, title: '关于' })).toMatchObject({
    success: true,
  });
});

test('lists all pages without their text, built-in ones first', async () => {
  const { page } = await publish();
  const all = await list();
  expect(all.slice(0, 6).map((each) => [each.page, each.builtIn, each.inNavigation])).toEqual(
    ['about', 'apply', 'help', 'usp', 'privacy', 'contact'].map((name) => [name, true, true]),
  );
  expect(all[6]).toMatchObject({ page, builtIn: false, inNavigation: false, published: 1 });
  expect(all[6]).not.toHaveProperty('content');
  expect(all[6]).not.toHaveProperty('html');
});

test('slugs are unique, also under concurrency', async () => {
  const responses = await Promise.all([1, 2, 3].map(() => create({ title: '抢', slug: 'wanted' })));
  expect(responses.filter(({ success }) => success)).toHaveLength(1);
  for (const response of responses.filter(({ success }) => !success))
    expect(response).toMatchObject({ status: 200, errorCode: 'PAGE_TAKEN' });
  const { page } = await publish();
  expect(await save({ page, version: 1, slug: 'wanted' })).toMatchObject({ errorCode: 'PAGE_TAKEN' });
  const named = await Promise.all([1, 2, 3].map(() => create({ title: '同名的页面' })));
  expect(named.map(({ data }) => data.slug).sort()).toEqual(['同名的页面', '同名的页面-2', '同名的页面-3']);
});

test('of two concurrent changes one wins', async () => {
  const { page } = await publish();
  const responses = await Promise.all(
    ['甲', '乙'].map((title) => save({ page, version: 1, title, slug: `race-${made}-${title}` })),
  );
  expect(responses.map(({ success }) => success).sort()).toEqual([false, true]);
  expect(responses.find(({ success }) => !success)).toMatchObject({ errorCode: 'STALE_VERSION' });
});

test('keeps versions, logs every change, and deletes a page with its history', async () => {
  const { page } = await publish({ title: '有历史' });
  await save({ page, version: 1, content: '第二稿' });
  const versions = () => t.call('GET core/sys/page/version', { page }, { token: staff });
  expect((await versions()).data).toMatchObject([
    { version: 2 },
    { version: 1, user: { id: expect.any(String) } },
  ]);
  expect((await remove(page)).data).toEqual({ done: true });
  expect((await versions()).status).toBe(404);
  expect((await remove(page)).status).toBe(404);
  const { rows } = await t.app.services.pool.query('select 1 from page_versions where page_id = $1', [page]);
  expect(rows).toEqual([]);
  const log = await t.call('GET core/sys/log/', { pageSize: 3 }, { token: admin });
  expect(log.data.list).toMatchObject([
    { target: `page:${page}`, call: 'DELETE core/sys/page/', before: { title: '有历史' }, after: null },
    { target: `page:${page}`, before: { version: 1 }, after: { content: '第二稿', version: 2 } },
    { target: `page:${page}`, before: null, after: { slug: expect.any(String), published: true } },
  ]);
});

test('the page at its address is rendered, cached, and follows every change', async () => {
  const get = async (path: string) => (await t.call('GET core/site/page', { slug: path })).status;
  const { pages } = t.app.services;
  const pageTags = new Set<string>();
  const { routes } = await import('./routes/pages.ts');
  const call = routes.find((route) => route.call.path === 'core/site/page');
  const { page } = await publish({ slug: 'cached' });
  await call?.run({ ...systemCtx(t.app.services), pageTags }, { slug: 'cached' } as never);
  expect([...pageTags].sort()).toEqual([`page:${page}`, 'pages', 'site']);
  expect(await get('cached')).toBe(200);
  const stored = (tags: string[]) => async () => ({
    status: 200,
    etag: '',
    headers: {},
    content: Buffer.from(''),
    compressed: null,
    tags: new Set(tags),
    renderedAt: Date.now(),
  });
  await pages.get('/home', stored(['site']));
  await pages.get('/page/cached.html', stored([`page:${page}`, 'pages', 'site']));
  await pages.get('/page/nothing.html', stored(['pages', 'site']));
  const count = () => pages.stats().pages;
  const before = count();
  await save({ page, version: 1, content: '改了' });
  expect(count()).toBe(before - 1);
  await save({ page, version: 2, published: 0 });
  expect(count()).toBe(before - 2);
});

test.each([
  ['slug', { slug: 'About' }],
  ['slug', { slug: 'a b' }],
  ['slug', { slug: 'a/b' }],
  ['slug', { slug: '-a' }],
  ['slug', { slug: 'a-' }],
  ['slug', { slug: 'é' }],
  ['slug', { slug: '' }],
  ['slug', { slug: '字'.repeat(81) }],
  ['slug', { slug: 'about' }],
  ['slug', { slug: 'links' }],
  ['title', { title: ' ' }],
  ['title', { title: '两\n行' }],
  ['content', { content: '字'.repeat(100_001) }],
  ['published', { published: 2 }],
])('rejects an invalid %s: %j', async (field, more) => {
  const before = (await list()).length;
  expect(await create({ title: '好', ...more })).toMatchObject({
    status: 422,
    fields: { [field]: expect.any(String) },
  });
  expect((await list()).length).toBe(before);
});

test.each([
  ['Hello, World!', 'hello-world'],
  ['%E5%85%B3%E4%BA%8E', '关于'],
  ['100%', '100'],
  ['日本語のページ', '日本語のペ-ジ'],
  ['  --- ', 'page'],
  ['É', 'page'],
  ['ａＢ１', 'ab1'],
  ['长'.repeat(200), '长'.repeat(80)],
])('makes a slug of %j', (text, slug) => {
  expect(toPageSlug(text)).toBe(slug);
  expect(isPageSlug(toPageSlug(text))).toBe(true);
});

test('a taken or reserved slug gets a number within the maximum length', () => {
  expect(findFreeSlug('about', new Set())).toBe('about-2');
  expect(findFreeSlug('a', new Set(['a', 'a-2']))).toBe('a-3');
  const long = '长'.repeat(80);
  expect(findFreeSlug(long, new Set([long]))).toBe(`${'长'.repeat(78)}-2`);
});

test('refuses more than 200 pages', async () => {
  const count = (await list()).length - 6;
  await t.app.services.pool.query(
    `insert into pages (id, slug, title, content, html, toc, published, updated_at)
     select gen_random_uuid(), 'many-' || n, 'n', 'n', '<p>n</p>', '[]', false, now()
     from generate_series(1, $1) as n`,
    [199 - count],
  );
  const responses = await Promise.all([1, 2].map(() => create({ title: '最后一个' })));
  expect(responses.map(({ success }) => success).sort()).toEqual([false, true]);
  expect(responses.find(({ success }) => !success)).toMatchObject({ errorCode: 'TOO_MANY_PAGES' });
  await t.app.services.pool.query("delete from pages where slug like 'many-%'");
});

test('requires a separate permission for each action', async () => {
  const { page } = await publish();
  await expectPermissionRequired(t, [
    ['page:list', 'GET core/sys/page/all', {}],
    ['page:create', 'POST core/sys/page/', { title: '无' }],
    ['page:update', 'PUT core/sys/page/', { page, version: 1, title: '无' }],
    ['page:remove', 'DELETE core/sys/page/', { page }],
  ]);
});
