import { request } from 'node:http';
import { createClient } from '@mozhan/contract/client.ts';
import type { Switches } from '@mozhan/contract/switches.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ADMIN_PASSWORD, PASSWORD, portOf, startTestApp, type TestApp } from '../testing/app.ts';
import { openSocket } from '../testing/live.ts';
import { createTestSite } from '../testing/site.ts';

const site = createTestSite(async ({ transport }) => {
  const { switches } = await createClient(transport)('GET core/site/');
  return { status: 200, html: `<p>letters ${switches.letters ? 'on' : 'off'}</p>` };
});

let one: TestApp;
let two: TestApp;
let admin: string;
let reader: { token: string; user: { account: string } };
beforeAll(async () => {
  one = await startTestApp({ site: async () => site });
  two = await startTestApp({ site: async () => site, sameDatabaseAs: one });
  for (const t of [one, two]) await t.app.server.listen({ port: 0, host: '127.0.0.1' });
  admin = await one.signInAdmin();
  reader = await one.register();
});
afterAll(async () => {
  await two.close();
  await one.close();
});
beforeEach(() => turn({ maintenance: false, maintenanceText: '', letters: true }));

async function turn(given: Partial<Switches>): Promise<void> {
  await one.call('PUT core/sys/switch/', given, { token: admin });
  await expect.poll(() => two.app.services.switches.current()).toMatchObject(given);
}

interface Answer {
  status: number | undefined;
  headers: Record<string, unknown>;
  body: string;
}

/** Over a real connection, because cached pages are sent before the framework. */
const get = (t: TestApp, path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    request({ port: portOf(t), path, headers, agent: false }, (response) => {
      let body = '';
      response.on('data', (chunk) => {
        body += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body }));
    })
      .on('error', reject)
      .end();
  });

test('cached pages are replaced in every process when a switch changes', async () => {
  for (const t of [one, two])
    for (let again = 0; again < 3; again++) expect((await get(t, '/home')).body).toContain('letters on');
  await turn({ letters: false });
  for (const t of [one, two])
    await expect.poll(async () => (await get(t, '/home')).body).toContain('letters off');
});

test('readers get the maintenance page instead of any page, also of cached ones', async () => {
  for (let again = 0; again < 3; again++) await get(one, '/home');
  await turn({ maintenance: true, maintenanceText: '升级数据库 <b>\n大约 20:00 恢复' });
  for (const t of [one, two])
    for (const path of ['/home', '/', '/essay/x.html', '/sitemap.xml', '/rss.xml', '/robots.txt']) {
      const answer = await get(t, path);
      expect(answer.status, path).toBe(503);
      expect(answer.headers).toMatchObject({ 'retry-after': '600', 'cache-control': 'no-store' });
    }
  const { body, headers } = await get(one, '/home');
  expect(body).toContain('网站正在维护');
  expect(body).toContain('<p>升级数据库 &lt;b&gt;</p>\n<p>大约 20:00 恢复</p>');
  expect(String(headers['content-security-policy'])).toMatch(/style-src 'sha256-/);
  await turn({ maintenance: false });
  expect((await get(one, '/home')).status).toBe(200);
});

test('health checks, payment callbacks and sign-in stay reachable', async () => {
  await turn({ maintenance: true });
  expect((await get(one, '/healthz')).status).toBe(200);
  expect((await get(one, '/readyz')).status).toBe(200);
  expect((await get(one, '/login.html')).status).toBe(200);
  // Not replaced: the callback itself rejects an unknown provider.
  const callback = await one.app.server.inject({ method: 'POST', url: '/api/core/fina/notify/nobody' });
  expect(callback.statusCode).toBe(404);
});

test('calls of readers get a clear error, and staff work as usual', async () => {
  await turn({ maintenance: true, maintenanceText: '今晚八点恢复' });
  for (const token of [undefined, reader.token]) {
    const refused = await one.call('GET core/essay/', {}, { token });
    expect(refused).toMatchObject({ status: 503, errorCode: 'MAINTENANCE', errorMessage: '今晚八点恢复' });
    expect(refused.headers['retry-after']).toBe('60');
  }
  expect((await one.call('POST core/user/', { account: 'somebody-new', password: PASSWORD })).status).toBe(
    503,
  );
  const input = { account: reader.user.account, password: PASSWORD };
  const { token } = await one.call('POST core/account/login', input);
  expect((await one.call('GET core/user/', {}, { token })).status).toBe(503);
  expect((await one.call('GET core/essay/', {}, { token: admin })).success).toBe(true);
  expect((await one.call('PUT core/sys/switch/', { letters: false }, { token: admin })).success).toBe(true);
});

test('staff get a cookie with which they see the pages, which no shared cache stores', async () => {
  const before = await one.call('GET core/user/', {}, { token: admin });
  expect(before.headers['set-cookie']).toBeUndefined();
  await turn({ maintenance: true });
  const signedIn = await one.call('POST core/account/login', { account: 'admin', password: ADMIN_PASSWORD });
  const { headers } = await one.call('GET core/user/', {}, { token: signedIn.token });
  const cookie = String(headers['set-cookie']);
  expect(cookie).toMatch(/^mozhan_pass=\S+; Path=\/; Max-Age=43200; HttpOnly; SameSite=Lax$/);
  const [pass = ''] = cookie.split(';');
  const seen = await get(two, '/home', { cookie: `other=1; ${pass}` });
  expect(seen).toMatchObject({ status: 200, headers: { 'cache-control': 'private, no-store' } });
  const forged = pass.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
  const later = pass.replace(/=\d/, '=9');
  for (const wrong of [forged, later, 'mozhan_pass=', 'mozhan_pass=1.x'])
    expect((await get(one, '/home', { cookie: wrong })).status).toBe(503);
  // Readers get none.
  const other = await one.call('POST core/account/login', {
    account: reader.user.account,
    password: PASSWORD,
  });
  expect(other.headers['set-cookie']).toBeUndefined();
  one.advance(13 * 3_600_000);
  expect((await get(one, '/home', { cookie: pass })).status).toBe(503);
  one.advance(-13 * 3_600_000);
});

test('closes the live connections of readers and accepts only staff', async () => {
  const sockets = [one, two].map((t) => openSocket(t, reader.token));
  const staff = openSocket(two, admin);
  for (const socket of [...sockets, staff]) await expect.poll(() => socket.connected).toBe(true);
  await turn({ maintenance: true });
  for (const socket of sockets) await expect.poll(() => socket.connected).toBe(false);
  expect(staff.connected).toBe(true);
  const refused = openSocket(one, reader.token);
  const { promise, resolve } = Promise.withResolvers<string>();
  refused.on('connect_error', ({ message }) => resolve(message));
  expect(await promise).toBe('UNAVAILABLE');
});
