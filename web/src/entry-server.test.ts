import type { RouteName } from '@mozhan/contract/client.ts';
import { defaultSettings } from '@mozhan/contract/default-settings.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type { Site } from '@mozhan/contract/site.ts';
import { expect, test } from 'vitest';
import { normalise, type RenderRequest, render } from './entry-server.tsx';

const site: Site = {
  settings: { ...defaultSettings, tagline: '写下 </script> 背后的思考', icp: '京ICP备1号' },
  categories: [{ id: '1'.repeat(32), slug: 'program', name: '编程', icon: 'code' }],
  announcements: [],
  features: { mail: false, sms: false },
  year: 2026,
};

const nothing = { list: [], total: 0, page: 1, pageSize: 10, next: null };
const answers: Partial<Record<RouteName, unknown>> = {
  'GET core/site/': site,
  'GET core/essay/': nothing,
  'GET core/essay/tag': [],
  'GET core/essay/{id}/related': [],
  'GET core/sys/cover/': [],
  'GET core/code/star/': { range: 'week', list: [], picks: [], updatedAt: null },
};

const request = (
  url: string,
  transport: RenderRequest['transport'] = async ({ route }) => answers[route],
): RenderRequest => ({
  url,
  transport,
  assets: (file) => ({
    entry: '/e.js',
    boot: '/b.js',
    css: [`/${file ?? 'none'}.css`],
    entryImports: [],
    preload: file === undefined ? [] : [`/${file}.js`],
  }),
  basePath: '/blog',
  siteUrl: 'https://example.com/blog',
});

test('a page is complete: head, text, data, and the files of the page', async () => {
  const { status, html } = await render(request('/home'));
  expect(status).toBe(200);
  expect(html).toMatch(/^<!doctype html><html lang="zh-CN">/);
  expect(html).toContain('<link rel="canonical" href="https://example.com/blog/home"/>');
  expect(html).toContain('<link rel="stylesheet" href="/src/pages/home.tsx.css">');
  expect(html).toContain('href="/blog/login.html"');
  expect(html).toContain('京ICP备1号');
  const [head = '', body = ''] = html.split('</head>');
  expect(head).toContain('<title>墨栈 · ');
  expect(body).not.toContain('<title>');
});

