import { type InfoPageName, infoPageNames } from '@mozhan/contract/page-address.ts';
import type { StaffPage } from '@mozhan/contract/site.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedInstallation } from '../../../first-start.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { expectPermissionRequired } from '../../../testing/permissions.ts';
import { createStaff } from '../../../testing/staff.ts';

let t: TestApp;
let staff: string;
let admin: string;
beforeAll(async () => {
  t = await startTestApp({ config: { basePath: '/blog', siteUrl: 'https://site.test/blog' } });
  staff = (await createStaff(t, ['page:list', 'page:update'])).token;
  admin = await t.signInAdmin();
});
afterAll(() => t.close());

const read = async (page: InfoPageName) => (await t.call('GET core/site/', { page })).data.page;
const edit = async (page: InfoPageName) =>
  (await t.call('GET core/sys/page/', { page }, { token: staff })).data as StaffPage;
const save = (input: object, token?: string) =>
  t.call('PUT core/sys/page/', input, { token: token ?? staff });
/** Saves with the current version. */
const write = async (page: InfoPageName, fields: { title?: string; content?: string }) => {
  const response = await save({ page, version: (await edit(page)).version, ...fields });
  expect(response.success).toBe(true);
  return response.data;
};
const setting = (fields: object) => t.call('PUT core/sys/setting/', fields, { token: admin });

