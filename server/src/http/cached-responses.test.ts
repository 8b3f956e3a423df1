import { request } from 'node:http';
import { brotliDecompressSync } from 'node:zlib';
import { createClient } from '@mozhan/contract/client.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { PASSWORD, portOf, startTestApp, type TestApp } from '../testing/app.ts';
import { createWriter, publishEssay } from '../testing/essays.ts';
import { createTestSite } from '../testing/site.ts';

/** A test site under a base path whose pages display a user's name. */
const site = createTestSite(async ({ url, transport }) => {
  const id = url.split('id=')[1] ?? '';
  const { displayName } = await createClient(transport)('GET core/user/public', { id });
  return { status: 200, html: `<p>${displayName}</p>`.repeat(50) };
});

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp({ site: async () => site, config: { basePath: '/blog' } });
  await t.app.server.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => t.close());

interface Got {
  status: number;
  headers: Record<string, unknown>;
  body: Buffer;
}

function sendRequest(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Got> {
  return new Promise((resolve, reject) => {
    request({ port: portOf(t), path, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks),
        }),
      );
    })
      .on('error', reject)
      .end();
  });
}

/** Only responses of the framework have a request id. */
const isReady = ({ headers }: Got) => headers['x-request-id'] === undefined;

async function askUntilReady(path: string, headers: Record<string, string> = {}): Promise<Got> {
  let got = await sendRequest(path, headers);
  await expect
    .poll(async () => {
      got = await sendRequest(path, headers);
      return isReady(got);
    })
    .toBe(true);
  return got;
}

function withoutOwn({ headers }: Got): Record<string, unknown> {
  const { 'x-request-id': _, date: __, 'content-length': ___, ...others } = headers;
  return others;
}

test('a cached page is sent with the same response as by the framework', async () => {
  const { user } = await t.register(undefined, { displayName: '一二三四五六七八九十' });
  for (const encoding of ['br', 'gzip', 'identity']) {
    const path = `/blog/user?id=${user.id}`;
    const headers = { 'accept-encoding': encoding };
    const first = await t.app.server.inject({ url: path, headers });
    const ready = await askUntilReady(path, headers);
    const { connection: _, 'keep-alive': __, ...sent } = withoutOwn(ready);
    expect(sent).toEqual(
      withoutOwn({
        ...ready,
        headers: { ...first.headers, connection: undefined },
      }),
    );
    expect(ready.headers['content-length']).toBe(String(ready.body.length));
    const text = encoding === 'br' ? brotliDecompressSync(ready.body).toString() : ready.body.toString();
    if (encoding !== 'gzip') expect(text).toContain('一二三四五六七八九十');
  }
});

test('compresses pages with a window of 64 KB, because tables for a larger one take ten times the memory', async () => {
  const { user } = await t.register();
  const path = `/blog/user?id=${user.id}`;
  const { body } = await askUntilReady(path, { 'accept-encoding': 'br' });
  // A stream begins with its window size (RFC 7932, 9.1): a 0 bit is 64 KB.
  expect((body[0] ?? 1) & 1).toBe(0);
});

test('returns 304 for a matching ETag, also among several and in any header case', async () => {
  const { user } = await t.register();
  const path = `/blog/user?id=${user.id}`;
  const { headers } = await askUntilReady(path, { 'accept-encoding': 'br' });
  for (const known of [String(headers.etag), `"other", W/${headers.etag}`, '*']) {
    const got = await sendRequest(path, { 'Accept-Encoding': 'br', 'If-None-Match': known });
    expect(got).toMatchObject({ status: 304, headers: { etag: headers.etag } });
    expect(got.body).toHaveLength(0);
    expect(isReady(got)).toBe(true);
  }
  const other = await sendRequest(path, { 'accept-encoding': 'br', 'if-none-match': '"other"' });
  expect(other.status).toBe(200);
});

test('does not send a cached page after a change', async () => {
  const { user, token } = await t.register(undefined, { displayName: '旧名字' });
  const path = `/blog/user?id=${user.id}`;
  await askUntilReady(path);
  await t.call('PUT core/user/', { displayName: '新名字' }, { token });
  expect((await sendRequest(path)).body.toString()).toContain('新名字');
});