test('nothing in it needs more than the policy allows', async () => {
  for (const url of ['/home', '/login.html', '/login.html?mode=register', '/nowhere']) {
    const { html } = await render(request(url));
    expect(html).not.toMatch(/ style="/);
    expect(html).not.toMatch(/<style/);
    expect(html.match(/<script(?![^>]*(src=|type="application\/(ld\+)?json"))/g)).toBeNull();
  }
});

test('text from outside cannot end the elements that carry data', async () => {
  const { html } = await render(request('/home'));
  const data = /<script type="application\/json" id="data">(.*?)<\/script>/.exec(html)?.[1] ?? '';
  expect(JSON.parse(data)).toMatchObject({ url: '/home', status: 200, basePath: '/blog' });
  expect(data).not.toContain('<');
});

test('an unknown address is a 404 that search engines leave alone', async () => {
  const { status, html } = await render(request('/nowhere.html'));
  expect(status).toBe(404);
  expect(html).toContain('<meta name="robots" content="noindex"/>');
  expect((await render(request('//example.com/home'))).status).toBe(404);
});

test('the root leads home, under the base path', async () => {
  expect(await render(request('/'))).toMatchObject({ status: 302, redirect: '/blog/home' });
  expect(await render(request('/index.html'))).toMatchObject({ status: 302, redirect: '/blog/home' });
});

test('a failure is a page too, and says what happened to the log', async () => {
  const error = new CallError('UNAVAILABLE');
  const rendered = await render(request('/home', () => Promise.reject(error)));
  expect(rendered).toMatchObject({ status: 500, error });
  expect(rendered.html).toContain('这一页没有打开');
});

test('only what changes the HTML is left of an address', () => {
  expect(normalise('/home?utm=1&t=2')).toBe('/home');
  expect(normalise('/login.html?ticket=abc&mode=register&redirect=/x')).toBe('/login.html?mode=register');
  expect(normalise('/login.html?mode=anything')).toBe('/login.html');
  expect(normalise('/login.html?way=password&redirect=/admin/')).toBe('/login.html?way=password');
  expect(normalise('/nowhere?a=b')).toBe('/nowhere');
  const essay = `/essay/detail/${'a'.repeat(32)}.html`;
  expect(normalise(`${essay}?s=Ab3dE5gH9k`)).toBe(essay);
});

test('the same page for everyone: parameters for the browser do not show', async () => {
  const plain = await render(request('/login.html'));
  expect((await render(request('/login.html?ticket=abc&redirect=/x'))).html).toBe(plain.html);
});

test('a page with an access key is a neutral shell, the same for everyone, that asks for nothing', async () => {
  const asked: string[] = [];
  const { status, html } = await render(
    request('/account/center.html?tab=notice', async ({ route }) => {
      asked.push(route);
      return site;
    }),
  );
  expect(status).toBe(200);
  expect(html).toContain('<meta name="robots" content="noindex"/>');
  expect(html).toContain('正在载入');
  expect(asked).toEqual(['GET core/site/']);
});

test('a category is a page, what is no category is none', async () => {
  const list = await render(request('/essay/program.html'));
  expect(list.status).toBe(200);
  expect(list.html).toContain('<link rel="canonical" href="https://example.com/blog/essay/program.html"/>');
  expect((await render(request('/essay/nothing.html'))).status).toBe(404);
});

test('a page number is kept, anything else in its place is not', () => {
  const home = `/user/home/${'a'.repeat(32)}.html`;
  expect(normalise(`${home}?page=3&x=1`)).toBe(`${home}?page=3`);
  for (const page of ['0', '-1', '1e3', '99999', 'x']) expect(normalise(`${home}?page=${page}`)).toBe(home);
});

const author = {
  id: 'b'.repeat(32),
  displayName: '林砚',
  headImg: '',
  curIdentity: 2,
  isMember: false,
  title: '',
};
const essay = {
  id: 'a'.repeat(32),
  title: '为什么 </script> 换回了一张表',
  summary: '三年的事',
  html: '<p>正文只有一份</p>',
  toc: [],
  tags: ['后端'],
  attachments: [],
  column: null,
  previous: null,
  next: null,
  locked: null,
  category: { id: '1'.repeat(32), slug: 'program', name: '编程' },
  author,
  cover: '',
  price: 0,
  memberFree: false,
  status: 3,
  publishedAt: '2026-11-12T01:20:00.000Z',
  updatedAt: '2026-11-12T01:20:00.000Z',
  declaration: 'none',
  source: '',
  region: '浙江',
  mine: { liked: false, collected: false, bought: false, followed: false, progress: 0 },
  can: { edit: false, audit: false },
};
const counters = { essays: 1, followers: 0, following: 0, reads: 0, likes: 0 };
const withEssay: typeof answers = {
  ...answers,
  'GET core/essay/{id}': essay,
  'GET core/user/public': { ...author, bio: '', counters },
};

test('the text of an essay travels once, and the page says what it is', async () => {
  const { status, html } = await render(
    request(`/essay/detail/${essay.id}.html`, async ({ route }) => withEssay[route]),
  );
  expect(status).toBe(200);
  expect(html.split('正文只有一份')).toHaveLength(2);
  expect(html).toContain('<meta property="og:type" content="article"/>');
  expect(html).toContain(`<meta property="og:image" content="https://example.com/blog/og/${essay.id}.png"/>`);
  const linked = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map(([, data]) =>
    JSON.parse(data ?? ''),
  );
  expect(linked).toMatchObject([
    { '@type': 'Article', headline: essay.title, isAccessibleForFree: true },
    {
      '@type': 'BreadcrumbList',
      itemListElement: [{ name: '首页' }, { name: '编程' }, { name: essay.title }],
    },
  ]);
});

test('the page without a frame names the one with it as its address', async () => {
  const { html } = await render(
    request(`/essay/mdetail/${essay.id}.html`, async ({ route }) => withEssay[route]),
  );
  expect(html).toContain(
    `<link rel="canonical" href="https://example.com/blog/essay/detail/${essay.id}.html"/>`,
  );
});

test('what is gone is a 410, which says so', async () => {
  const { status, html } = await render(
    request(`/essay/detail/${essay.id}.html`, async ({ route }) => {
      if (route === 'GET core/essay/{id}') throw new CallError('GONE');
      return withEssay[route];
    }),
  );
  expect(status).toBe(410);
  expect(html).toContain('这一页已经删除');
  expect(html).toContain('<meta name="robots" content="noindex"/>');

  const closed = await render(
    request(`/user/home/${'a'.repeat(32)}.html`, async ({ route }) => {
      if (route === 'GET core/user/public') throw new CallError('GONE');
      return answers[route] ?? null;
    }),
  );
  expect(closed.status).toBe(410);
  expect(closed.html).toContain('或随账号注销');
});

test('the code of a page that is complete without it is not fetched ahead', async () => {
  const home = await render(request('/home'));
  expect(home.html).not.toContain('<link rel="modulepreload"');
  expect(home.html).toContain('src/pages/home.tsx.css');
  const login = await render(request('/login.html'));
  expect(login.html).toContain('src/pages/login.tsx.js');
});

test('a page has one stylesheet, and its data names the files that come with its code', async () => {
  const { assets, ...rest } = request('/home');
  const merged: RenderRequest = { ...rest, assets: (file) => ({ ...assets(file), pageStyles: '/page.css' }) };
  const { html } = await render(merged);
  expect(html.match(/<link rel="stylesheet"[^>]*>/g)).toEqual(['<link rel="stylesheet" href="/page.css">']);
  expect(html).toContain(
    '"still":"untouched","scripts":["/src/pages/home.tsx.js"],"styles":["/src/pages/home.tsx.css"]',
  );

  const offline = { ...site, settings: { ...site.settings, pwa: true } };
  const kept = await render({
    ...merged,
    transport: async ({ route }) => (route === 'GET core/site/' ? offline : answers[route]),
  });
  expect(kept.html).not.toContain('/page.css');
  expect(kept.html).toContain('<link rel="modulepreload" href="/src/pages/home.tsx.js"');
  expect(kept.html).not.toContain('"still"');
});

test('searches and tags are pages, whatever else the address says', async () => {
  expect(normalise('/home?keyword=缓存&utm=1')).toBe(`/home?keyword=${encodeURIComponent('缓存')}`);
  expect(normalise(`/home?keyword=${'x'.repeat(101)}`)).toBe('/home');
  expect(normalise('/home?feed=hot')).toBe('/home');
  expect(normalise('/essay/program.html?tag=后端&page=2')).toContain('&page=2');
});

test('whoever comes from the back office finds the password first', async () => {
  const { html } = await render(request('/login.html?way=password'));
  expect(html).toMatch(
    /id="sign-in-password-tab"[^>]*aria-selected="true"|aria-selected="true"[^>]*id="sign-in-password-tab"/,
  );
  expect(html).toContain('data-way="password"');
});

const card = (title: string, readCount: number) => ({
  ...essay,
  id: title.padEnd(32, '0'),
  title,
  readCount,
});

/** The rendered app, without the document head and the page data. */
const bodyOf = ({ html }: { html: string }) =>
  html.slice(html.indexOf('<div id="root">')).replace(/<script type="application\/json".*?<\/script>/, '');

test('cached fragments have the same HTML as without the cache, and follow their input and the site settings', async () => {
  const show = (list: unknown[], given: Site = site) => {
    const star = { rank: 1, user: author, score: 41 };
    const shown: typeof answers = {
      ...answers,
      'GET core/site/': given,
      'GET core/essay/': { ...nothing, list },
      'GET core/essay/tag': [{ name: 'Git', count: 3 }],
      'GET core/code/star/': { range: 'week', list: [star], picks: [], updatedAt: null },
    };
    return request('/home', async ({ route }) => shown[route]);
  };
  const few = [card('一', 41), card('二', 7)];
  const plain = bodyOf(await render({ ...show(few), isPreview: true }));
  expect(plain).toContain('二');
  expect(bodyOf(await render(show(few)))).toBe(plain);
  expect(bodyOf(await render(show(few)))).toBe(plain);

  const read = [card('一', 42), card('二', 7)];
  const after = bodyOf(await render(show(read)));
  expect(after).not.toBe(plain);
  expect(after).toBe(bodyOf(await render({ ...show(read), isPreview: true })));

  const renamed = { ...site, settings: { ...site.settings, title: '别的站' } };
  expect(bodyOf(await render(show(few, renamed)))).toBe(
    bodyOf(await render({ ...show(few, renamed), isPreview: true })),
  );
});

test('the current page is marked in the navigation, whichever page was rendered before', async () => {
  const current = async (url: string) =>
    / aria-current="page"[^>]*>([^<]*)/.exec((await render(request(url))).html)?.[1];
  expect([await current('/home'), await current('/about.html'), await current('/home')]).toEqual([
    '首页',
    undefined,
    '首页',
  ]);
});
