import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { createClient } from '@mozhan/contract/client.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { createTestSite } from '../testing/site.ts';

/** A test site with a page that displays a user's name, a redirect and failing pages. */
let renders = 0;
const site = createTestSite(
  async ({ url, transport }) => {
    renders += 1;
    const api = createClient(transport);
    const id = url.split('id=')[1];
    if (url.startsWith('/old')) return { status: 302, html: '', redirect: '/new' };
    if (id === undefined) return { status: 404, html: '没有' };
    try {
      const { displayName } = await api('GET core/user/public', { id });
      return { status: 200, html: `<p>${displayName}</p>`.repeat(50) };
    } catch (error) {
      const isMissing = error instanceof CallError && error.status === 404;
      return isMissing ? { status: 404, html: '没有' } : { status: 500, html: '坏了', error };
    }
  },
  (url) => url.split('&')[0] ?? url,
);

let one: TestApp;
let two: TestApp;
beforeAll(async () => {
  one = await startTestApp({ site: async () => site });
  two = await startTestApp({ site: async () => site, sameDatabaseAs: one });
});
afterAll(async () => {
  await two.close();
  await one.close();
});

const get = (t: TestApp, url: string, headers: Record<string, string> = {}) =>
  t.app.server.inject({ url, headers });

test('renders a page once and serves it from the cache to everyone', async () => {
  const { user, token } = await one.register(undefined, { displayName: '林砚' });
  renders = 0;
  const first = await get(one, `/user?id=${user.id}`);
  const second = await get(one, `/user?id=${user.id}&t=1`, { token });
  expect(first.statusCode).toBe(200);
  expect(second.body).toBe(first.body);
  expect(renders).toBe(1);
  expect(first.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'public, max-age=0, s-maxage=60',
    vary: 'accept-encoding',
  });
  expect(first.headers['content-security-policy']).toContain("script-src 'self'");
  expect(first.headers.token).toBeUndefined();
});

test('compresses with the accepted encoding and returns 304 for a known ETag', async () => {
  const { user } = await one.register();
  const url = `/user?id=${user.id}`;
  const plain = await get(one, url);
  const br = await get(one, url, { 'accept-encoding': 'gzip, br' });
  expect(br.headers['content-encoding']).toBe('br');
  expect(brotliDecompressSync(br.rawPayload).toString()).toBe(plain.body);
  const noBr = await get(one, url, { 'accept-encoding': 'br;q=0, gzip' });
  expect(noBr.headers['content-encoding']).toBe('gzip');
  const gz = await get(one, url, { 'accept-encoding': 'gzip' });
  expect(gunzipSync(gz.rawPayload).toString()).toBe(plain.body);
  const etag = String(plain.headers.etag);
  const weak = await get(one, url, { 'if-none-match': `"other", W/${etag}` });
  expect(weak.statusCode).toBe(304);
  const same = await get(one, url, { 'if-none-match': etag });
  expect(same.statusCode).toBe(304);
  expect(same.body).toBe('');
});

test('a repeatedly requested page is compressed better, with the same content', async () => {
  const { user } = await one.register(undefined, { displayName: '起承转合一二三四五六七八九十' });
  const url = `/user?id=${user.id}`;
  const plain = (await get(one, url)).body;
  for (const encoding of ['br', 'gzip'] as const) {
    const unpack = { br: brotliDecompressSync, gzip: gunzipSync }[encoding];
    const requestPage = async () => (await get(one, url, { 'accept-encoding': encoding })).rawPayload;
    const first = await requestPage();
    await expect.poll(async () => (await requestPage()).length).toBeLessThan(first.length);
    expect(unpack(first).toString()).toBe(plain);
    expect(unpack(await requestPage()).toString()).toBe(plain);
  }
});

