import type { RouteName } from '@mozhan/contract/client.ts';
import { defaultSettings } from '@mozhan/contract/default-settings.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type { Site } from '@mozhan/contract/site.ts';
import { expect, test } from 'vitest';
import { normalizeUrl, type RenderRequest, render as renderBytes, routeKindOf } from './entry-server.tsx';

async function render(request: RenderRequest) {
  const { html, ...rest } = await renderBytes(request);
  return { ...rest, html: new TextDecoder().decode(html) };
}

const site: Site = {
  settings: { ...defaultSettings, tagline: '写下 </script> 背后的思考', icp: '京ICP备1号' },
  categories: [{ id: '1'.repeat(32), slug: 'program', name: '编程', icon: 'code' }],
  announcements: [],
  switches: {
    registration: 'open',
    comments: 'open',
    rewards: true,
    letters: true,
    chats: true,
    maintenance: false,
  },
  features: { mail: false, sms: false },
  year: 2026,
};

const nothing = { list: [], total: 0, page: 1, pageSize: 10, next: null };
const responses: Partial<Record<RouteName, unknown>> = {
  'GET core/site/': site,
  'GET core/essay/': nothing,
  'GET core/essay/ranking': [],
  'GET core/essay/tag': [],
  'GET core/essay/{id}/related': [],
  'GET core/sys/cover/': [],
  'GET core/code/star/': { range: 'week', list: [], picks: [], updatedAt: null },
};

