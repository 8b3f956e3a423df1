import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { createTestSite } from '../testing/site.ts';

let t: TestApp;
beforeAll(async () => {
  const site = createTestSite(async () => ({ status: 200, html: '' }));
  t = await startTestApp({ site: async () => ({ ...site, diagram: '/assets/diagram.js' }) });
});
afterAll(() => t.close());

test('the document of diagrams runs only its script, without an origin, and only in frames of this site', async () => {
  const { headers, body } = await t.app.server.inject('/diagram.html');
  expect(body).toContain('<script type="module" src="/assets/diagram.js" crossorigin></script>');
  const policy = Object.fromEntries(
    String(headers['content-security-policy'])
      .split('; ')
      .map((directive) => directive.split(/ (.*)/).slice(0, 2)),
  );
  expect(policy).toEqual({
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'unsafe-inline'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'self'",
    sandbox: 'allow-scripts',
  });
  expect(headers['x-frame-options']).toBe('SAMEORIGIN');
});