test('HEAD returns the headers of GET without the body', async () => {
  const { user } = await one.register();
  const address = await two.app.server.listen({ port: 0, host: '127.0.0.1' });
  const requestPage = (method: string) =>
    fetch(`${address}/user?id=${user.id}`, { method, headers: { 'accept-encoding': 'identity' } });
  const [get, head] = [await requestPage('GET'), await requestPage('HEAD')];
  expect(head.status).toBe(200);
  expect(head.headers.get('etag')).toBe(get.headers.get('etag'));
  expect(head.headers.get('content-length')).toBe(String((await get.arrayBuffer()).byteLength));
  expect(await head.text()).toBe('');
});

test('a change invalidates the page in this process before its response, and in others soon after', async () => {
  const { user, token } = await one.register(undefined, { displayName: '旧名字' });
  const url = `/user?id=${user.id}`;
  for (const t of [one, two]) expect((await get(t, url)).body).toContain('旧名字');
  await one.call('PUT core/user/', { displayName: '新名字' }, { token });
  expect((await get(one, url)).body).toContain('新名字');
  await expect.poll(async () => (await get(two, url)).body).toContain('新名字');
});

test('a failed change invalidates nothing', async () => {
  const { user, token } = await one.register();
  await get(one, `/user?id=${user.id}`);
  renders = 0;
  await one.call('PUT core/user/', { displayName: '' }, { token });
  await get(one, `/user?id=${user.id}`);
  expect(renders).toBe(0);
});

test('does not cache 404 pages, and handles redirects and other methods', async () => {
  renders = 0;
  for (let i = 0; i < 2; i++) {
    const missing = await get(one, '/nowhere');
    expect(missing.statusCode).toBe(404);
    expect(missing.headers['cache-control']).toBe('no-store');
  }
  expect(renders).toBe(2);
  const moved = await get(one, '/old');
  expect(moved.statusCode).toBe(302);
  expect(moved.headers.location).toBe('/new');
  expect((await one.app.server.inject({ method: 'POST', url: '/nowhere' })).statusCode).toBe(405);
  const slashed = await get(one, '/home/?a=1');
  expect(slashed.statusCode).toBe(301);
  expect(slashed.headers.location).toBe('/home?a=1');
  const many = '/'.repeat(8000);
  expect((await get(one, `/home${many}?a=/`)).headers.location).toBe('/home?a=/');
  expect((await get(one, `/aa${many}b`)).statusCode).toBe(404);
  for (const url of ['//evil.example/', '/\\evil.example/', '/%5Cevil.example/', '///']) {
    const location = (await get(one, url)).headers.location ?? '/';
    expect(new URL(String(location), 'http://site.test').host).toBe('site.test');
  }
});

test('a failed page returns 500 and is not cached', async () => {
  const broken = await get(one, '/user?id=nonsense');
  expect(broken.statusCode).toBe(500);
  expect(broken.headers['cache-control']).toBe('no-store');
});

test('disables the cache while the notification connection is lost', async () => {
  const { user } = await one.register();
  const url = `/user?id=${user.id}`;
  await get(two, url);
  const { rows } = await one.app.services.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'mozhan pages' and datname = current_database()`,
  );
  expect(rows).toHaveLength(2);
  await expect.poll(() => two.app.services.pages.stats().pages).toBe(0);
  await expect
    .poll(async () => {
      await get(two, url);
      return two.app.services.pages.stats().pages;
    })
    .toBe(1);
});

test('each process has one listener after the database was unavailable', async () => {
  const { connection } = inject('cluster');
  const { rows } = await one.app.services.pool.query('select current_database() as name');
  const name = rows[0].name;
  const admin = new pg.Client(connection);
  await admin.connect();
  const listeners = async () =>
    (
      await admin.query(
        "select count(*)::int as count from pg_stat_activity where application_name = 'mozhan pages' and datname = $1",
        [name],
      )
    ).rows[0].count;
  await admin.query(`alter database ${name} with allow_connections false`);
  await admin.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'mozhan pages' and datname = $1",
    [name],
  );
  await new Promise((resolve) => setTimeout(resolve, 3000));
  await admin.query(`alter database ${name} with allow_connections true`);
  await expect.poll(listeners).toBeGreaterThan(1);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(await listeners()).toBe(2);
  await admin.end();
});
