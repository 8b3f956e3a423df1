import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { TIME_LIMIT_FACTOR } from '../config/time-limits.ts';
import { createOverloadDetector, registerOverloadProtection } from './overload.ts';

const DELAY_MS = 3000 * TIME_LIMIT_FACTOR;

test('rejects requests while the process is overloaded, but not after a single pause', async () => {
  const detector = createOverloadDetector();
  const app = Fastify();
  registerOverloadProtection(app, '/blog', detector);
  app.get('/*', async () => 'here');
  const status = async (url = '/blog/home') => (await app.inject(url)).statusCode;

  detector.addSample(DELAY_MS);
  expect(await status()).toBe(200);
  detector.addSample(DELAY_MS);
  expect(await status()).toBe(503);
  expect(await status('/blog/assets/page.js')).toBe(200);
  expect(await status('/blog/admin/assets/screen.js')).toBe(200);
  detector.addSample(10);
  expect(await status()).toBe(200);
  await app.close();
});
