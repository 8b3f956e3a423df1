import { once } from 'node:events';
import http, { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemCtx } from '../../../jobs.ts';
import { portOf, startTestApp, type TestApp, type TestOptions } from '../../../testing/app.ts';
import { createWriter, publishEssay } from '../../../testing/essays.ts';
import { createTestSite } from '../../../testing/site.ts';
import { createStaff } from '../../../testing/staff.ts';
import { traffic } from './module.ts';
import { OTHER, parseReferrer } from './rules.ts';

const DAY_MS = 86_400_000;
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0';
const WECHAT =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 MicroMessenger/8.0';

const site = createTestSite(async ({ url }) =>
  url.startsWith('/nowhere') ? { status: 404, html: '没有' } : { status: 200, html: '<p>好' },
);
const options: TestOptions = {
  site: async () => site,
  config: { siteUrl: 'https://www.site.test', trustProxy: ['127.0.0.1'] },
  startAt: new Date('2026-03-02T02:00:00Z'),
};
let t: TestApp;
let other: TestApp;
let staff: string;
beforeAll(async () => {
  t = await startTestApp(options);
  other = await startTestApp({ ...options, sameDatabaseAs: t });
  await t.app.server.listen({ port: 0, host: '127.0.0.1' });
  staff = await t.signInAdmin();
});
afterAll(async () => {
  await other.close();
  await t.close();
});

const load = (url: string, headers: Record<string, string> = {}, app = t) =>
  app.app.server.inject({ url, headers: { 'user-agent': FIREFOX, host: 'site.test', ...headers } });

async function nextDay(): Promise<void> {
  await t.app.services.traffic.flush();
  t.advance(DAY_MS);
  other.advance(DAY_MS);
  staff = await t.signInAdmin();
}

/** The figures of the current day. */
async function read() {
  const { data } = await t.call('GET core/sys/traffic/', { days: 1 }, { token: staff });
  const { days, values } = data;
  const [{ views, visits, visitors } = { views: 0, visits: 0, visitors: 0 }] = days;
  const valuesOf = (name: keyof typeof values) =>
    Object.fromEntries(values[name].map(({ value, count }) => [value, count]));
  return { views, visits, visitors, valuesOf, values };
}

test('counts page loads by page, source, search engine, UTM, region and device', async () => {
  await load('/home', { referer: 'https://www.baidu.com/link?url=secret' });
  await load('/home?utm_source=Weekly&utm_medium=mail&utm_campaign=spring', {
    'user-agent': WECHAT,
    'x-forwarded-for': '202.96.128.86',
  });
  await load('/home', { referer: 'https://news.example.com/a?b=c' });
  await load('/essay/%E4%BD%A0.html', { referer: 'https://site.test/home' });
  await load('/home', { referer: 'https://www.site.test/' });
  await load('/home', { 'sec-fetch-site': 'same-origin' });
  const { views, visits, visitors, valuesOf } = await read();
  expect({ views, visits, visitors }).toEqual({ views: 6, visits: 3, visitors: 2 });
  expect(valuesOf('page')).toEqual({ '/home': 5, '/essay/你.html': 1 });
  expect(valuesOf('source')).toEqual({ 百度: 1, 'news.example.com': 1, 直接访问: 1 });
  expect(valuesOf('searchEngine')).toEqual({ 百度: 1 });
  expect(valuesOf('utmSource')).toEqual({ weekly: 1 });
  expect(valuesOf('utmMedium')).toEqual({ mail: 1 });
  expect(valuesOf('utmCampaign')).toEqual({ spring: 1 });
  expect(valuesOf('region')).toMatchObject({ 广东: 1 });
  expect(valuesOf('device')).toEqual({ 电脑: 2, 手机: 1 });
  expect(valuesOf('browser')).toEqual({ Firefox: 2, 微信: 1 });
  expect(valuesOf('system')).toEqual({ Windows: 2, iPhone: 1 });
});

test('stores neither addresses nor full referrers nor user agents', async () => {
  const tables = ['traffic_days', 'traffic_values', 'traffic_visitors', 'author_sources'];
  const stored = await Promise.all(
    tables.map(async (table) => (await t.app.services.pool.query(`select * from ${table}`)).rows),
  );
  expect(JSON.stringify(stored)).not.toMatch(/202\.96|127\.0\.0|secret|b=c|Mozilla/);
});

