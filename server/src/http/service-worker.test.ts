import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { createTestSite } from '../testing/site.ts';
import type { Site } from './pages.ts';

const siteInDevelopment = createTestSite(async () => ({ status: 404, html: '<h1>没有这一页</h1>' }));
/** Like a built site; the worker's text depends on the settings. */
const site: Site = {
  ...siteInDevelopment,
  createServiceWorker: ({ pwa, title }) => `/* ${pwa ? title : 'off'} */`,
};

let one: TestApp;
let below: TestApp;
beforeAll(async () => {
  one = await startTestApp({ site: async () => site });
  below = await startTestApp({
    site: async () => site,
    sameDatabaseAs: one,
    config: { basePath: '/blog' },
  });
});
afterAll(async () => {
  await below.close();
  await one.close();
});

const fetchWorker = ({ app }: TestApp, headers: Record<string, string> = {}) =>
  app.server.inject({ url: `${app.services.config.basePath}/service-worker.js`, headers });

test('is revalidated on every request and applies to the entire site', async () => {
  const response = await fetchWorker(one);
  expect(response.statusCode).toBe(200);
  expect(response.headers['content-type']).toBe('text/javascript; charset=utf-8');
  expect(response.headers['cache-control']).toBe('no-cache');
  expect(response.headers['service-worker-allowed']).toBe('/');
  expect((await fetchWorker(below)).headers['service-worker-allowed']).toBe('/blog/');
});

test('depends on the settings, in every process', async () => {
  const token = await one.signInAdmin();
  const off = await fetchWorker(one);
  expect(off.body).toBe('/* off */');
  await one.call('PUT core/sys/setting/', { pwa: true, title: '砚边' }, { token });
  const on = await fetchWorker(one);
  expect(on.body).toBe('/* 砚边 */');
  expect((await fetchWorker(below)).body).toBe('/* 砚边 */');

  const same = await fetchWorker(one, { 'if-none-match': String(on.headers.etag) });
  expect(same.statusCode).toBe(304);
  expect((await fetchWorker(one, { 'if-none-match': String(off.headers.etag) })).statusCode).toBe(200);
  await one.call('PUT core/sys/setting/', { pwa: false }, { token });
  expect((await fetchWorker(one)).body).toBe('/* off */');
});

test('is not served in development', async () => {
  const app = await startTestApp({ site: async () => siteInDevelopment, sameDatabaseAs: one });
  expect((await fetchWorker(app)).statusCode).toBe(404);
  await app.close();
});
