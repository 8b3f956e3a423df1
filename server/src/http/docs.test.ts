import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../testing/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp({ config: { rateLimit: true } });
});
afterAll(() => t.close());

const get = (url: string, headers: Record<string, string> = {}, address = '203.0.113.1') =>
  t.app.server.inject({ method: 'GET', url, headers: { ...headers, 'x-forwarded-for': address } });

test('sends the OpenAPI document compressed and with an ETag', async () => {
  const plain = await get('/api/openapi.json');
  expect(plain.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(plain.json().openapi).toBe('3.1.0');
  const br = await get('/api/openapi.json', { 'accept-encoding': 'gzip, br' });
  expect(br.headers['content-encoding']).toBe('br');
  expect(brotliDecompressSync(br.rawPayload).toString()).toBe(plain.body);
  const gzip = await get('/api/openapi.json', { 'accept-encoding': 'gzip' });
  expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain.body);
  const again = await get('/api/openapi.json', { 'if-none-match': String(plain.headers.etag) });
  expect(again.statusCode).toBe(304);
  expect(again.body).toBe('');
});

test('the HTML page lists the calls', async () => {
  const page = await get('/api/docs', {}, '203.0.113.2');
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(page.body).toContain('core/essay/');
});

test('documents the permissions by which staff may use a call for others', async () => {
  const { paths } = (await get('/api/openapi.json', {}, '203.0.113.4')).json();
  const { description } = paths['/api/core/essay/status'].put;
  expect(description).toContain('登录');
  expect(description).toContain('对别人的内容：有权限 essay:audit 或 essay:update 或 essay:edit 的工作人员');
  expect(paths['/api/core/essay/like'].post.description).not.toContain('工作人员');
});

test('regenerates the documents once, in one thread, after the title changes', async () => {
  const before = await get('/api/openapi.json');
  const token = await t.signInAdmin();
  const saved = await t.call('PUT core/sys/setting/', { title: '另一个名字' }, { token });
  expect(saved.success).toBe(true);
  let threads = 0;
  const count = () => {
    threads += 1;
  };
  process.on('worker', count);
  await Promise.all(['/api/openapi.json', '/api/docs', '/api/openapi.json'].map((url) => get(url)));
  await get('/api/docs');
  process.off('worker', count);
  expect(threads).toBe(1);
  const after = await get('/api/openapi.json', { 'if-none-match': String(before.headers.etag) });
  expect(after.statusCode).toBe(200);
  expect(after.json().info.title).toBe('另一个名字 API');
});

test('limits the rate of requests', async () => {
  const responses = await Promise.all(
    Array.from({ length: 70 }, (_, at) => get(at % 2 ? '/api/docs' : '/api/openapi.json', {}, '203.0.113.3')),
  );
  expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(60);
  const [refused] = responses.filter(({ statusCode }) => statusCode === 429);
  expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
});
