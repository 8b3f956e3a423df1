import { request } from 'node:http';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { systemCtx } from '../../../jobs.ts';
import { portOf, startTestApp, type TestApp } from '../../../testing/app.ts';
import { openSocket } from '../../../testing/live.ts';
import { createTestSite } from '../../../testing/site.ts';
import { createStaff } from '../../../testing/staff.ts';
import { bans as bansModule } from './module.ts';

const site = createTestSite(async () => ({ status: 200, html: '<p>首页</p>'.repeat(100) }));

let one: TestApp;
let two: TestApp;
let admin: string;
beforeAll(async () => {
  one = await startTestApp({ site: async () => site });
  two = await startTestApp({ site: async () => site, sameDatabaseAs: one });
  for (const t of [one, two]) await t.app.server.listen({ port: 0, host: '127.0.0.1' });
  admin = await one.signInAdmin();
});
afterAll(async () => {
  await two.close();
  await one.close();
});
afterEach(async () => {
  await one.app.services.pool.query('delete from bans');
  await Promise.all([one, two].map((t) => t.app.services.bans.refresh()));
});

const ban = (input: object, options: object = {}) =>
  one.call('POST core/sys/ban/', input, { token: admin, ...options });
const list = async (input: object = {}) =>
  (await one.call('GET core/sys/ban/', input, { token: admin })).data.list;
const inDays = (days: number) =>
  new Date(one.app.services.clock().getTime() + days * 86_400_000).toISOString();

const DAY_MS = 86_400_000;

/** With a new session, because those of staff expire. */
async function afterDays(days: number, work: () => Promise<void>): Promise<void> {
  const before = admin;
  one.advance(days * DAY_MS);
  admin = await one.signInAdmin();
  await work();
  one.advance(-days * DAY_MS);
  admin = before;
}

interface Answer {
  status: number | undefined;
  headers: Record<string, unknown>;
  body: string;
}

/** Over a real connection, because banned requests never reach the framework. */
const get = (t: TestApp, address: string, path = '/home', method = 'GET'): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const headers = { 'x-forwarded-for': address };
    request({ port: portOf(t), path, method, headers, agent: false }, (response) => {
      let body = '';
      response.on('data', (chunk) => {
        body += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body }));
    })
      .on('error', reject)
      .end();
  });
const statusOf = async (t: TestApp, address: string, path?: string) => (await get(t, address, path)).status;
const expectStatus = (t: TestApp, address: string, status: number) =>
  expect.poll(() => statusOf(t, address)).toBe(status);

test('refuses a banned network in every process: pages, also cached ones, calls and files', async () => {
  for (let again = 0; again < 3; again++) await get(one, '203.0.113.9');
  await ban({ network: '203.0.113.9/24', reason: '扫描' });
  for (const t of [one, two]) await expectStatus(t, '203.0.113.77', 403);
  const page = await get(one, '203.0.113.9');
  expect(page.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
  });
  expect(page.body).toContain('你的网络地址被本站限制访问');
  const call = await get(one, '203.0.113.9', '/api/core/site/');
  expect(call.status).toBe(403);
  expect(JSON.parse(call.body)).toMatchObject({ success: false, errorCode: 'ADDRESS_BANNED' });
  for (const path of ['/files/ab/x.png', '/healthz', '/admin/', '/sitemap.xml'])
    expect(await statusOf(one, '203.0.113.9', path), path).toBe(403);
  expect((await get(one, '203.0.113.9', '/home', 'HEAD')).body).toBe('');
  // Payment callbacks pass; the callback itself rejects an unknown provider.
  expect((await get(one, '203.0.113.9', '/api/core/fina/notify/nobody', 'POST')).status).toBe(404);
  for (const address of ['203.0.112.9', '2001:db8::1']) expect(await statusOf(one, address)).toBe(200);
});

test('expiry and removal need no restart', async () => {
  const { data } = await ban({ network: '2001:db8:5::/48' });
  await ban({ network: '198.51.100.7', expiresAt: inDays(1) });
  for (const t of [one, two]) {
    await expectStatus(t, '2001:db8:5:1::7', 403);
    await expectStatus(t, '198.51.100.7', 403);
  }
  await one.call('DELETE core/sys/ban/', { id: data.id }, { token: admin });
  for (const t of [one, two]) await expectStatus(t, '2001:db8:5:1::7', 200);
  await afterDays(1, async () => {
    expect(await statusOf(one, '198.51.100.7')).toBe(200);
    expect((await list({ keyword: '198.51.100.7' }))[0]).toMatchObject({ isActive: false });
  });
});

test('an address that a client claims is believed only of a trusted proxy', async () => {
  const direct = await startTestApp({ sameDatabaseAs: one, config: { trustProxy: false } });
  await direct.app.server.listen({ port: 0, host: '127.0.0.1' });
  await ban({ network: '203.0.113.0/24' });
  await expectStatus(one, '203.0.113.9', 403);
  await direct.app.services.bans.refresh();
  expect(await statusOf(direct, '203.0.113.9', '/healthz')).toBe(200);
  await direct.close();
});

