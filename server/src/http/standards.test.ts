import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { createWriter, publishEssay, type TestUser } from '../testing/essays.ts';
import { pagesFromSource } from '../testing/pages.ts';
import { uploadPicture } from '../testing/pictures.ts';
import { downloadHeaders } from './send-file.ts';

let t: TestApp;
let writer: TestUser;
let file: string;
beforeAll(async () => {
  t = await startTestApp(pagesFromSource);
  writer = await createWriter(t, '写作的人'.repeat(3));
  for (let i = 0; i < 6; i++)
    await publishEssay(t, writer, { title: `第 ${i} 篇`, summary: '摘要'.repeat(50) });
  file = await uploadPicture(t, writer.token);
});
afterAll(() => t.close());

const get = (url: string, headers: Record<string, string> = {}) => t.app.server.inject({ url, headers });

test('compresses large public responses with the accepted encoding', async () => {
  const url = '/api/core/essay/?pageSize=50';
  const plain = await get(url);
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(plain.headers.vary).toBe('accept-encoding');
  for (const [accepted, encoding, decompress] of [
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
  ] as const) {
    const compressed = await get(url, { 'accept-encoding': accepted });
    expect(compressed.headers['content-encoding']).toBe(encoding);
    expect(compressed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2);
    expect(decompress(compressed.rawPayload).toString()).toBe(plain.body);
    expect(compressed.headers['content-length']).toBe(String(compressed.rawPayload.length));
  }
  const refused = await get(url, { 'accept-encoding': 'br;q=0' });
  expect(refused.headers['content-encoding']).toBeUndefined();
  const small = await get('/api/core/essay/tag', { 'accept-encoding': 'br' });
  expect(small.headers['content-encoding']).toBeUndefined();
  // Private responses are not compressed, because their length would reveal content.
  const token = await t.signInAdmin();
  const own = await get('/api/core/sys/menu/', { token, 'accept-encoding': 'br' });
  expect(own.rawPayload.length).toBeGreaterThan(1024);
  expect(own.headers['content-encoding']).toBeUndefined();
});

test('each encoding of a page has its own ETag, and If-None-Match: * matches all', async () => {
  const tags = await Promise.all(
    ['identity', 'gzip', 'br'].map(
      async (encoding) => (await get('/home', { 'accept-encoding': encoding })).headers.etag,
    ),
  );
  expect(new Set(tags).size).toBe(3);
  for (const [index, encoding] of ['identity', 'gzip', 'br'].entries()) {
    const requestPage = (known: string) =>
      get('/home', { 'accept-encoding': encoding, 'if-none-match': known });
    const same = await requestPage(`"other", W/${tags[index]}`);
    expect([same.statusCode, same.headers.etag]).toEqual([304, tags[index]]);
    expect((await requestPage('*')).statusCode).toBe(304);
    expect((await requestPage(String(tags[(index + 1) % 3]))).statusCode).toBe(200);
  }
});

test('returns 416 with the length for a range beyond the end of a file', async () => {
  const full = await get(file);
  const bytes = full.rawPayload.length;
  const beyond = await get(file, { range: `bytes=${bytes + 10}-` });
  expect(beyond.statusCode).toBe(416);
  expect(beyond.headers['content-range']).toBe(`bytes */${bytes}`);
  const part = await get(file, { range: 'bytes=0-9' });
  expect(part.statusCode).toBe(206);
  expect(part.headers['content-range']).toBe(`bytes 0-9/${bytes}`);
});

test.each([
  '/home',
  '/nowhere',
  '/feed.xml',
  '/feed.json',
  '/sitemap.xml',
  '/robots.txt',
  '/favicon.ico',
  '/og/site.png',
  '/files/ab/cd.webp',
  '/download/x',
  '/drawings/x',
  '/admin/comment',
  '/healthz',
  '/api/docs',
  '/api/openapi.json',
])('%s returns 405 with the allowed methods', async (url) => {
  for (const method of ['POST', 'PUT', 'DELETE'] as const) {
    const { statusCode, headers } = await t.app.server.inject({ method, url });
    expect([statusCode, headers.allow]).toEqual([405, 'GET, HEAD']);
  }
});

test('calls return 405 with the allowed methods', async () => {
  const response = await t.app.server.inject({ method: 'PATCH', url: '/api/core/user/' });
  expect(response.statusCode).toBe(405);
  expect(String(response.headers.allow).split(', ')).toEqual(
    expect.arrayContaining(['GET', 'HEAD', 'POST', 'PUT']),
  );
  expect((await t.app.server.inject({ method: 'POST', url: '/api/nothing' })).statusCode).toBe(404);
});

test.each([
  ['PATCH', '/api/core/essay/0123456789abcdef0123456789abcdef', ['DELETE', 'GET', 'HEAD']],
  // Without a route of its own, the router would pass it to `GET core/essay/{id}`.
  ['GET', '/api/core/essay/status', ['PUT']],
  ['HEAD', '/api/core/essay/status/', ['PUT']],
  ['POST', '/api/core/essay/0123456789abcdef0123456789abcdef?x=/', ['DELETE', 'GET', 'HEAD']],
] as const)('%s %s returns 405 with the methods of that call', async (method, url, allowed) => {
  const { statusCode, headers } = await t.app.server.inject({ method, url });
  expect(statusCode).toBe(405);
  expect(String(headers.allow).split(', ').sort()).toEqual(allowed);
});

test('content-disposition contains an ASCII and a UTF-8 file name', () => {
  const dispositionOf = (name: string) =>
    downloadHeaders({ name, type: 'text/plain' })['content-disposition'];
  expect(dispositionOf('讲义 (一).txt')).toBe(
    `attachment; filename="?? (?).txt"; filename*=UTF-8''%E8%AE%B2%E4%B9%89%20%28%E4%B8%80%29.txt`,
  );
  expect(dispositionOf('notes.txt')).toBe('attachment; filename=notes.txt');
  expect(dispositionOf('a"b\\c.txt')).toBe('attachment; filename="a\\"b\\\\c.txt"');
});

test.each([
  ['/%68ome', '/home'],
  ['/%68ome?keyword=%E5%A2%A8', '/home?keyword=%E5%A2%A8'],
  ['/about%2Ehtml', '/about.html'],
  ['/%7Ex%2f', '/~x%2F'],
])('%s redirects to %s', async (url, to) => {
  const { statusCode, headers } = await get(url);
  expect([statusCode, headers.location]).toEqual([301, to]);
});

test('no escaped URL redirects to another host', async () => {
  for (const url of ['//evil%2Eexample/', '/%5C%65vil.example', '/%2F%65vil.example']) {
    const { headers } = await get(url);
    expect(new URL(String(headers.location ?? '/'), 'http://site.test').host).toBe('site.test');
  }
});

test.each(['/%zz', '/%', '/essay/%E5%A2', '/a%ff?x=%zz'])('a page responds to %s', async (url) => {
  const { statusCode, headers, body } = await get(url);
  expect(statusCode).toBe(400);
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(headers['cache-control']).toBe('no-store');
  expect(body).toMatch(/^<!doctype html>/);
});

test('a malformed API URL gets a JSON response', async () => {
  const { headers, body } = await get('/api/core/%zz');
  expect(headers['content-type']).toContain('application/json');
  expect(JSON.parse(body)).toMatchObject({ success: false });
});
