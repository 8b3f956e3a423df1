import { ESSAY_STATUS, FLAG } from '@mozhan/contract/enums.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callAsAdmin } from '../../../testing/admin.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter, publishEssay, type TestUser } from '../../../testing/essays.ts';
import { pagesFromSource } from '../../../testing/pages.ts';

let t: TestApp;
let other: TestApp;
let based: TestApp;
let writer: TestUser;
beforeAll(async () => {
  t = await startTestApp(pagesFromSource);
  other = await startTestApp({ ...pagesFromSource, sameDatabaseAs: t });
  based = await startTestApp({ ...pagesFromSource, config: { basePath: '/blog' } });
  writer = await createWriter(t);
});
afterAll(async () => {
  await other.close();
  await t.close();
  await based.close();
});

const add = async (path: string, target: string, app = t) => {
  const { data, errorMessage } = await callAsAdmin(app, 'POST core/sys/redirect/', { path, target });
  expect(errorMessage).toBeUndefined();
  return data;
};
const get = (url: string, app = t) => app.app.server.inject({ url });
const locationOf = async (url: string, app = t) => {
  const { statusCode, headers } = await get(url, app);
  return statusCode === 301 ? headers.location : statusCode;
};
const listMissing = async (query: object = {}) =>
  (await callAsAdmin(t, 'GET core/sys/redirect/missing', { pageSize: 100, ...query })).data.list;

test('an old address answers 301, however it is written', async () => {
  await add('/2019/01/你好', '/help.html');
  await add('/feed', '/feed.xml');
  await add('/atom.xml', '/feed.xml');
  for (const url of [
    '/2019/01/%E4%BD%A0%E5%A5%BD',
    '/2019/01/%e4%bd%a0%e5%a5%bd/',
    '/2019/./01/%E4%BD%A0%E5%A5%BD',
    '/2019/01/%E4%BD%A0%E5%A5%BD/index.html',
  ])
    expect(await locationOf(url), url).toBe('/help.html');
  expect(await locationOf('/feed/')).toBe('/feed.xml');
  expect(await locationOf('/atom.xml')).toBe('/feed.xml');
  const response = await get('/atom.xml');
  expect(response.headers['cache-control']).toBe('no-cache');
  expect((await t.app.server.inject({ method: 'HEAD', url: '/atom.xml' })).statusCode).toBe(301);
  expect((await t.app.server.inject({ method: 'POST', url: '/atom.xml' })).statusCode).toBe(405);
  expect((await get('/2019/01/%00')).statusCode).toBe(404);
});

test('parameters choose the redirect, and others are carried over within the site', async () => {
  await add('/?p=12', '/about.html');
  await add('/index.php', '/home');
  await add('/index.php?id=7', '/privacy.html');
  await add('/away', 'https://example.com/there');
  await add('/fixed', '/home?feed=latest');
  await add('/part', '/help.html#top');
  expect(await locationOf('/?p=12')).toBe('/about.html');
  expect(await locationOf('/?utm_source=x&p=12')).toBe('/about.html');
  expect(await locationOf('/?p=13')).toBe(302);
  expect(await locationOf('/')).toBe(302);
  expect(await locationOf('/index.php?id=7')).toBe('/privacy.html');
  expect(await locationOf('/index.php?from=mail')).toBe('/home?from=mail');
  expect(await locationOf('/away?next=https://evil.example')).toBe('https://example.com/there');
  expect(await locationOf('/fixed?x=1')).toBe('/home?feed=latest');
  expect(await locationOf('/part?x=1')).toBe('/help.html?x=1#top');
});

test('a page that exists is never replaced, and a page without content gives way', async () => {
  const category = await callAsAdmin(t, 'POST core/sys/category/', { slug: 'later', name: '后来' });
  await add('/essay/gone.html', '/help.html');
  await add('/essay/later.html', '/help.html');
  expect(await locationOf('/essay/gone.html')).toBe('/help.html');
  expect(await locationOf('/essay/later.html')).toBe(200);
  await callAsAdmin(t, 'DELETE core/sys/category/', { id: category.data.id });
  expect(await locationOf('/essay/later.html')).toBe('/help.html');
});

test('changes apply at once, here and in other processes', async () => {
  expect(await locationOf('/fresh')).toBe(404);
  expect(await locationOf('/fresh', other)).toBe(404);
  const { id } = await add('/fresh', '/help.html');
  expect(await locationOf('/fresh')).toBe('/help.html');
  await expect.poll(() => locationOf('/fresh', other)).toBe('/help.html');
  await callAsAdmin(t, 'PUT core/sys/redirect/', { id, target: '/about.html' });
  expect(await locationOf('/fresh')).toBe('/about.html');
  await callAsAdmin(t, 'DELETE core/sys/redirect/', { id });
  expect(await locationOf('/fresh')).toBe(404);
  await expect.poll(() => locationOf('/fresh', other)).toBe(404);
});

