import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { createStrain, pressure } from './pressure.ts';

const LATE = 3000;

test('requests are refused while the process stays behind, not after one pause', async () => {
  const strain = createStrain();
  const app = Fastify();
  pressure(app, '/blog', strain);
  app.get('/*', async () => 'here');
  const status = async (url = '/blog/home') => (await app.inject(url)).statusCode;

  strain.note(LATE);
  expect(await status()).toBe(200);
  strain.note(LATE);
  expect(await status()).toBe(503);
  expect(await status('/blog/assets/page.js')).toBe(200);
  expect(await status('/blog/admin/assets/screen.js')).toBe(200);
  strain.note(10);
  expect(await status()).toBe(200);
  await app.close();
});
