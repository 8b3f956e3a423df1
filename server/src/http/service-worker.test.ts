import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { siteOf } from '../testing/site.ts';
import type { Site } from './pages.ts';

const siteInDevelopment = siteOf(async () => ({ status: 404, html: '<h1>没有这一页</h1>' }));
/** As a built site, which says in its worker what it was made for. */
const site: Site = {
  ...siteInDevelopment,
  worker: ({ pwa, title }) => `/* ${pwa ? title : 'off'} */`,
};

let one: TestApp;
let below: TestApp;
beforeAll(async () => {
  one = await startTestApp({ site: async () => site });
  below = await startTestApp({
    site: async () => site,
    beside: one,
    config: { basePath: '/blog' },
  });
});
afterAll(async () => {
  await below.close();
  await one.close();
});

const ask = ({ app }: TestApp, headers: Record<string, string> = {}) =>
  app.server.inject({ url: `${app.services.config.basePath}/service-worker.js`, headers });

test('browsers ask for it again every time, and may use it for the whole site', async () => {
  const answer = await ask(one);
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['content-type']).toBe('text/javascript; charset=utf-8');
  expect(answer.headers['cache-control']).toBe('no-cache');
  expect(answer.headers['service-worker-allowed']).toBe('/');
  expect((await ask(below)).headers['service-worker-allowed']).toBe('/blog/');
});

test('it follows the settings, in every process', async () => {
  const token = await one.signInAdmin();
  const off = await ask(one);
  expect(off.body).toBe('/* off */');
  await one.call('PUT core/sys/setting/', { pwa: true, title: '砚边' }, { token });
  const on = await ask(one);
  expect(on.body).toBe('/* 砚边 */');
  expect((await ask(below)).body).toBe('/* 砚边 */');

  const same = await ask(one, { 'if-none-match': String(on.headers.etag) });
  expect(same.statusCode).toBe(304);
  expect((await ask(one, { 'if-none-match': String(off.headers.etag) })).statusCode).toBe(200);
  await one.call('PUT core/sys/setting/', { pwa: false }, { token });
  expect((await ask(one)).body).toBe('/* off */');
});

test('while developing there is none', async () => {
  const app = await startTestApp({ site: async () => siteInDevelopment, beside: one });
  expect((await ask(app)).statusCode).toBe(404);
  await app.close();
});
