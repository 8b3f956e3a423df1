import { createClient } from '@mozhan/contract/client.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { createTestSite } from '../testing/site.ts';
import { createStaff } from '../testing/staff.ts';

/** A test site with one page that displays title and colour. */
const site = createTestSite(
  async ({ transport, isPreview }) => {
    const { settings } = await createClient(transport)('GET core/site/');
    return { status: 200, html: `${settings.title} ${settings.colorPrimary} ${isPreview}` };
  },
  (url) => url.split('?')[0] ?? url,
);

let t: TestApp;
let token: string;
beforeAll(async () => {
  t = await startTestApp({ site: async () => site });
  token = (await createStaff(t, ['setting:list', 'setting:update'])).token;
});
afterAll(() => t.close());

const get = (url: string) => t.app.server.inject({ url });
const requestPreview = (given: object, as: string | undefined = token) =>
  t.call('POST core/sys/setting/preview', given, { token: as });

test('a preview displays unsaved settings in frames of this site only and is not logged', async () => {
  expect((await get('/home')).body).toBe('墨栈 #ff6968 false');
  const { url } = (await requestPreview({ title: '试一试', colorPrimary: '#1677ff' })).data;
  const page = await get(url);
  expect(page.body).toBe('试一试 #1677ff true');
  expect(page.headers).toMatchObject({
    'cache-control': 'private, no-store',
    'x-robots-tag': 'noindex',
    'x-frame-options': 'SAMEORIGIN',
  });
  const policy = String(page.headers['content-security-policy']);
  expect(policy).toContain("frame-ancestors 'self'");
  expect(policy).toContain("script-src 'none'");

  const usual = await get('/home');
  expect(usual.body).toBe('墨栈 #ff6968 false');
  expect(usual.headers['x-frame-options']).toBe('DENY');
  expect((await t.call('GET core/site/')).data.settings.title).toBe('墨栈');
  const log = await t.call('GET core/sys/log/', {}, { token: await t.signInAdmin() });
  expect(log.data.total).toBe(0);
});

test('a preview URL is signed for its settings and expires after ten minutes', async () => {
  const { url } = (await requestPreview({ title: '甲' })).data;
  const other = (await requestPreview({ title: '乙' })).data.url;
  const [text = ''] = other.split('.');
  const signature = url.split('.')[1];
  for (const forged of [`${text}.${signature}`, `${url.slice(0, -1)}x`]) {
    const page = await get(forged);
    expect([page.statusCode, page.body]).toEqual([404, '预览已过期']);
    expect(page.headers['x-frame-options']).toBe('DENY');
  }
  for (const foreign of ['', 'true', 'a.b'])
    expect((await get(`/home?preview=${foreign}`)).body).toBe('墨栈 #ff6968 false');
  t.advance(9 * 60_000);
  expect((await get(url)).body).toContain('甲');
  t.advance(2 * 60_000);
  expect((await get(url)).statusCode).toBe(404);
});

test('a preview requires the permission to change settings and valid settings', async () => {
  expect((await t.call('POST core/sys/setting/preview', {})).status).toBe(401);
  expect((await requestPreview({}, (await t.register()).token)).status).toBe(403);
  expect((await requestPreview({}, (await createStaff(t, ['setting:list'])).token)).status).toBe(403);
  expect((await requestPreview({ colorPrimary: 'red' })).fields).toHaveProperty('colorPrimary');
  expect((await requestPreview({ logo: '/files/ab/nobody.png' })).fields).toHaveProperty('logo');
});