test.each(infoPageNames)('%s comes with the first start, as a whole page for everyone', async (name) => {
  const page = await read(name);
  expect(page).toMatchObject({ page: name, title: expect.stringMatching(/[一-鿿]/) });
  expect(page?.html).toContain('<p>');
  expect(page?.html).not.toMatch(/\{\{|\}\}|<h1|href="\/(?!blog\/)/);
  expect(page?.summary.length).toBeGreaterThan(40);
  expect(page?.summary.length).toBeLessThanOrEqual(101);
  expect(page?.summary).not.toMatch(/[<>]|&#|\{\{/);
  for (const { id } of page?.toc ?? []) expect(page?.html).toContain(`id="${id}"`);
});

test('returns a page only when requested, and only one of the six', async () => {
  expect((await t.call('GET core/site/')).data.page).toBeUndefined();
  expect((await t.call('GET core/site/', { page: 'secret' })).status).toBe(422);
});

test('lists all six pages for staff in the order of the footer, with variables', async () => {
  const { data } = await t.call('GET core/sys/page/', {}, { token: staff });
  const pages = data as StaffPage[];
  expect(pages.map((page) => page.page)).toEqual([...infoPageNames]);
  expect(pages.every((page) => page.version >= 1 && !page.content.startsWith('# '))).toBe(true);
  expect(pages[0]?.content).toContain('{{站名}}');
  expect(pages[0]?.html).not.toContain('{{站名}}');
});

test('fills in the current settings, escaped', async () => {
  await write('contact', {
    title: '联系{{站名}}',
    content: '## 致{{站名}}\n\n{{站名}}：{{一句话介绍}}。写信到 {{邮箱}}，网址 {{网址}}，{{别的}}。',
  });
  await setting({ title: '<b>A&B</b>', tagline: '"说"' });
  const page = await read('contact');
  expect(page?.title).toBe('联系<b>A&B</b>');
  expect(page?.toc).toEqual([{ id: 'h-致站名', text: '致<b>A&B</b>', level: 2 }]);
  expect(page?.html).toContain('<h2 id="h-致站名">致&#x3C;b&#x3E;A&#x26;B&#x3C;/b&#x3E;<a class="anchor"');
  expect(page?.html).toContain('&#x22;说&#x22;。写信到 管理员还没有填写联系邮箱，');
  expect(page?.html).toContain('<a href="https://site.test/blog">https://site.test/blog</a>，{{别的}}');
  expect(page?.summary).toBe(
    '致<b>A&B</b> <b>A&B</b>："说"。写信到 管理员还没有填写联系邮箱，网址 https://site.test/blog，{{别的}}。',
  );
  await setting({ title: '墨栈', tagline: '{{邮箱}}', email: "o'hara@example.com" });
  const again = await read('contact');
  expect(again?.title).toBe('联系墨栈');
  expect(again?.html).toContain('<a href="mailto:o&#x27;hara@example.com">o&#x27;hara@example.com</a>，网址');
  expect(again?.html).toContain('墨栈：{{邮箱}}。');
  expect((await edit('contact')).title).toBe('联系{{站名}}');
  await setting({ tagline: '', email: '' });
});

test('omits contact lines if no e-mail is configured', async () => {
  await setting({ email: '' });
  const content =
    '联系邮箱：{{邮箱}}\n\n- 网址：{{网址}}\n- 联系邮箱：{{邮箱}}\n\n先说一句。有事写信：{{邮箱}}\n';
  await write('usp', { content });
  const without = (await read('usp'))?.html ?? '';
  expect(without).not.toMatch(/邮箱|写信|<p><\/p>|<li><\/li>/);
  expect(without).toContain('<p>先说一句。</p>');
  expect((await read('privacy'))?.html).not.toContain('管理员还没有填写');
  await write('apply', {
    content:
      '**邮箱**：{{邮箱}}\n\n[写信](mailto:{{邮箱}})也行。\n\n请来信：{{邮箱}}，或者拨打 400。\n\n<img src="/files/a.webp" alt="联系我们：{{邮箱}}">\n',
  });
  const mixed = (await read('apply'))?.html ?? '';
  expect(mixed).not.toMatch(/<strong>|mailto/);
  expect(mixed).toContain('<p>写信也行。</p>');
  expect(mixed).toContain('或者拨打 400。');
  expect(mixed).toContain('/files/a.webp"');
  await setting({ email: 'a@example.com' });
  expect((await read('usp'))?.html.match(/mailto:a@example\.com/g)).toHaveLength(3);
  await setting({ email: '' });
});

test('replaces variables and URLs inside links and tags', async () => {
  await setting({ email: 'a@example.com', title: '"墨"' });
  const { html } = await write('apply', {
    content:
      '[写给 {{邮箱}}](mailto:{{邮箱}} "{{站名}}") [首页]({{网址}}/home) [帮助](/help.html) ![](/files/a.webp) [外面](//example.com) `href="/a"` [站]({{站名}})',
  });
  expect(html).toContain('<a href="mailto:a@example.com" title="&#x22;墨&#x22;">写给 a@example.com</a>');
  expect(html).toContain('<a href="https://site.test/blog/home">首页</a>');
  expect(html).toContain('<a href="/blog/help.html">帮助</a>');
  expect(html).toContain('<img src="/blog/files/a.webp" alt="" ');
  expect(html).toContain('<a href="//example.com" rel="nofollow ugc noopener">外面</a>');
  expect(html).toContain('<code>href="/a"</code>');
  expect(html).toContain('<a href="%7B%7B%E7%AB%99%E5%90%8D%7D%7D">站</a>');
  await setting({ email: '', title: '墨栈' });
});

test('uses the base path if the site URL is not configured', async () => {
  const bare = await startTestApp({ config: { siteUrl: null } });
  const page = (await bare.call('GET core/site/', { page: 'usp' })).data.page;
  expect(page?.html).toContain('<a href="/">/</a>');
  expect(page?.html).toContain('href="/privacy.html"');
  await bare.close();
});

test('saving creates the next version, takes effect immediately and is logged', async () => {
  const before = await edit('help');
  const after = await write('help', { content: '## 新的帮助\n\n正文 <script>alert(1)</script>' });
  expect(after).toMatchObject({ version: before.version + 1, title: before.title });
  expect(after.toc).toEqual([{ id: 'h-新的帮助', text: '新的帮助', level: 2 }]);
  expect(after.html).not.toContain('<script');
  const { page, title, summary, html, toc, updatedAt } = after;
  expect(await read('help')).toEqual({ page, title, summary, html, toc, updatedAt });
  const titled = await write('help', { title: '帮助' });
  expect(titled).toMatchObject({ title: '帮助', content: after.content, html: after.html });
  const log = await t.call('GET core/sys/log/', { pageSize: 1 }, { token: admin });
  expect(log.data.list[0]).toMatchObject({
    target: 'page:help',
    before: { title: before.title, version: after.version },
    after: { title: '帮助', version: after.version + 1 },
  });
});

test('invalidates only the changed page', async () => {
  const { pages } = t.app.services;
  const cached = (tag: string) => ({
    status: 200,
    etag: '',
    headers: {},
    content: Buffer.from(''),
    compressed: null,
    tags: new Set([tag]),
    renderedAt: Date.now(),
  });
  await pages.get('/usp.html', async () => cached('page:usp'));
  await pages.get('/privacy.html', async () => cached('page:privacy'));
  const { pages: kept } = pages.stats();
  await write('usp', { content: '改了' });
  expect(pages.stats().pages).toBe(kept - 1);
});

test('records the cache tags while a page is rendered', async () => {
  const pageTags = new Set<string>();
  const { routes } = await import('./routes/site.ts');
  const getSite = routes.find((route) => route.call.path === 'core/site/');
  await getSite?.run({ ...systemCtx(t.app.services), pageTags }, { page: 'about' } as never);
  expect([...pageTags].sort()).toEqual(['page:about', 'search-engines', 'site', 'switches']);
});

test('rejects an old version, and accepts one of several concurrent saves', async () => {
  const { version } = await edit('about');
  const responses = await Promise.all(
    ['甲', '乙', '丙', '丁'].map((content) => save({ page: 'about', version, content })),
  );
  const won = responses.filter((response) => response.success);
  expect(won).toHaveLength(1);
  for (const lost of responses.filter((response) => !response.success))
    expect(lost).toMatchObject({ status: 409, errorCode: 'STALE_VERSION' });
  expect(await edit('about')).toMatchObject({ version: version + 1, content: won[0]?.data.content });
  expect(await save({ page: 'about', version, title: '晚了' })).toMatchObject({ status: 409 });
});

test('renders a preview without saving', async () => {
  const content = '## {{站名}}\n\n[帮助](/help.html) **好**';
  const before = await edit('privacy');
  const preview = await t.call('POST core/sys/page/preview', { content }, { token: staff });
  expect(await edit('privacy')).toEqual(before);
  const { html, toc } = await write('privacy', { content });
  expect(preview.data).toEqual({ html, toc });
});

test('a restart keeps existing pages and restores missing ones', async () => {
  await write('apply', { content: '自己写的' });
  await t.app.services.pool.query("delete from pages where slug = 'usp'");
  expect((await t.call('GET core/site/', { page: 'usp' })).status).toBe(404);
  await Promise.all([1, 2].map(() => seedInstallation(systemCtx(t.app.services))));
  expect((await edit('apply')).content).toBe('自己写的');
  expect(await edit('usp')).toMatchObject({ version: 1, title: '服务协议' });
});

test.each([
  ['page', { page: 'nothing' }],
  ['version', { version: 0 }],
  ['version', { version: undefined }],
  ['title', { title: ' ' }],
  ['title', { title: '两\n行' }],
  ['content', { content: '' }],
  ['content', { content: '字'.repeat(100_001) }],
  ['content', { content: '> '.repeat(10_000) }],
])('rejects an invalid %s', async (field, more) => {
  const { version } = await edit('about');
  expect(await save({ page: 'about', version, ...more })).toMatchObject({
    status: 422,
    fields: { [field]: expect.any(String) },
  });
});

test('requires separate permissions to read and to change', async () => {
  const { version } = await edit('about');
  const calls = [
    ['page:list', 'GET core/sys/page/', {}],
    ['page:update', 'PUT core/sys/page/', { page: 'about', version, title: '关于' }],
    ['page:update', 'POST core/sys/page/preview', { content: '好' }],
  ] as const;
  await expectPermissionRequired(t, calls);
  for (const [permission, route, input] of calls)
    expect((await t.call(route, input, await createStaff(t, [permission]))).success).toBe(true);
});

test('keeps older versions of a page with their authors', async () => {
  const versions = async (query: object, token?: string) =>
    t.call('GET core/sys/page/version', { page: 'usp', ...query }, { token });
  expect((await versions({}, staff)).data).toEqual([]);
  const { version, content } = await edit('usp');
  await write('usp', { content: '第二稿' });
  await write('usp', { content: '第三稿' });
  const { data } = await versions({}, staff);
  expect(data).toMatchObject([
    { version: version + 2, user: { id: expect.any(String) } },
    { version: version + 1 },
    { version, user: null },
  ]);
  expect((await versions({ version }, staff)).data).toMatchObject({ version, content });
  expect((await versions({ version: version + 1 }, staff)).data).toMatchObject({ content: '第二稿' });
  expect((await versions({ version: 99 }, staff)).status).toBe(404);
  expect((await versions({})).status).toBe(401);
  expect((await versions({}, (await t.register()).token)).status).toBe(403);
});