test('refuses new live connections and closes open ones', async () => {
  const { token } = await one.register();
  const extraHeaders = { 'x-forwarded-for': '203.0.113.20' };
  const sockets = [one, two].map((t) => openSocket(t, token, { extraHeaders }));
  const elsewhere = openSocket(two, token, { extraHeaders: { 'x-forwarded-for': '198.51.100.20' } });
  for (const socket of [...sockets, elsewhere]) await expect.poll(() => socket.connected).toBe(true);
  await ban({ network: '203.0.113.20' });
  for (const socket of sockets) await expect.poll(() => socket.connected).toBe(false);
  expect(elsewhere.connected).toBe(true);
  const refused = openSocket(one, token, { extraHeaders });
  const { promise, resolve } = Promise.withResolvers<void>();
  refused.on('connect_error', () => resolve());
  await promise;
  expect(refused.connected).toBe(false);
});

test('refuses loopback, proxies, the own address, wide networks and nonsense', async () => {
  const messageOf = async (network: string, options: object = {}) =>
    (await ban({ network }, options)).fields?.network;
  for (const own of ['127.0.0.1', '127.0.0.0/8', '::1'])
    expect(await messageOf(own), own).toMatch(/本机|代理/);
  for (const wide of ['0.0.0.0/0', '8.0.0.0/7', '::/0']) expect(await messageOf(wide)).toMatch(/范围太大/);
  for (const wrong of ['example.com', '1.2.3', '1.2.3.4/40', 'x'.repeat(20)])
    expect(await messageOf(wrong), wrong).toMatch(/请填写/);
  const from = { address: '203.0.113.50' };
  for (const own of ['203.0.113.50', '203.0.113.0/24'])
    expect(await messageOf(own, from)).toBe('你现在就在用这个地址，不能封禁');
  expect((await ban({ network: '203.0.113.51' }, from)).success).toBe(true);
  const past = await ban({ network: '203.0.113.52', expiresAt: inDays(-1) });
  expect(past.fields).toEqual({ expiresAt: '到期时间应该在以后' });
  expect(await list()).toHaveLength(1);
});

test('a network is in the list once; banning it again changes reason and expiry, also concurrently', async () => {
  await Promise.all(
    ['203.0.113.1/24', '203.0.113.2/24', '203.0.113.0/24'].map((network) => ban({ network, reason: '一' })),
  );
  const expiresAt = inDays(3);
  const again = await ban({ network: '203.0.113.9/24', reason: '二', expiresAt });
  expect(again.data).toMatchObject({ network: '203.0.113.0/24', reason: '二', expiresAt, isActive: true });
  const id = again.data.id;
  const changed = await one.call('PUT core/sys/ban/', { id, expiresAt: null }, { token: admin });
  expect(changed.data).toMatchObject({ reason: '二', expiresAt: null });
  expect(await list()).toHaveLength(1);
  const { data } = await one.call('GET core/sys/log/', { target: `ban:${id}` }, { token: admin });
  expect(data.list[0]).toMatchObject({ before: { expiresAt }, after: { expiresAt: null } });
});

test('lists newest first by page and finds what concerns an address or network', async () => {
  for (const network of ['203.0.113.0/24', '203.0.113.8', '198.51.100.0/24', '2001:db8::/32'])
    await ban({ network });
  expect((await list()).map(({ network }) => network)).toEqual([
    '2001:db8::/32',
    '198.51.100.0/24',
    '203.0.113.8',
    '203.0.113.0/24',
  ]);
  expect((await list({ keyword: '203.0.113.8' })).length).toBe(2);
  expect((await list({ keyword: '203.0.0.0/16' })).length).toBe(2);
  expect((await list({ keyword: '2001:db8::9' })).length).toBe(1);
  const { data } = await one.call('GET core/sys/ban/', { pageSize: 3 }, { token: admin });
  const rest = await list({ pageSize: 3, cursor: data.next });
  expect(rest).toHaveLength(1);
  const wrong = await one.call('GET core/sys/ban/', { keyword: 'somewhere' }, { token: admin });
  expect(wrong.status).toBe(422);
});

test('each call needs its permission', async () => {
  const reader = await one.register();
  const viewer = await createStaff(one, ['ban:list']);
  const { data } = await ban({ network: '203.0.113.0/24' });
  for (const token of [undefined, reader.token]) {
    const status = token === undefined ? 401 : 403;
    expect((await one.call('GET core/sys/ban/', {}, { token })).status).toBe(status);
  }
  expect((await one.call('GET core/sys/ban/', {}, { token: viewer.token })).success).toBe(true);
  for (const token of [undefined, reader.token, viewer.token]) {
    const options = { token };
    expect((await one.call('POST core/sys/ban/', { network: '1.2.3.4' }, options)).success).toBe(false);
    expect((await one.call('PUT core/sys/ban/', { id: data.id, reason: '' }, options)).success).toBe(false);
    expect((await one.call('DELETE core/sys/ban/', { id: data.id }, options)).success).toBe(false);
  }
  expect(await list()).toHaveLength(1);
});

test('the daily job deletes what expired thirty days ago', async () => {
  await ban({ network: '203.0.113.1', expiresAt: inDays(1) });
  await ban({ network: '203.0.113.2' });
  const expire = () => bansModule.jobs['expire-bans'](systemCtx(one.app.services));
  await afterDays(30, async () => {
    await expire();
    expect(await list()).toHaveLength(2);
  });
  await afterDays(32, async () => {
    await expire();
    expect((await list()).map(({ network }) => network)).toEqual(['203.0.113.2']);
  });
});