test('passes other methods and URLs to the framework', async () => {
  const { user } = await t.register();
  const path = `/blog/user?id=${user.id}`;
  await askUntilReady(path);
  expect(isReady(await sendRequest(path, {}, 'HEAD'))).toBe(false);
  expect(await sendRequest(path, {}, 'POST')).toMatchObject({ status: 405 });
  expect(await sendRequest(path.slice('/blog'.length))).toMatchObject({ status: 404 });
  expect(isReady(await sendRequest(`${path}&more=1`))).toBe(false);
});

test('sends cached feeds', async () => {
  const feed = await askUntilReady('/blog/feed.xml', { 'accept-encoding': 'br' });
  expect(feed.headers['content-type']).toContain('application/atom+xml');
  expect(brotliDecompressSync(feed.body).toString()).toContain('<feed');
});

test('caches calls of visitors until their data changes, and only for visitors', async () => {
  const author = await createWriter(t);
  const id = await publishEssay(t, author);
  const path = `/blog/api/core/essay/${id}`;
  const isSentReady = vi.spyOn(t.app.services.pages, 'countHit');
  await expect
    .poll(async () => (await sendRequest(path)) && isSentReady.mock.calls.length)
    .toBeGreaterThan(0);
  const got = await sendRequest(path);
  expect(got.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'private, no-store',
    'x-request-id': expect.stringMatching(/^[0-9a-f]{32}$/),
  });
  expect(got.headers.etag).toBeUndefined();
  const asAuthor = await sendRequest(path, { token: author.token });
  expect(JSON.parse(asAuthor.body.toString()).data.can.edit).toBe(true);
  const input = { name: '同步', scopes: ['essay:read'], days: 30, password: PASSWORD };
  const apiToken = (await t.call('POST core/user/token/', input, author)).data.token;
  const byToken = await sendRequest(path, { authorization: `Bearer ${apiToken}` });
  expect(JSON.parse(byToken.body.toString()).data.can.edit).toBe(true);
  const forged = await sendRequest(path, { authorization: `Bearer mzt_${'A'.repeat(43)}` });
  expect(forged.status).toBe(401);
  expect(JSON.parse((await sendRequest(path)).body.toString()).data.can.edit).toBe(false);
  await t.call('PUT core/user/', { displayName: '改了名字' }, author);
  expect(JSON.parse((await sendRequest(path)).body.toString()).data.author.displayName).toBe('改了名字');
});

test('ignores the timestamp parameter of calls', async () => {
  const id = await publishEssay(t, await createWriter(t));
  const isSentReady = vi.spyOn(t.app.services.pages, 'countHit');
  let time = 1_794_900_000_000;
  const path = () => `/blog/api/core/essay/${id}?t=${++time}`;
  await expect
    .poll(async () => (await sendRequest(path())) && isSentReady.mock.calls.length)
    .toBeGreaterThan(0);
});

test('does not cache calls with another spelling or a long URL', async () => {
  const author = await createWriter(t);
  const id = await publishEssay(t, author);
  const { pages } = t.app.services;
  const cachedPages = () => pages.stats().pages;
  const before = cachedPages();
  for (const path of [`/blog/%61pi/core/essay/${id}`, `/blog/api/core/essay/${id}?more=${'x'.repeat(500)}`]) {
    for (let turn = 0; turn < 3; turn += 1) expect(await sendRequest(path)).toMatchObject({ status: 200 });
    const asAuthor = await sendRequest(path, { token: author.token });
    expect(JSON.parse(asAuthor.body.toString()).data.can.edit).toBe(true);
  }
  expect(cachedPages()).toBe(before);
});

test('redirects URLs with dot segments, so that each page has one cache key', async () => {
  expect(await sendRequest('/blog/x/../feed.xml')).toMatchObject({
    status: 301,
    headers: { location: '/blog/feed.xml' },
  });
  expect(await sendRequest('/blog/./user?id=1')).toMatchObject({
    status: 301,
    headers: { location: '/blog/user?id=1' },
  });
  expect((await sendRequest('/blog/..//elsewhere.example')).status).not.toBe(301);
});

test('ignores an upgrade offer for another protocol', async () => {
  const got = await sendRequest('/blog/feed.xml', {
    connection: 'Upgrade, HTTP2-Settings',
    upgrade: 'h2c',
    'http2-settings': 'AAMAAABkAAQAAP__',
  });
  expect(got.status).toBe(200);
});

test('counts cache hits', async () => {
  const before = t.app.services.pages.stats().hits;
  await askUntilReady('/blog/feed.json');
  expect(t.app.services.pages.stats().hits).toBeGreaterThan(before);
});
