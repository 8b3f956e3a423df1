import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createTestSite } from '../../../testing/site.ts';
import { createStaff } from '../../../testing/staff.ts';
import { findRobotsProblem, formatRobots } from './rules/robots.ts';

let t: TestApp;
let other: TestApp;
let staff: string;
beforeAll(async () => {
  const site = createTestSite(
    async () => ({ status: 404, html: '没有' }),
    undefined,
    (path) => (path === '/about.html' ? 'fixed' : null),
  );
  t = await startTestApp({ site: async () => site, config: { siteUrl: 'https://site.test' } });
  other = await startTestApp({ site: async () => site, sameDatabaseAs: t });
  staff = await t.signInAdmin();
});
afterAll(async () => {
  await other.close();
  await t.close();
});

const update = (input: object, token: string | undefined = staff) =>
  t.call('PUT core/sys/search-engine/', input, { token });
const robots = async () => (await t.app.server.inject('/robots.txt')).body;

test('the codes become meta tags of the site, also when the whole tag is pasted', async () => {
  expect((await t.call('GET core/site/')).data).not.toHaveProperty('verification');
  const saved = await update({
    baidu: '<meta name="baidu-site-verification" content="codeva-Ab1" />',
    google: ' x_Y-9= ',
    bing: '0123ABCD',
  });
  expect(saved.data).toMatchObject({ baidu: 'codeva-Ab1', google: 'x_Y-9=', sogou: '' });
  expect((await t.call('GET core/site/')).data.verification).toEqual({
    'baidu-site-verification': 'codeva-Ab1',
    'google-site-verification': 'x_Y-9=',
    'msvalidate.01': '0123ABCD',
  });
  expect((await update({ so360: '"><script>' })).fields).toHaveProperty('so360');
  await update({ baidu: '', google: '', bing: '' });
  expect((await t.call('GET core/site/')).data).not.toHaveProperty('verification');
});

test('robots.txt has the added lines before the sitemap, at once', async () => {
  const before = await robots();
  expect(before).toContain('User-agent: *\nDisallow: /api/\n');
  const preview = await t.call(
    'POST core/sys/search-engine/preview',
    { closed: false, robots: 'Disallow: /tag/' },
    { token: staff },
  );
  expect(await robots()).toBe(before);
  await update({ robots: 'Disallow: /tag/\r\n\r\nUser-agent: GPTBot\r\nDisallow: /\r\n' });
  const after = await robots();
  expect(after).toContain('Disallow: /download/\nDisallow: /tag/\n\nUser-agent: GPTBot\nDisallow: /\n');
  expect(after.endsWith('\nSitemap: https://site.test/sitemap.xml\n')).toBe(true);
  expect(preview.data.robotsText).toContain('Disallow: /tag/\n\nSitemap:');
  await update({ robots: '' });
  expect(await robots()).toBe(before);
});

test('a line that search engines do not understand is refused and changes nothing', async () => {
  const before = await robots();
  for (const [line, problem] of [
    ['Disalow: /a', '第 2 行：不认识「disalow」'],
    ['Disallow /a', '第 2 行'],
    ['Disallow: a', '第 2 行：路径以 / 开头'],
    ['Sitemap: /sitemap.xml', '第 2 行：要写完整的网址'],
    ['Crawl-delay: soon', '第 2 行：要写秒数'],
  ] as const) {
    const refused = await update({ robots: `# 说明\n${line}` });
    expect(refused.fields?.robots, line).toContain(problem);
  }
  expect(await robots()).toBe(before);
  expect(findRobotsProblem('# a\rDisalow: /b')).toContain('第 2 行');
  expect((await update({ robots: 'a'.repeat(5001) })).fields?.robots).toBe('最多 5000 字');
  expect(findRobotsProblem('\n'.repeat(300))).toBe('最多 200 行');
  expect(findRobotsProblem(`Disallow: ${'*'.repeat(4000)}`)).toBeNull();
});