test('looks an address up once, and counts hits without a write per request', async () => {
  const { id } = await add('/counted', '/help.html');
  const { lookupPool } = t.app.services;
  let queries = 0;
  const original = lookupPool.query.bind(lookupPool);
  lookupPool.query = ((...given: unknown[]) => {
    queries += 1;
    return (original as (...args: unknown[]) => unknown)(...given);
  }) as typeof lookupPool.query;
  try {
    for (let at = 0; at < 30; at++) await get('/counted');
  } finally {
    lookupPool.query = original;
  }
  // The notification of the change may arrive in between and clear the cache once more.
  expect(queries).toBeLessThanOrEqual(3);
  const find = async () =>
    (await callAsAdmin(t, 'GET core/sys/redirect/', { keyword: '/counted' })).data.list.find(
      (each) => each.id === id,
    );
  await expect.poll(async () => (await find())?.hits).toBe(30);
  expect((await find())?.lastHitAt).not.toBeNull();
});

test('a redirect to an essay follows it, and answers as a deleted essay does', async () => {
  const id = await publishEssay(t, writer, { title: '搬来的文章' });
  await add('/archives/12', `/essay/detail/${id}.html`);
  expect(await locationOf('/archives/12')).toBe(`/essay/detail/${id}.html`);
  await t.call('PUT core/essay/', { id, version: 1, slug: '搬来的-文章' }, { token: writer.token });
  const address = `/essay/detail/${encodeURIComponent('搬来的-文章')}.html`;
  expect(await locationOf('/archives/12')).toBe(address);
  expect(await locationOf(address)).toBe(200);
  await t.call('DELETE core/essay/{id}', { id }, { token: writer.token });
  expect(await locationOf('/archives/12')).toBe(410);
  expect(await locationOf(address)).toBe(410);
  expect(await locationOf(`/essay/detail/${id}.html`)).toBe(410);
});

test('works below a base path', async () => {
  await add('/blog/old', '/blog/help.html', based);
  expect(await locationOf('/blog/old?x=1', based)).toBe('/blog/help.html?x=1');
  expect(await locationOf('/old', based)).toBe(404);
});

test('lists addresses from the second request on, the newest first, until they have a redirect', async () => {
  for (const url of [
    '/missing/once',
    '/missing/twice',
    '/missing/twice/',
    '/list.asp?id=3',
    '/list.asp?id=3',
  ])
    await get(url);
  await t.app.server.inject({ method: 'HEAD', url: '/missing/head' });
  await t.app.server.inject({ method: 'HEAD', url: '/missing/head' });
  const paths = async () => (await listMissing()).map(({ path, hits }) => [path, hits]);
  await expect.poll(paths).toContainEqual(['/list.asp?id=3', 2]);
  const listed = await paths();
  expect(listed.map(([path]) => path)).not.toContain('/missing/once');
  expect(listed.map(([path]) => path)).not.toContain('/missing/head');
  await get('/missing/once');
  await get('/missing/twice');
  await expect.poll(paths).toContainEqual(['/missing/once', 2]);
  await add('/missing/twice', '/help.html');
  expect((await listMissing({ keyword: 'twice', sort: 'hits' })).length).toBe(0);
  const [first] = await listMissing({ keyword: '/missing/once' });
  await callAsAdmin(t, 'DELETE core/sys/redirect/missing', { ids: [first?.id ?? ''] });
  expect(await listMissing({ keyword: '/missing/once' })).toEqual([]);
  await callAsAdmin(t, 'DELETE core/sys/redirect/missing', { all: true });
  expect(await listMissing()).toEqual([]);
});

test('keeps the five thousand addresses that were requested last', async () => {
  const { pool } = t.app.services;
  await pool.query(`insert into missing_paths select gen_random_uuid(), '/filled/' || n, 2, now() - interval '1 day',
    now() - interval '1 day' - n * interval '1 second' from generate_series(1, 5000) n`);
  await get('/missing/newest');
  await get('/missing/newest');
  await expect.poll(() => listMissing({ keyword: 'newest' })).toHaveLength(1);
  await expect
    .poll(async () => (await pool.query('select count(*)::int as count from missing_paths')).rows)
    .toEqual([{ count: 5000 }]);
  expect(await listMissing({ keyword: '/filled/5000' })).toEqual([]);
});

test('an essay off the shelf keeps its redirect, which leads to its page', async () => {
  const id = await publishEssay(t, writer);
  await add('/off-shelf', `/essay/detail/${id}.html`);
  const status = { id, status: ESSAY_STATUS.offShelf };
  await t.call('PUT core/essay/status', status, { token: writer.token });
  expect(await locationOf('/off-shelf')).toBe(`/essay/detail/${id}.html`);
  expect(await locationOf(`/essay/detail/${id}.html`)).toBe(404);
});

test('a redirect tells nothing about what was never public', async () => {
  const { data: draft } = await t.call(
    'POST core/essay/',
    { title: '没有写完的秘密', slug: 'unwritten-secret' },
    { token: writer.token },
  );
  await add('/?p=77', `/essay/detail/${draft.id}.html`);
  expect(await locationOf('/?p=77')).not.toContain('secret');
  const { data: page } = await callAsAdmin(t, 'POST core/sys/page/', { title: '筹备中', slug: 'planned' });
  await add('/planned', '/page/planned.html');
  expect(await locationOf('/planned')).toBe(404);
  const change = { page: page.page, version: page.version, content: '开张了', published: FLAG.on };
  await callAsAdmin(t, 'PUT core/sys/page/', change);
  expect(await locationOf('/planned')).toBe('/page/planned.html');
});