test('recognizes search engines', () => {
  const engineOf = (url: string) => parseReferrer(url).engine;
  expect(
    [
      'https://m.baidu.com/from=1/s?word=x',
      'https://www.google.com.hk/',
      'https://cn.bing.com/',
      'https://www.so.com/link?m=x',
      'https://m.sogou.com/',
      'https://m.sm.cn/',
      'https://so.toutiao.com/',
      'https://tieba.baidu.com/p/1',
      'https://baidu.com.evil.example/',
    ].map(engineOf),
  ).toEqual(['百度', 'Google', '必应', '360 搜索', '搜狗', '神马', '头条搜索', undefined, undefined]);
});

test('does not count robots, errors, prefetched pages and frames', async () => {
  const before = await read();
  await load('/home', { 'user-agent': 'Mozilla/5.0 (compatible; Baiduspider/2.0)' });
  await load('/home', { 'user-agent': 'curl/8' });
  await load('/home', { 'user-agent': '' });
  await load('/home', { 'sec-purpose': 'prefetch;prerender' });
  await load('/home', { 'sec-fetch-dest': 'iframe' });
  await load('/home', { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors' });
  await load('/nowhere');
  await t.app.server.inject({ method: 'HEAD', url: '/home', headers: { 'user-agent': FIREFOX } });
  await t.call('GET core/essay/', {}, { headers: { 'user-agent': FIREFOX } });
  expect((await read()).views).toBe(before.views);
  await load('/home', { 'sec-fetch-dest': 'document' });
  expect((await read()).views).toBe(before.views + 1);
});

test('counts who asks not to be tracked in the totals only', async () => {
  const before = await read();
  await load('/home', { dnt: '1', referer: 'https://private.example', 'x-forwarded-for': '8.8.8.8' });
  await load('/home', { 'sec-gpc': '1', referer: 'https://private.example', 'x-forwarded-for': '8.8.4.4' });
  const after = await read();
  expect(after.visits).toBe(before.visits + 2);
  expect(after.visitors).toBe(before.visitors);
  expect(after.values.source).toEqual(before.values.source);
});

test('counts pages that are sent from the cache before the framework', async () => {
  const before = t.app.services.pages.stats().hits;
  const headers = { 'user-agent': FIREFOX, referer: 'https://cached.example/' };
  const get = async (more: Record<string, string> = {}) => {
    const request = http.get({ port: portOf(t), path: '/cached-page', headers: { ...headers, ...more } });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    await once(response.resume(), 'end');
    return response;
  };
  const { headers: received } = await get();
  for (let n = 0; n < 3; n++) await get();
  expect((await get({ 'if-none-match': String(received.etag) })).statusCode).toBe(304);
  expect(t.app.services.pages.stats().hits).toBeGreaterThan(before);
  expect((await read()).valuesOf('source')['cached.example']).toBe(5);
});

test('processes add up, a visitor counts once a day, and stopping writes what was counted', async () => {
  await nextDay();
  const third = await startTestApp({ ...options, sameDatabaseAs: t, startAt: t.app.services.clock() });
  for (const app of [t, other, third])
    for (const address of ['1.1.1.1', '2.2.2.2', '2001:db8::1'])
      await load('/home', { 'x-forwarded-for': address }, app);
  await Promise.all([other.app.services.traffic.flush(), third.close()]);
  expect(await read()).toMatchObject({ views: 9, visits: 9, visitors: 3 });
  await load('/home', { 'x-forwarded-for': '1.1.1.1' });
  expect(await read()).toMatchObject({ views: 10, visitors: 3 });
  await nextDay();
  await load('/home', { 'x-forwarded-for': '1.1.1.1' });
  expect(await read()).toMatchObject({ views: 1, visitors: 1 });
});

test('the hashes of visitors and their salt are deleted when the day is over', async () => {
  const { pool } = t.app.services;
  await traffic.jobs['expire-traffic'](systemCtx(t.app.services));
  const { rows } = await pool.query(`
    select (select count(*)::int from traffic_visitors) as visitors,
      (select count(*)::int from traffic_days where salt is not null) as salts`);
  expect(rows).toEqual([{ visitors: 1, salts: 1 }]);
  await nextDay();
  await traffic.jobs['expire-traffic'](systemCtx(t.app.services));
  expect((await pool.query('select 1 from traffic_visitors')).rowCount).toBe(0);
  expect((await pool.query('select 1 from traffic_days where salt is not null')).rowCount).toBe(0);
  const { data } = await t.call('GET core/sys/traffic/', { days: 3 }, { token: staff });
  expect(data.days.map(({ visitors }) => visitors)).toEqual([3, 1, 0]);
});

/** Counts a page load without a connection. */
function countLoad(url: string, headers: Record<string, string>): void {
  const request = new IncomingMessage(new Socket());
  request.url = url;
  request.rawHeaders = Object.entries({ 'User-Agent': FIREFOX, ...headers }).flat();
  t.app.services.traffic.count(request);
}

test('invented values are counted as one, in memory and in the tables', async () => {
  await nextDay();
  const { pool } = t.app.services;
  // Counts that cannot be written stay in memory.
  await pool.query('alter table traffic_values rename to hidden_values');
  for (let n = 0; n < 3000; n++) {
    countLoad(`/page/${n}?utm_source=s${n}`, {
      Referer: `https://host${n}.example/`,
      'User-Agent': `${FIREFOX} ${n}`,
    });
    if (n % 100 === 99) await t.app.services.traffic.flush();
  }
  await pool.query('alter table hidden_values rename to traffic_values');
  await t.app.services.traffic.flush();
  countLoad('/page/1', { Referer: 'https://one-more.example/' });
  countLoad('/page/1', { Referer: 'https://host1.example/' });
  await t.app.services.traffic.flush();
  const { rows } = await pool.query(
    `select dimension, count(*)::int, sum(count)::int as visits,
       sum(count) filter (where value = $1)::int as other
     from traffic_values where day = $2 and dimension in ('page', 'source', 'utmSource')
     group by dimension order by 1`,
    [OTHER, (await t.call('GET core/sys/traffic/', { days: 1 }, { token: staff })).data.to],
  );
  expect(rows).toEqual([
    { dimension: 'page', count: 500, visits: 3002, other: 2501 },
    { dimension: 'source', count: 200, visits: 3002, other: 2802 },
    { dimension: 'utmSource', count: 200, visits: 3000, other: 2801 },
  ]);
  expect(await read()).toMatchObject({ views: 3002, visitors: 3001 });
});

test('a peak is counted in proportion, without reading every load', async () => {
  await nextDay();
  for (let n = 0; n < 100_000; n++)
    countLoad('/home', { 'User-Agent': n % 2 === 0 ? FIREFOX : 'Baiduspider/2.0' });
  const { views, visits, valuesOf } = await read();
  expect({ views, visits }).toEqual({ views: 50_000, visits: 50_000 });
  expect(valuesOf('source').直接访问).toBeLessThanOrEqual(1000);
});

test('hostile headers are read without failing and stored without harm', async () => {
  await nextDay();
  for (const referer of [
    'not a url',
    'javascript:alert(1)',
    'android-app://com.example/',
    `https://${'a'.repeat(9000)}.example`,
  ])
    countLoad('/home', { Referer: referer });
  countLoad('/essay/detail/%E9.html?utm_source=%00%01&utm_medium=', {});
  // Only the beginning of a long query is read.
  countLoad(`/home?utm_source=${'长'.repeat(5000)}&utm_medium=late`, {});
  countLoad(`/home?utm_campaign=%F0%9F%98%80${'%F0%9F%98%80'.repeat(200)}`, {});
  countLoad(`/${'%E9%95%BF'.repeat(900)}`, { 'User-Agent': 'Mozilla/5.0 '.repeat(1000) });
  const { views, values, valuesOf } = await read();
  expect(views).toBe(8);
  expect(valuesOf('source')).toMatchObject({ 'com.example': 1 });
  expect(values.utmSource.map(({ value }) => value.length)).toEqual([100]);
  expect(values.utmCampaign.map(({ value }) => value.isWellFormed())).toEqual([true]);
  expect(values.utmMedium).toEqual([]);
  expect(valuesOf('region')).toEqual({ 未知: 8 });
});

test('nothing is lost while the database does not answer', async () => {
  await nextDay();
  const { pool } = t.app.services;
  await load('/home');
  await pool.query('alter table traffic_values rename to hidden_values');
  await t.app.services.traffic.flush();
  await load('/home');
  await pool.query('alter table hidden_values rename to traffic_values');
  const { views, visitors, valuesOf } = await read();
  expect({ views, visitors }).toEqual({ views: 2, visitors: 1 });
  expect(valuesOf('page')).toEqual({ '/home': 2 });
});

test('authors see where their essays are opened from, and only theirs', async () => {
  const writer = await createWriter(t);
  const stranger = await createWriter(t);
  const id = await publishEssay(t, writer);
  const slugged = await publishEssay(t, writer);
  await t.call('PUT core/essay/', { id: slugged, version: 1, slug: '有名字' }, { token: writer.token });
  await load(`/essay/detail/${id}.html`, { referer: 'https://www.zhihu.com/question/1' });
  await load(`/essay/detail/${encodeURIComponent('有名字')}.html`, { referer: 'https://www.zhihu.com/' });
  await load(`/essay/mdetail/${id}.html`, { referer: 'https://cn.bing.com/search?q=x' });
  await load(`/essay/detail/${'0'.repeat(32)}.html`);
  for (let n = 0; n < 60; n++)
    countLoad(`/essay/detail/${id}.html`, { Referer: `https://host${n}.example/` });
  await t.app.services.traffic.flush();
  const own = await t.call('GET core/user/stat/source', {}, { token: writer.token });
  expect(own.data.list.slice(0, 2)).toEqual([
    { value: OTHER, count: 32 },
    { value: 'zhihu.com', count: 2 },
  ]);
  const { rows } = await t.app.services.pool.query(
    'select count(*)::int, sum(count)::int from author_sources where author_id = $1',
    [writer.user.id],
  );
  expect(rows).toEqual([{ count: 31, sum: 63 }]);
  const others = await t.call('GET core/user/stat/source', {}, { token: stranger.token });
  expect(others.data.list).toEqual([]);
  expect((await t.call('GET core/user/stat/source')).status).toBe(401);
  expect((await t.call('GET core/user/stat/source', { days: 0 }, { token: writer.token })).status).toBe(422);
});

test('values are deleted after 400 days, totals stay', async () => {
  const { pool } = t.app.services;
  t.advance(401 * DAY_MS);
  await traffic.jobs['expire-traffic'](systemCtx(t.app.services));
  for (const table of ['traffic_values', 'author_sources'])
    expect((await pool.query(`select 1 from ${table}`)).rowCount).toBe(0);
  expect((await pool.query('select 1 from traffic_days')).rowCount).toBeGreaterThan(0);
});

test('only staff with the permission see the figures; wrong ranges are rejected', async () => {
  const viewer = (await createStaff(t, ['traffic:list'])).token;
  const statusOf = async (input: object, token?: string) =>
    (await t.call('GET core/sys/traffic/', input, { token })).status;
  expect(await statusOf({}, viewer)).toBe(200);
  expect(await statusOf({}, (await createStaff(t, ['log:list'])).token)).toBe(403);
  expect(await statusOf({}, (await t.register()).token)).toBe(403);
  expect(await statusOf({})).toBe(401);
  for (const range of [
    { from: '2026-03-03', to: '2026-03-02' },
    { from: '2020-01-01', to: '2026-03-02' },
    { from: 'x', to: '2026-03-02' },
    { to: '2026-03-02' },
    { days: 400 },
  ])
    expect(await statusOf(range, viewer), JSON.stringify(range)).toBe(422);
});

test('works below a base path and without a site address', async () => {
  const based = await startTestApp({ site: async () => site, config: { basePath: '/blog' } });
  await load('/blog/home', { referer: 'http://site.test:8080/blog/', host: 'site.test:8080' }, based);
  await load('/blog/home', {}, based);
  const token = await based.signInAdmin();
  const { data } = await based.call('GET core/sys/traffic/', { days: 1 }, { token });
  expect(data.days[0]).toMatchObject({ views: 2, visits: 1 });
  expect(data.values.page).toEqual([{ value: '/home', count: 2 }]);
  await based.close();
});