test('a closed site disallows everything and marks every response noindex, in every process', async () => {
  const paths = ['/home', '/feed.xml', '/robots.txt', '/api/core/site/', '/missing.html'];
  const tagsOf = async ({ app }: TestApp) => {
    const responses = await Promise.all(paths.map((path) => app.server.inject(path)));
    return responses.map(({ headers }) => headers['x-robots-tag']);
  };
  const none = paths.map(() => undefined);
  expect(await tagsOf(t)).toEqual(none);
  await update({ closed: true, robots: 'Allow: /about.html' });
  expect(await robots()).toBe('User-agent: *\nDisallow: /\n');
  const all = paths.map(() => 'noindex');
  expect(await tagsOf(t)).toEqual(all);
  // Once more, because pages and feeds are cached now.
  expect(await tagsOf(t)).toEqual(all);
  await expect.poll(() => tagsOf(other)).toEqual(all);
  await update({ closed: false, robots: '' });
  expect(await tagsOf(t)).toEqual(none);
  await expect.poll(() => tagsOf(other)).toEqual(none);
});

test('robots.txt contains the base path', () => {
  const text = formatRobots({ basePath: '/blog', siteUrl: null, closed: false, robots: '' });
  expect(text).toContain('Disallow: /blog/api/');
});

test('concurrent changes of different fields are both saved', async () => {
  await Promise.all([update({ google: 'one' }), update({ sogou: 'two' })]);
  const { data } = await t.call('GET core/sys/search-engine/', {}, { token: staff });
  expect(data).toMatchObject({ google: 'one', sogou: 'two' });
  await update({ google: '', sogou: '' });
});

test('serves verification files in the root, but never in place of a page', async () => {
  const files = [
    { name: 'baidu_verify_codeva-1.html', content: 'abc' },
    { name: 'BingSiteAuth.xml', content: '<users><user>1</user></users>' },
  ];
  await update({ files });
  const html = await t.app.server.inject('/baidu_verify_codeva-1.html');
  expect([html.statusCode, html.body]).toEqual([200, 'abc']);
  expect(html.headers['content-security-policy']).toContain('sandbox');
  const xml = await t.app.server.inject('/BingSiteAuth.xml');
  expect(xml.headers['content-type']).toContain('application/xml');
  expect((await t.app.server.inject('/other.html')).statusCode).toBe(404);
  for (const name of ['robots.txt', 'about.html', '../a.html', 'a.js', 'sitemap.xml'])
    expect((await update({ files: [{ name, content: 'x' }] })).status, name).toBe(422);
  const twice = await update({ files: [files[0], files[0]] });
  expect(twice.fields).toEqual({ 'files.1.name': '已有同名的文件' });
  const long = await update({ files: [{ name: 'a.txt', content: 'x'.repeat(2001) }] });
  expect(long.fields).toEqual({ 'files.0.content': '内容最多 2000 字' });
  expect((await t.app.server.inject('/BingSiteAuth.xml')).statusCode).toBe(200);
  await update({ files: [] });
  expect((await t.app.server.inject('/BingSiteAuth.xml')).statusCode).toBe(404);
});

test('staff need the permission, and each change is in the operation log', async () => {
  const viewer = (await createStaff(t, ['search-engine:list'])).token;
  const stranger = (await t.register()).token;
  expect((await t.call('GET core/sys/search-engine/', {}, { token: viewer })).status).toBe(200);
  expect((await t.call('GET core/sys/search-engine/', {}, { token: stranger })).status).toBe(403);
  expect((await t.call('GET core/sys/search-engine/')).status).toBe(401);
  expect((await update({ baidu: 'a' }, viewer)).status).toBe(403);
  await update({ sogou: 'abc' });
  const log = await t.call('GET core/sys/log/', {}, { token: staff });
  expect(log.data.list[0]).toMatchObject({
    call: 'PUT core/sys/search-engine/',
    target: 'setting:search-engines',
  });
});
