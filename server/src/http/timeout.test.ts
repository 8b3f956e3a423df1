import { once } from 'node:events';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import fastify from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requestTimeout } from './timeout.ts';

const LIMIT_MS = 100;

const app = fastify();
let url: string;
/** Why requests ended before they were answered. */
const ended: unknown[] = [];
beforeAll(async () => {
  requestTimeout(app, LIMIT_MS);
  app.get('/slow-line', (_request, reply) =>
    reply.send(
      Readable.from(
        (async function* () {
          yield '前一半，';
          await sleep(3 * LIMIT_MS);
          yield '后一半';
        })(),
      ),
    ),
  );
  app.get('/slow-work', async (request) => {
    await once(request.ended, 'abort');
    ended.push(request.ended.reason);
  });
  url = await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app.close());

test('an answer that is under way is never cut, however slow it is', async () => {
  expect(await (await fetch(`${url}/slow-line`)).text()).toBe('前一半，后一半');
});

test('work that takes too long is answered, and told to stop', async () => {
  expect((await fetch(`${url}/slow-work`)).status).toBe(504);
  expect(ended).toMatchObject([{ code: 'TIMEOUT' }]);
});
