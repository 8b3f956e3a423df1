import { once } from 'node:events';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import fastify from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { registerRequestTimeout } from './timeout.ts';

/** Long enough for the first line on any machine. */
const LIMIT_MS = 1000;

const app = fastify();
let url: string;
const abortReasons: unknown[] = [];
beforeAll(async () => {
  registerRequestTimeout(app, LIMIT_MS);
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
    abortReasons.push(request.ended.reason);
  });
  url = await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app.close());

test('does not abort a response that is being sent, however slow it is', async () => {
  expect(await (await fetch(`${url}/slow-line`)).text()).toBe('前一半，后一半');
});

test('responds to a request that takes too long and aborts its work', async () => {
  expect((await fetch(`${url}/slow-work`)).status).toBe(504);
  expect(abortReasons).toMatchObject([{ code: 'TIMEOUT' }]);
});
