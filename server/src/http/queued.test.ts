import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import { Piscina } from 'piscina';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { portOf, startTestApp, type TestApp } from '../testing/app.ts';
import { createWriter } from '../testing/essays.ts';

let t: TestApp;
let url: string;
beforeAll(async () => {
  t = await startTestApp({ timeoutMs: 5000 });
  await t.app.server.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${portOf(t)}`;
});
afterAll(() => t.close());

interface Started {
  markdown: string;
  signal: AbortSignal;
  end: () => void;
}

/** Preview jobs given to threads; each runs until the test ends it or it is aborted. */
let started: Started[] = [];
beforeAll(() => {
  vi.spyOn(Piscina.prototype, 'run').mockImplementation(
    ({ markdown }, options) =>
      new Promise((resolve, reject) => {
        const signal = options?.signal as AbortSignal;
        signal.addEventListener('abort', () => reject(new Error('aborted')));
        const end = () => resolve({ rendered: { sections: [], toc: [], wordCount: 1, readMinutes: 1 } });
        started.push({ markdown, signal, end });
      }),
  );
  return () => vi.mocked(Piscina.prototype.run).mockRestore();
});
beforeEach(() => {
  started = [];
});

const preview = (token: string, content: string) =>
  fetch(`${url}/api/core/essay/preview`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', token },
    body: JSON.stringify({ content }),
  });

const isStarted = (markdown: string) =>
  vi.waitFor(() => {
    const found = started.find((each) => each.markdown === markdown);
    if (found === undefined) throw new Error(`${markdown} has not started`);
    return found;
  }, 120_000);

test('a call times out after its body was read, and its queued job is removed', async () => {
  const { token } = await createWriter(t);
  const first = preview(token, '甲');
  const running = await isStarted('甲');
  const second = preview(token, '乙');
  for (const response of await Promise.all([first, second])) {
    expect(response.status).toBe(504);
    expect(await response.json()).toMatchObject({
      success: false,
      errorCode: 'TIMEOUT',
      errorMessage: '处理超时，请稍后再试',
    });
  }
  await expect.poll(() => running.signal.aborted).toBe(true);
  // Another user, because the caller of an aborted job is paused.
  const other = preview((await createWriter(t)).token, '丙');
  (await isStarted('丙')).end();
  expect((await other).status).toBe(200);
  expect(started.map(({ markdown }) => markdown)).toEqual(['甲', '丙']);
});

/** Sends a preview and resolves when the server has received all of it. */
async function send(
  token: string,
  content: string,
): Promise<{ client: ClientRequest; disconnected: Promise<unknown> }> {
  const arrived = once(t.app.server.server, 'request');
  const client = request(`${url}/api/core/essay/preview`, {
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/json', token },
  });
  client.on('error', () => {});
  client.end(JSON.stringify({ content }));
  const [incoming] = await arrived;
  await once(incoming, 'end');
  return { client, disconnected: once(incoming.socket, 'close') };
}

test('a queued job is removed when its client disconnects', async () => {
  const { token } = await createWriter(t);
  const first = preview(token, '甲');
  const running = await isStarted('甲');
  const { client, disconnected } = await send(token, '乙');
  client.destroy();
  await disconnected;
  running.end();
  expect((await first).status).toBe(200);
  const last = preview(token, '丙');
  (await isStarted('丙')).end();
  expect((await last).status).toBe(200);
  expect(started.map(({ markdown }) => markdown)).toEqual(['甲', '丙']);
});

test('a running job is aborted when its client disconnects', async () => {
  const { token } = await createWriter(t);
  const { client } = await send(token, '甲');
  const running = await isStarted('甲');
  client.destroy();
  await expect.poll(() => running.signal.aborted).toBe(true);
});

test('rejects only the writer who has too many waiting previews', async () => {
  const [{ token }, other] = [await createWriter(t), await createWriter(t)];
  const responses = Array.from({ length: 6 }, (_, at) => preview(token, `第 ${at}`));
  const others = preview(other.token, '别人的');
  const refused = (await Promise.all(responses)).filter(({ status }) => status === 429);
  expect(refused).toHaveLength(2);
  expect((await others).status).not.toBe(429);
  expect(refused[0]?.headers.get('retry-after')).toBe('5');
  expect(await refused[0]?.json()).toMatchObject({
    errorCode: 'TOO_MANY_REQUESTS',
    errorMessage: '你前面提交的还没有处理完，请稍后再试',
  });
});
