import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { makeWriter, publishEssay, type Writer } from '../testing/essays.ts';
import { pagesFromSource } from '../testing/pages.ts';
import { uploadPicture } from '../testing/pictures.ts';
import { downloadHeaders } from './send-file.ts';

let t: TestApp;
let writer: Writer;
let file: string;
beforeAll(async () => {
  t = await startTestApp(pagesFromSource);
  writer = await makeWriter(t, '写作的人'.repeat(3));
  for (let i = 0; i < 6; i++)
    await publishEssay(t, writer, { title: `第 ${i} 篇`, summary: '摘要'.repeat(50) });
  file = await uploadPicture(t, writer.token);
});
afterAll(() => t.close());

const get = (url: string, headers: Record<string, string> = {}) => t.app.server.inject({ url, headers });

test('answers of calls are packed as the client likes, small ones are not', async () => {
  const url = '/api/core/essay/?pageSize=50';
  const plain = await get(url);
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(plain.headers.vary).toBe('accept-encoding');
  for (const [accepted, encoding, unpack] of [
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
  ] as const) {
    const packed = await get(url, { 'accept-encoding': accepted });
    expect(packed.headers['content-encoding']).toBe(encoding);
    expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2);
    expect(unpack(packed.rawPayload).toString()).toBe(plain.body);
    expect(packed.headers['content-length']).toBe(String(packed.rawPayload.length));
  }
  const refused = await get(url, { 'accept-encoding': 'br;q=0' });
  expect(refused.headers['content-encoding']).toBeUndefined();
  const small = await get('/api/core/essay/tag', { 'accept-encoding': 'br' });
  expect(small.headers['content-encoding']).toBeUndefined();
  // What only somebody may know is not: its length would tell of it.
  const token = await t.signInAdmin();
  const own = await get('/api/core/sys/menu/', { token, 'accept-encoding': 'br' });
  expect(own.rawPayload.length).toBeGreaterThan(1024);
  expect(own.headers['content-encoding']).toBeUndefined();
});

test('each encoding of a page has a tag of its own; any tag is known to who says so', async () => {
  const tags = await Promise.all(
    ['identity', 'gzip', 'br'].map(
      async (encoding) => (await get('/home', { 'accept-encoding': encoding })).headers.etag,
    ),
  );
  expect(new Set(tags).size).toBe(3);
  for (const [index, encoding] of ['identity', 'gzip', 'br'].entries()) {
    const ask = (known: string) => get('/home', { 'accept-encoding': encoding, 'if-none-match': known });
    const same = await ask(`"other", W/${tags[index]}`);
    expect([same.statusCode, same.headers.etag]).toEqual([304, tags[index]]);
    expect((await ask('*')).statusCode).toBe(304);
    expect((await ask(String(tags[(index + 1) % 3]))).statusCode).toBe(200);
  }
});

test('a range beyond the end of a file is refused with its length', async () => {
  const whole = await get(file);
  const bytes = whole.rawPayload.length;
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
  '/admin/comment',
  '/healthz',
  '/api/docs',
  '/api/openapi.json',
])('%s says which methods it has', async (url) => {
  for (const method of ['POST', 'PUT', 'DELETE'] as const) {
    const { statusCode, headers } = await t.app.server.inject({ method, url });
    expect([statusCode, headers.allow]).toEqual([405, 'GET, HEAD']);
  }
});

test('calls say which methods they have', async () => {
  const answer = await t.app.server.inject({ method: 'PATCH', url: '/api/core/user/' });
  expect(answer.statusCode).toBe(405);
  expect(String(answer.headers.allow).split(', ')).toEqual(
    expect.arrayContaining(['GET', 'HEAD', 'POST', 'PUT']),
  );
  expect((await t.app.server.inject({ method: 'POST', url: '/api/nothing' })).statusCode).toBe(404);
});

test('files are saved under their name by every program', () => {
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
])('%s leads to %s', async (url, to) => {
  const { statusCode, headers } = await get(url);
  expect([statusCode, headers.location]).toEqual([301, to]);
});

test('no escape leads to another site', async () => {
  for (const url of ['//evil%2Eexample/', '/%5C%65vil.example', '/%2F%65vil.example']) {
    const { headers } = await get(url);
    expect(new URL(String(headers.location ?? '/'), 'http://site.test').host).toBe('site.test');
  }
});

test.each(['/%zz', '/%', '/essay/%E5%A2', '/a%ff?x=%zz'])('%s is answered by a page', async (url) => {
  const { statusCode, headers, body } = await get(url);
  expect(statusCode).toBe(400);
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(headers['cache-control']).toBe('no-store');
  expect(body).toMatch(/^<!doctype html>/);
});

test('a call with such an address is answered as a call', async () => {
  const { headers, body } = await get('/api/core/%zz');
  expect(headers['content-type']).toContain('application/json');
  expect(JSON.parse(body)).toMatchObject({ success: false });
});
