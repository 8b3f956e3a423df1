import { ESSAY_STATUS, FLAG } from '@mozhan/contract/enums.ts';
import * as renderer from '@mozhan/web/entry-server.tsx';
import { routes } from '@mozhan/web/router/routes.ts';
import { callAsAdmin } from './admin.ts';
import type { TestApp, TestOptions } from './app.ts';

const assets = () => ({
  entry: '/entry.js',
  boot: '/boot.js',
  css: ['/page.css'],
  entryImports: [],
  preload: ['/page.js'],
});
const transformHtml = async (_url: string, html: string) => html;

type Ids = Record<'essay' | 'locked' | 'author' | 'column', string>;

/** Sample URLs per route; null for a route that only redirects. */
const sampleUrls: Record<string, (ids: Ids) => readonly string[] | null> = {
  '/': () => null,
  '/index.html': () => null,
  '/home': () => [
    '/home',
    '/home?feed=latest&page=2',
    '/home?keyword=队列',
    '/home?keyword=没有人写过的',
    '/home?tag=PostgreSQL',
    '/home?view=farmers',
    '/home?view=stars',
  ],
  '/mhome.html': () => ['/mhome.html'],
  '/login.html': () => ['/login.html', '/login.html?mode=register', '/login.html?mode=reset'],
  '/essay/create.html': () => ['/essay/create.html'],
  '/essay/edit.html': () => ['/essay/edit.html'],
  '/essay/:slug.html': () => ['/essay/program.html', '/essay/program.html?tag=PostgreSQL'],
  '/essay/detail/:id.html': ({ essay, locked }) => [
    `/essay/detail/${essay}.html`,
    `/essay/detail/${locked}.html`,
  ],
  '/essay/mdetail/:id.html': ({ essay, locked }) => [
    `/essay/mdetail/${essay}.html`,
    `/essay/mdetail/${locked}.html`,
  ],
  '/account.html': () => null,
  '/account/center.html': () => ['/account/center.html'],
  '/account/settings.html': () => ['/account/settings.html'],
  '/user.html': () => null,
  '/column/:id.html': ({ column }) => [`/column/${column}.html`],
  '/mcolumn/:id.html': ({ column }) => [`/mcolumn/${column}.html`],
  '/user/home/:id.html': ({ author }) => [
    `/user/home/${author}.html`,
    ...['column', 'trend', 'collect', 'like', 'share', 'following', 'follower'].map(
      (tab) => `/user/home/${author}.html?tab=${tab}`,
    ),
  ],
  '/user/mhome/:id.html': ({ author }) => [`/user/mhome/${author}.html`],
  '/about.html': () => ['/about.html'],
  '/apply.html': () => ['/apply.html'],
  '/help.html': () => ['/help.html'],
  '/usp.html': () => ['/usp.html'],
  '/privacy.html': () => ['/privacy.html'],
  '/contact.html': () => ['/contact.html'],
  '/page/links.html': () => ['/page/links.html'],
  '/page/:slug.html': () => ['/page/sample.html'],
  '/cashier.html': () => ['/cashier.html'],
  '/exception': () => ['/exception'],
};

const otherUrls = [
  '/nowhere',
  `/essay/detail/${'0'.repeat(32)}.html`,
  '/admin/comment',
  '/admin/nowhere',
  '/api/docs',
];

const paths = routes.flatMap((route) =>
  'children' in route ? route.children.map(({ path }) => path as string) : [route.path as string],
);

/** Options of a test app that renders the real pages from their sources. */
export const pagesFromSource: Pick<TestOptions, 'site' | 'backOffice'> = {
  site: async () => ({ loadRenderer: async () => renderer, assets }),
  backOffice: async () => ({ assets, transformHtml }),
};

/** Creates a page and a friend link, which the demo content does not have. */
async function createSamples(t: TestApp): Promise<void> {
  const page = {
    slug: 'sample',
    title: '编辑部',
    content: '## 我们是谁\n\n四位编辑，一位设计师。',
    published: FLAG.on,
  };
  await callAsAdmin(t, 'POST core/sys/page/', page);
  const link = { name: '邻站', url: 'https://neighbour.example/', description: '也写技术文章' };
  await callAsAdmin(t, 'POST core/sys/friend-link/', link);
}

/** Returns the HTML of all sample pages by URL; the app must have the demo content. */
export async function renderPages(t: TestApp): Promise<Map<string, string>> {
  const { app } = t;
  await createSamples(t);
  const find = async (text: string, values: unknown[] = []): Promise<string> =>
    (await app.services.pool.query(text, values)).rows[0].id.replaceAll('-', '');
  const longest = 'order by word_count desc limit 1';
  const column = await find('select id from columns order by essay_count desc limit 1');
  const ids = {
    essay: await find(
      `select id from essays where status = ${ESSAY_STATUS.onShelf} and price = 0 and not member_free ${longest}`,
    ),
    locked: await find(
      `select id from essays where status = ${ESSAY_STATUS.onShelf} and price > 0 ${longest}`,
    ),
    column,
    author: await find('select author_id as id from columns where id = $1', [column]),
  };
  const urls = paths.flatMap((path) => {
    const sample = sampleUrls[path];
    if (sample === undefined) throw new Error(`no sample URL for the route ${path}`);
    return sample(ids) ?? [];
  });
  const pages = new Map<string, string>();
  for (const url of [...urls, ...otherUrls]) {
    const { body, statusCode, headers } = await app.server.inject(encodeURI(url));
    if (!String(headers['content-type']).startsWith('text/html')) throw new Error(`${url}: ${statusCode}`);
    pages.set(url, body);
  }
  return pages;
}
