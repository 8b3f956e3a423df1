import { afterAll, beforeAll, test } from 'vitest';
import { systemCtx } from '../../jobs.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { times } from './history.ts';
import { fillDemo } from './index.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());
test('x', { timeout: 120000 }, async () => {
  const s = performance.now();
  await fillDemo(systemCtx(t.app.services));
  console.log('total', performance.now() - s, times);
});
