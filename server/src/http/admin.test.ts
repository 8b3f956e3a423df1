import { pathOf, screenNames } from '@mozhan/admin/screens.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { BackOffice } from './admin.ts';

/** Replaces the build and returns the requested screen file as a preload. */
const backOffice = async (): Promise<BackOffice> => ({
  assets: (file = 'none') => ({
    entry: '/entry.js',
    boot: '/boot.js',
    css: [],
    entryImports: [],
    preload: [`/${file}.js`],
  }),
  transformHtml: async (_url, html) => html,
});

let t: TestApp;
let below: TestApp;
beforeAll(async () => {
  t = await startTestApp({ backOffice });
  below = await startTestApp({ backOffice, config: { basePath: '/blog' } });
});
afterAll(async () => {
  await t.close();
  await below.close();
});

const get = (url: string, app = t) => app.app.server.inject({ url });
const policyOf = async (url: string) => String((await get(url)).headers['content-security-policy']);

test.each(screenNames.map((name) => [pathOf(name), name]))(
  '%s returns the document with the code of its screen',
  async (path, file) => {
    const { statusCode, headers, body } = await get(`/admin${path}`);
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
    });
    expect(body).toContain('<div id="root"></div>');
    expect(body).toContain(`/src/screens/${file}.tsx.js`);
  },
);

test('an unknown URL returns the same document with status 404', async () => {
  for (const path of ['/nowhere', '/account/1', '/constructor', '/Account']) {
    const { statusCode, body, headers } = await get(`/admin${path}`);
    expect(statusCode, path).toBe(404);
    expect(body).toContain('<div id="root"></div>');
    expect(headers['cache-control']).toBe('no-store');
  }
});

test('redirects URLs with a missing or extra slash', async () => {
  expect((await get('/admin?from=mail')).headers.location).toBe('/admin/?from=mail');
  expect((await get('/admin/account/?page=2')).headers.location).toBe('/admin/account?page=2');
  expect((await get('/blog/admin', below)).headers.location).toBe('/blog/admin/');
  for (const url of ['/admin//evil.example/', '/admin///'])
    expect(new URL(String((await get(url)).headers.location), 'http://site.test').host).toBe('site.test');
  const many = '/'.repeat(8000);
  expect((await get(`/admin/account${many}?a=/`)).headers.location).toBe('/admin/account?a=/');
  expect((await get(`/admin/${many}b`)).statusCode).toBe(404);
});

test('allows scripted styles only with a nonce that is new for each document', async () => {
  const { headers, body } = await get('/admin/');
  const policy = String(headers['content-security-policy']);
  const nonce = /style-src 'self' 'nonce-([\w-]{20,})'/.exec(policy)?.[1];
  expect(body).toContain(`<meta property="csp-nonce" content="" nonce="${nonce}">`);
  expect(policy).toContain("script-src 'self';");
  expect(await policyOf('/admin/')).not.toBe(policy);
});

test('the document contains base path, title, logo and colour of the site', async () => {
  const token = await t.signInAdmin();
  const appearance = { title: '砚台 <b>', colorPrimary: '#1677ff', logo: '' };
  expect(await t.call('PUT core/sys/setting/', appearance, { token })).toMatchObject({ success: true });
  const { body } = await get('/admin/');
  const data = /id="data">(.*?)<\/script>/.exec(body)?.[1] ?? '';
  expect(JSON.parse(data)).toEqual({ basePath: '', ...appearance, isInMaintenance: false });
  expect(body).toContain('<title>砚台 &lt;b>后台</title>');
  expect(body.split('<b>')).toHaveLength(1);
  expect((await get('/blog/admin/user', below)).body).toContain('"basePath":"/blog"');
});

test('handles HEAD like GET and no other methods', async () => {
  const head = await t.app.server.inject({ method: 'HEAD', url: '/admin/account' });
  expect(head.statusCode).toBe(200);
  expect(head.headers['x-robots-tag']).toBe('noindex');
  expect(head.body).toBe('');
  expect((await t.app.server.inject({ method: 'POST', url: '/admin/account' })).statusCode).toBe(404);
});
