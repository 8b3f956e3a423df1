import { request } from 'node:http';
import { brotliDecompressSync } from 'node:zlib';
import { createClient } from '@mozhan/contract/client.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { portOf, startTestApp, type TestApp } from '../testing/app.ts';
import { makeWriter, publishEssay } from '../testing/essays.ts';
import { siteOf } from '../testing/site.ts';

/** Pages that show a user's name, under a path of the site. */
const site = siteOf(async ({ url, transport }) => {
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

function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Got> {
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

/** Only what the framework answers has a number of its own. */
const isReady = ({ headers }: Got) => headers['x-request-id'] === undefined;

async function askUntilReady(path: string, headers: Record<string, string> = {}): Promise<Got> {
  let got = await ask(path, headers);
  await expect
    .poll(
      async () => {
        got = await ask(path, headers);
        return isReady(got);
      },
      { timeout: 30_000 },
    )
    .toBe(true);
  return got;
}

function withoutOwn({ headers }: Got): Record<string, unknown> {
  const { 'x-request-id': _, date: __, 'content-length': ___, ...others } = headers;
  return others;
}

test('a page that is kept is answered as the framework answered it', async () => {
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

test('who has it is told so, with one tag or several, whatever the case of the header', async () => {
  const { user } = await t.register();
  const path = `/blog/user?id=${user.id}`;
  const { headers } = await askUntilReady(path, { 'accept-encoding': 'br' });
  for (const known of [String(headers.etag), `"other", W/${headers.etag}`, '*']) {
    const got = await ask(path, { 'Accept-Encoding': 'br', 'If-None-Match': known });
    expect(got).toMatchObject({ status: 304, headers: { etag: headers.etag } });
    expect(got.body).toHaveLength(0);
    expect(isReady(got)).toBe(true);
  }
  const other = await ask(path, { 'accept-encoding': 'br', 'if-none-match': '"other"' });
  expect(other.status).toBe(200);
});

test('what changed is not answered from what is kept', async () => {
  const { user, token } = await t.register(undefined, { displayName: '旧名字' });
  const path = `/blog/user?id=${user.id}`;
  await askUntilReady(path);
  await t.call('PUT core/user/', { displayName: '新名字' }, { token });
  expect((await ask(path)).body.toString()).toContain('新名字');
});

test('other methods and other addresses go on to the framework', async () => {
  const { user } = await t.register();
  const path = `/blog/user?id=${user.id}`;
  await askUntilReady(path);
  expect(isReady(await ask(path, {}, 'HEAD'))).toBe(false);
  expect(await ask(path, {}, 'POST')).toMatchObject({ status: 405 });
  expect(await ask(path.slice('/blog'.length))).toMatchObject({ status: 404 });
  expect(isReady(await ask(`${path}&more=1`))).toBe(false);
});

test('feeds are kept ready as well', async () => {
  const feed = await askUntilReady('/blog/feed.xml', { 'accept-encoding': 'br' });
  expect(feed.headers['content-type']).toContain('application/atom+xml');
  expect(brotliDecompressSync(feed.body).toString()).toContain('<feed');
});

test('calls of visitors are kept until what they show changes, and are nobody else’s', async () => {
  const author = await makeWriter(t);
  const id = await publishEssay(t, author);
  const path = `/blog/api/core/essay/${id}`;
  const isSentReady = vi.spyOn(t.app.services.pages, 'countHit');
  await expect.poll(async () => (await ask(path)) && isSentReady.mock.calls.length).toBeGreaterThan(0);
  const got = await ask(path);
  expect(got.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'private, no-store',
    'x-request-id': expect.stringMatching(/^[0-9a-f]{32}$/),
  });
  expect(got.headers.etag).toBeUndefined();
  const asAuthor = await ask(path, { token: author.token });
  expect(JSON.parse(asAuthor.body.toString()).data.can.edit).toBe(true);
  expect(JSON.parse((await ask(path)).body.toString()).data.can.edit).toBe(false);
  await t.call('PUT core/user/', { displayName: '改了名字' }, author);
  expect(JSON.parse((await ask(path)).body.toString()).data.author.displayName).toBe('改了名字');
});

test('the time that the site’s own pages add to a call does not make it another one', async () => {
  const id = await publishEssay(t, await makeWriter(t));
  const isSentReady = vi.spyOn(t.app.services.pages, 'countHit');
  let time = 1_794_900_000_000;
  const path = () => `/blog/api/core/essay/${id}?t=${++time}`;
  await expect.poll(async () => (await ask(path())) && isSentReady.mock.calls.length).toBeGreaterThan(0);
});

test('a call in another spelling, or with a long address, is answered but not kept', async () => {
  const author = await makeWriter(t);
  const id = await publishEssay(t, author);
  const { pages } = t.app.services;
  const kept = () => pages.stats().pages;
  const before = kept();
  for (const path of [`/blog/%61pi/core/essay/${id}`, `/blog/api/core/essay/${id}?more=${'x'.repeat(500)}`]) {
    for (let turn = 0; turn < 3; turn += 1) expect(await ask(path)).toMatchObject({ status: 200 });
    const asAuthor = await ask(path, { token: author.token });
    expect(JSON.parse(asAuthor.body.toString()).data.can.edit).toBe(true);
  }
  expect(kept()).toBe(before);
});

test('steps up in an address lead where it ends, so that no page is kept under another’s', async () => {
  expect(await ask('/blog/x/../feed.xml')).toMatchObject({
    status: 301,
    headers: { location: '/blog/feed.xml' },
  });
  expect(await ask('/blog/./user?id=1')).toMatchObject({
    status: 301,
    headers: { location: '/blog/user?id=1' },
  });
  expect((await ask('/blog/..//elsewhere.example')).status).not.toBe(301);
});

test('a client that offers another protocol is answered in this one', async () => {
  const got = await ask('/blog/feed.xml', {
    connection: 'Upgrade, HTTP2-Settings',
    upgrade: 'h2c',
    'http2-settings': 'AAMAAABkAAQAAP__',
  });
  expect(got.status).toBe(200);
});

test('hits are counted', async () => {
  const before = t.app.services.pages.stats().hits;
  await askUntilReady('/blog/feed.json');
  expect(t.app.services.pages.stats().hits).toBeGreaterThan(before);
});
