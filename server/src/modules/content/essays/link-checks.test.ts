import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter } from '../../../testing/essays.ts';
import { createStaff } from '../../../testing/staff.ts';

let asked = 0;
let concurrent = 0;
let mostConcurrent = 0;
const server = createServer((request, response) => {
  asked += 1;
  concurrent += 1;
  mostConcurrent = Math.max(mostConcurrent, concurrent);
  setTimeout(() => {
    concurrent -= 1;
    response.writeHead(request.url === '/gone' ? 404 : 200).end();
  }, 20);
});
let base: string;
let open: TestApp;
let usual: TestApp;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  open = await startTestApp({ config: { fetchAllowPrivate: true, rateLimit: true } });
  // What webhooks of staff may reach is not open to writers.
  usual = await startTestApp({ config: { webhookAllowPrivate: true } });
});
afterAll(async () => {
  await open.close();
  await usual.close();
  server.close();
});

test('only writers and staff who write for authors may check links', async () => {
  const check = (token?: string) =>
    usual.call('POST core/essay/link', { urls: ['http://127.0.0.1/'] }, { token });
  expect((await check()).status).toBe(401);
  expect((await check((await usual.register()).token)).status).toBe(403);
  expect((await check((await createStaff(usual, ['essay:list'])).token)).status).toBe(403);
  expect((await check((await createStaff(usual, ['essay:edit'])).token)).status).toBe(200);
  expect((await check((await createWriter(usual)).token)).status).toBe(200);
});

test('reports dead links, each once, with few requests at a time', async () => {
  const { token } = await createWriter(open);
  const urls = [`${base}/gone`, `${base}/gone`, ...Array.from({ length: 20 }, (_, n) => `${base}/${n}`)];
  const { data } = await open.call('POST core/essay/link', { urls }, { token });
  expect(data.list).toHaveLength(21);
  expect(data.list.filter(({ state }) => state !== 'ok')).toEqual([
    { url: `${base}/gone`, state: 'dead', reason: '对方响应 404，页面不存在' },
  ]);
  expect(mostConcurrent).toBeLessThanOrEqual(4);
});

test('asks no server on a private network', async () => {
  const { token } = await createWriter(usual);
  const before = asked;
  const urls = [`${base}/0`, 'http://127.0.0.1/', 'http://[::1]/', 'http://10.1.2.3/', 'file:///etc/passwd'];
  const { data } = await usual.call('POST core/essay/link', { urls }, { token });
  expect(data.list.map(({ state }) => state)).toEqual(['unknown', 'dead', 'dead', 'dead', 'unknown']);
  expect(asked).toBe(before);
});

test('refuses too many links, and too many checks', async () => {
  const { token } = await createWriter(open);
  const check = (urls: string[]) => open.call('POST core/essay/link', { urls }, { token });
  expect((await check([])).status).toBe(422);
  expect((await check(Array(51).fill('http://127.0.0.1/'))).status).toBe(422);
  const invalid = ['file:///'];
  for (let count = 0; count < 60; count += 1) await check(invalid);
  expect((await check(invalid)).errorCode).toBe('TOO_MANY_REQUESTS');
});
