import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../testing/app.ts';

let plain: TestApp;
let secure: TestApp;
beforeAll(async () => {
  plain = await startTestApp();
  secure = await startTestApp({ sameDatabaseAs: plain, config: { siteUrl: 'https://site.test' } });
});
afterAll(async () => {
  await secure.close();
  await plain.close();
});

test.each(['/api/core/site/', '/api/core/nothing', '/healthz', '/%'])(
  'sends HSTS only on an HTTPS site: %s',
  async (url) => {
    const headersOf = async (t: TestApp) => (await t.app.server.inject({ method: 'GET', url })).headers;
    expect((await headersOf(secure))['strict-transport-security']).toBe('max-age=31536000');
    expect(await headersOf(plain)).not.toHaveProperty('strict-transport-security');
  },
);