const request = (
  url: string,
  transport: RenderRequest['transport'] = async ({ route }) => responses[route],
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

test('renders a full document with head, content, data and asset links', async () => {
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

test('preloads the banner in the size that the screen needs', async () => {
  const banner = {
    id: '2'.repeat(32),
    kind: 'banner',
    title: '专题',
    summary: '',
    link: '',
    image: '/files/a.webp',
  };
  const imageSizes = [
    { path: '/files/b.webp', width: 1080 },
    { path: '/files/a.webp', width: 1360 },
  ];
  const renderBanner = async (sizes: object[]) => {
    const banners = [{ ...banner, imageSizes: sizes }];
    const { html } = await render(
      request('/home', async ({ route }) => (route === 'GET core/sys/cover/' ? banners : responses[route])),
    );
    return html.split('</head>');
  };
  const [head, body] = await renderBanner(imageSizes);
  const srcset = '/blog/files/b.webp 1080w,/blog/files/a.webp 1360w';
  expect(head).toContain(`imageSrcSet="${srcset}"`);
  expect(body).toContain(`srcSet="${srcset}"`);
  const [smallHead, smallBody] = await renderBanner([]);
  expect(smallHead).toContain(
    '<link rel="preload" as="image" href="/blog/files/a.webp" fetchPriority="high"/>',
  );
  expect(smallBody).not.toContain('srcSet');
});

test('renders no inline styles or scripts, as the content security policy requires', async () => {
  for (const url of ['/home', '/login.html', '/login.html?mode=register', '/nowhere']) {
    const { html } = await render(request(url));
    expect(html).not.toMatch(/ style="/);
    expect(html).not.toMatch(/<style/);
    expect(html.match(/<script(?![^>]*(src=|type="application\/(ld\+)?json"))/g)).toBeNull();
  }
});

test('escapes user text inside script elements', async () => {
  const { html } = await render(request('/home'));
  const data = /<script type="application\/json" id="data">(.*?)<\/script>/.exec(html)?.[1] ?? '';
  expect(JSON.parse(data)).toMatchObject({ url: '/home', status: 200, basePath: '/blog' });
  expect(data).not.toContain('<');
});

test('renders an unknown URL as a 404 with noindex', async () => {
  const { status, html } = await render(request('/nowhere.html'));
  expect(status).toBe(404);
  expect(html).toContain('<meta name="robots" content="noindex"/>');
  expect((await render(request('//example.com/home'))).status).toBe(404);
});

test('redirects the root to the home page under the base path', async () => {
  expect(await render(request('/'))).toMatchObject({ status: 302, redirect: '/blog/home' });
  expect(await render(request('/index.html'))).toMatchObject({ status: 302, redirect: '/blog/home' });
});

test('renders an error page and returns the error for the log', async () => {
  const error = new CallError('UNAVAILABLE');
  const rendered = await render(request('/home', () => Promise.reject(error)));
  expect(rendered).toMatchObject({ status: 500, error });
  expect(rendered.html).toContain('这一页没有打开');
});

test('removes search parameters that do not change the HTML', () => {
  expect(normalizeUrl('/home?utm=1&t=2')).toBe('/home');
  expect(normalizeUrl('/login.html?ticket=abc&mode=register&redirect=/x')).toBe('/login.html?mode=register');
  expect(normalizeUrl('/login.html?mode=anything')).toBe('/login.html');
  expect(normalizeUrl('/login.html?way=password&redirect=/admin/')).toBe('/login.html?way=password');
  expect(normalizeUrl('/nowhere?a=b')).toBe('/nowhere');
  const essay = `/essay/detail/${'a'.repeat(32)}.html`;
  expect(normalizeUrl(`${essay}?s=Ab3dE5gH9k`)).toBe(essay);
});

test('renders the same HTML whatever browser-only parameters the URL has', async () => {
  const plain = await render(request('/login.html'));
  expect((await render(request('/login.html?ticket=abc&redirect=/x'))).html).toBe(plain.html);
});

test('renders a guarded page as a neutral shell without loading its data', async () => {
  const requestedRoutes: string[] = [];
  const { status, html } = await render(
    request('/account/center.html?tab=notice', async ({ route }) => {
      requestedRoutes.push(route);
      return site;
    }),
  );
  expect(status).toBe(200);
  expect(html).toContain('<meta name="robots" content="noindex"/>');
  expect(html).toContain('正在载入');
  expect(requestedRoutes).toEqual(['GET core/site/']);
});

test('renders existing categories and returns 404 for others', async () => {
  const list = await render(request('/essay/program.html'));
  expect(list.status).toBe(200);
  expect(list.html).toContain('<link rel="canonical" href="https://example.com/blog/essay/program.html"/>');
  expect((await render(request('/essay/nothing.html'))).status).toBe(404);
});

test('keeps a valid page number and removes an invalid one', () => {
  const home = `/user/home/${'a'.repeat(32)}.html`;
  expect(normalizeUrl(`${home}?page=3&x=1`)).toBe(`${home}?page=3`);
  for (const page of ['0', '-1', '1e3', '99999', 'x'])
    expect(normalizeUrl(`${home}?page=${page}`)).toBe(home);
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
  slug: null as string | null,
  title: '为什么 </script> 换回了一张表',
  titleBreaks: [],
  summary: '三年的事',
  lede: '',
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
  shareCover: '',
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
const relation = { followed: false, blocked: false };
const withEssay: typeof responses = {
  ...responses,
  'GET core/essay/{id}': essay,
  'GET core/user/public': { ...author, bio: '', counters, relation },
};

test('sends the essay text once and describes the page with metadata and JSON-LD', async () => {
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

test('puts the card of a link in chats into the head: the square picture, the cover, or a generated one', async () => {
  const cardOf = async (changes: object) => {
    const { html } = await render(
      request(`/essay/detail/${essay.id}.html`, async ({ route }) =>
        route === 'GET core/essay/{id}' ? { ...essay, ...changes } : withEssay[route],
      ),
    );
    const head = html.slice(0, html.indexOf('</head>'));
    const metas = [...head.matchAll(/<meta itemprop="(\w+)" content="(.*?)">/g)];
    return { head, card: Object.fromEntries(metas.map(([, name, content]) => [name, content])) };
  };
  expect((await cardOf({ title: '"引号" & 三年' })).card).toEqual({
    name: '&quot;引号&quot; &amp; 三年',
    description: essay.summary,
    image: `https://example.com/blog/og/${essay.id}.png`,
  });
  const cover = '/files/ab/wide.webp';
  expect((await cardOf({ cover, coverSize: null })).card.image).toBe(`https://example.com/blog${cover}`);
  const shareCover = '/files/cd/square.webp';
  const { head, card } = await cardOf({ cover, coverSize: null, shareCover });
  expect(card.image).toBe(`https://example.com/blog${shareCover}`);
  expect(head).toContain(`<meta property="og:image" content="https://example.com/blog${cover}"/>`);
});

test('leads from the id to the slug, in the same layout', async () => {
  const named = { ...withEssay, 'GET core/essay/{id}': { ...essay, slug: '一张表' } };
  const byId = (page: string) =>
    render(request(`/essay/${page}/${essay.id}.html`, async ({ route }) => named[route]));
  for (const page of ['detail', 'mdetail']) {
    const redirect = `/blog/essay/${page}/${encodeURIComponent('一张表')}.html`;
    expect(await byId(page)).toEqual({ status: 301, html: '', redirect });
  }
  const found = { ...named, 'GET core/essay/slug': { id: essay.id } };
  const { status, html } = await render(
    request(`/essay/detail/${encodeURIComponent('一张表')}.html`, async ({ route }) => found[route]),
  );
  expect(status).toBe(200);
  expect(html).toContain('正文只有一份');
});

test('tells paths of pages that always exist from those that depend on what they name', () => {
  expect(['/home', '/account.html', '/essay/tech.html', '/nowhere', '/%E4%BD'].map(routeKindOf)).toEqual([
    'fixed',
    'fixed',
    'variable',
    null,
    null,
  ]);
});

test('uses the page with the site layout as canonical URL of the bare page', async () => {
  const { html } = await render(
    request(`/essay/mdetail/${essay.id}.html`, async ({ route }) => withEssay[route]),
  );
  expect(html).toContain(
    `<link rel="canonical" href="https://example.com/blog/essay/detail/${essay.id}.html"/>`,
  );
});

test('responds with 410 for deleted content', async () => {
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
      return responses[route] ?? null;
    }),
  );
  expect(closed.status).toBe(410);
  expect(closed.html).toContain('或随账号注销');
});

test('does not preload the code of a static page', async () => {
  const home = await render(request('/home'));
  expect(home.html).not.toContain('<link rel="modulepreload"');
  expect(home.html).toContain('src/pages/home.tsx.css');
  const login = await render(request('/login.html'));
  expect(login.html).toContain('src/pages/login.tsx.js');
});

test('links one merged stylesheet and lists the code files in the page data', async () => {
  const { assets, ...rest } = request('/home');
  const merged: RenderRequest = { ...rest, assets: (file) => ({ ...assets(file), pageStyles: '/page.css' }) };
  const { html } = await render(merged);
  expect(html.match(/<link rel="stylesheet"[^>]*>/g)).toEqual(['<link rel="stylesheet" href="/page.css">']);
  expect(html).toContain(
    '"still":"untouched","scripts":["/src/pages/home.tsx.js"],"styles":["/src/pages/home.tsx.css"]',
  );

  const offline = { ...site, settings: { ...site.settings, pwa: true } };
  const offlinePage = await render({
    ...merged,
    transport: async ({ route }) => (route === 'GET core/site/' ? offline : responses[route]),
  });
  expect(offlinePage.html).not.toContain('/page.css');
  expect(offlinePage.html).toContain('<link rel="modulepreload" href="/src/pages/home.tsx.js"');
  expect(offlinePage.html).not.toContain('"still"');
});

test('keeps valid search and tag parameters', async () => {
  expect(normalizeUrl('/home?keyword=缓存&utm=1')).toBe(`/home?keyword=${encodeURIComponent('缓存')}`);
  expect(normalizeUrl(`/home?keyword=${'x'.repeat(101)}`)).toBe('/home');
  expect(normalizeUrl('/home?feed=hot')).toBe('/home');
  expect(normalizeUrl('/essay/program.html?tag=后端&page=2')).toContain('&page=2');
});

test('selects the password tab when the URL asks for it', async () => {
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
  titleBreaks: [],
  readCount,
});

/** The rendered app, without the document head and the page data. */
const bodyOf = ({ html }: { html: string }) =>
  html.slice(html.indexOf('<div id="root">')).replace(/<script type="application\/json".*?<\/script>/, '');

test('renders cached fragments like uncached ones and updates them with their input and the site settings', async () => {
  const requestHome = (list: unknown[], homeSite: Site = site) => {
    const star = { rank: 1, user: author, score: 41 };
    const homeResponses: typeof responses = {
      ...responses,
      'GET core/site/': homeSite,
      'GET core/essay/': { ...nothing, list },
      'GET core/essay/tag': [{ name: 'Git', count: 3 }],
      'GET core/code/star/': { range: 'week', list: [star], picks: [], updatedAt: null },
    };
    return request('/home', async ({ route }) => homeResponses[route]);
  };
  const few = [card('一', 41), card('二', 7)];
  const plain = bodyOf(await render({ ...requestHome(few), isPreview: true }));
  expect(plain).toContain('二');
  expect(bodyOf(await render(requestHome(few)))).toBe(plain);
  expect(bodyOf(await render(requestHome(few)))).toBe(plain);

  const read = [card('一', 42), card('二', 7)];
  const after = bodyOf(await render(requestHome(read)));
  expect(after).not.toBe(plain);
  expect(after).toBe(bodyOf(await render({ ...requestHome(read), isPreview: true })));

  const renamed = { ...site, settings: { ...site.settings, title: '别的站' } };
  expect(bodyOf(await render(requestHome(few, renamed)))).toBe(
    bodyOf(await render({ ...requestHome(few, renamed), isPreview: true })),
  );
});

test('renders lists from cached fragments as without them, whatever changes beside the list', async () => {
  const other = {
    ...site,
    categories: [...site.categories, { id: '2'.repeat(32), slug: 'tech', name: '技术', icon: 'chip' }],
  };
  const stars = { range: 'week', list: [{ rank: 1, user: author, score: 41 }], picks: [], updatedAt: null };
  const states: [url: string, changes: typeof responses][] = [
    ['/home', {}],
    ['/home', {}],
    ['/home', { 'GET core/essay/ranking': [card('三', 5), card('四', 4)] }],
    ['/home', { 'GET core/essay/ranking': [card('三', 6), card('四', 4)] }],
    ['/home', { 'GET core/essay/tag': [{ name: 'Git', count: 4 }] }],
    ['/home', { 'GET core/code/star/': stars }],
    ['/home?feed=latest', {}],
    ['/home?feed=following', {}],
    ['/home?tag=Git', {}],
    ['/home?view=stars', {}],
    ['/essay/program.html', {}],
    ['/essay/tech.html', {}],
    ['/mhome.html', {}],
    ['/home', {}],
  ];
  const seen = new Set<string>();
  for (const [url, changes] of states) {
    const all: typeof responses = {
      ...responses,
      'GET core/site/': other,
      'GET core/essay/': { ...nothing, list: [card('一', 41)] },
      ...changes,
    };
    const asked = request(url, async ({ route }) => all[route]);
    const html = bodyOf(await render(asked));
    expect(html, url).toBe(bodyOf(await render({ ...asked, isPreview: true })));
    seen.add(html);
  }
  // The first state is rendered three times.
  expect(seen.size).toBe(states.length - 2);
});

test('renders an essay page from cached fragments as without them, after every change', async () => {
  const counts = { readCount: 41, likeCount: 7, cmtCount: 3, collectCount: 2, shareCount: 1, rewardCount: 0 };
  const requestEssay = (layout: string, changes: object, others: typeof responses = {}) =>
    request(`/essay/${layout}/${essay.id}.html`, async ({ route }) => {
      const all: typeof responses = { ...withEssay, ...others };
      return route === 'GET core/essay/{id}'
        ? { ...essay, ...counts, allowComment: true, ...changes }
        : all[route];
    });
  const user = { ...author, bio: '写后端的人', counters, relation };
  const plan = { id: '5'.repeat(32), name: '月度', days: 30, price: 1500 };
  const reward = {
    id: '6'.repeat(32),
    essayId: essay.id,
    user: author,
    amount: 500,
    message: '写得好',
    reply: '',
    repliedAt: null,
    createdAt: '2026-07-01T00:00:00.000Z',
  };
  const changes: [changes: object, others?: typeof responses][] = [
    [{}],
    [{}],
    [{ likeCount: 8 }],
    [{ readCount: 42, cmtCount: 4 }],
    [{ html: '<p>改过的正文</p>' }],
    [{ toc: [{ id: 'a', text: '第一节', level: 2 }] }],
    [{ title: '新的标题', tags: ['数据库'] }],
    [{ author: { ...author, displayName: '新名字' } }],
    [{}, { 'GET core/user/public': user }],
    [{}, { 'GET core/essay/{id}/related': [{ ...card('三', 5), author }] }],
    [{ mine: { ...essay.mine, followed: true } }],
    [{ locked: 'buy', price: 990, memberFree: true }, { 'GET core/member/': { plans: [plan] } }],
    [
      { locked: 'buy', price: 990, memberFree: true },
      { 'GET core/member/': { plans: [{ ...plan, price: 3000 }] } },
    ],
    [{ rewardCount: 1 }, { 'GET core/essay/reward': { ...nothing, list: [reward], total: 1 } }],
    [
      { rewardCount: 1 },
      { 'GET core/essay/reward': { ...nothing, list: [{ ...reward, reply: '谢谢' }], total: 1 } },
    ],
    [{}],
  ];
  const seen = new Set<string>();
  for (const layout of ['detail', 'mdetail'])
    for (const [change, others] of changes) {
      const html = bodyOf(await render(requestEssay(layout, change, others)));
      expect(html).toBe(bodyOf(await render({ ...requestEssay(layout, change, others), isPreview: true })));
      seen.add(html);
    }
  // The first state is rendered three times in each layout.
  expect(seen.size).toBe(2 * (changes.length - 2));
});

test('renders a page without the cache when a fragment fails, so that its boundary handles the error', async () => {
  const broken = { ...author, bio: '', counters: null, relation };
  const { status, html } = await render(
    request(`/essay/detail/${essay.id}.html`, async ({ route }) =>
      route === 'GET core/user/public' ? broken : withEssay[route],
    ),
  );
  expect(status).toBe(200);
  expect(html).toContain('正文只有一份');
});

test('does not cache fragments of a preview', async () => {
  const preview = { ...site, settings: { ...site.settings, title: '试试看' } };
  const asPreview = request('/home', async ({ route }) =>
    route === 'GET core/site/' ? preview : responses[route],
  );
  const before = bodyOf(await render(request('/home')));
  expect(bodyOf(await render({ ...asPreview, isPreview: true }))).toContain('试试看');
  const after = bodyOf(await render(request('/home')));
  expect(after).toBe(before);
  expect(after).not.toContain('试试看');
});

test('marks the current page in the navigation regardless of earlier renders', async () => {
  const current = async (url: string) =>
    / aria-current="page"[^>]*>([^<]*)/.exec((await render(request(url))).html)?.[1];
  expect([await current('/home'), await current('/about.html'), await current('/home')]).toEqual([
    '首页',
    undefined,
    '首页',
  ]);
});
