import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { portOf, startTestApp, type TestApp } from '../testing/app.ts';
import { createWriter } from '../testing/essays.ts';

let t: TestApp;
let port: number;
beforeAll(async () => {
  t = await startTestApp();
  await t.app.server.listen({ port: 0, host: '127.0.0.1' });
  port = portOf(t);
});
afterAll(() => t.close());

const MB = 1024 * 1024;
const JSON_TYPE = { 'content-type': 'application/json' };
const large = (bytes: number) => JSON.stringify({ account: 'a'.repeat(bytes) });

const send = (path: string, init: RequestInit & { duplex?: 'half' }) =>
  fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', ...init });

const inChunks = (chunks: number) =>
  new ReadableStream({
    pull(controller) {
      if (chunks-- > 0) controller.enqueue(Buffer.alloc(64 * 1024, ' '));
      else controller.close();
    },
  });

const chunked = (path: string, chunks: number, headers: Record<string, string>) =>
  send(path, { body: inChunks(chunks), duplex: 'half', headers });

async function expectRefused(response: Response, status: number, errorCode: string) {
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({
    success: false,
    errorCode,
    errorMessage: expect.stringMatching(/[一-鿿]/),
  });
}

/** Writes a request to a socket and reads the response until the end. */
async function exchange(head: string[], body: string | Buffer = ''): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const response = text(socket);
  socket.write(`${[...head, 'host: x', 'connection: close'].join('\r\n')}\r\n\r\n`);
  socket.write(body);
  return await response;
}

test('many parallel clients with large bodies all receive the 413 response', async () => {
  const body = large(3 * MB);
  const clients = Array.from({ length: 10 }, () => send('/api/core/user/', { body, headers: JSON_TYPE }));
  for (const response of await Promise.all(clients)) await expectRefused(response, 413, 'TOO_LARGE');
});

test('rejects a body of unknown length when it gets too large', async () => {
  const clients = Array.from({ length: 5 }, () => chunked('/api/core/user/', 40, JSON_TYPE));
  for (const response of await Promise.all(clients)) await expectRefused(response, 413, 'TOO_LARGE');
});

test('a client that requests to close the connection receives the response too', async () => {
  const body = large(3 * MB);
  const head = [
    'POST /api/core/user/ HTTP/1.1',
    'content-type: application/json',
    `content-length: ${body.length}`,
  ];
  const responses = await Promise.all(Array.from({ length: 5 }, () => exchange(head, body)));
  for (const response of responses) {
    expect(response).toMatch(/^HTTP\/1\.1 413 /);
    expect(response).toContain('TOO_LARGE');
  }
});

test.each([
  ['/api/core/essay/', 401, 'SIGN_IN_REQUIRED', JSON_TYPE],
  ['/api/core/nothing', 404, 'NOT_FOUND', JSON_TYPE],
  ['/api/core/site/', 405, 'METHOD_NOT_ALLOWED', JSON_TYPE],
  ['/api/core/user/', 415, 'UNSUPPORTED_TYPE', { 'content-type': 'application/xml' }],
  [
    '/api/core/minio/upload?kind=image',
    401,
    'SIGN_IN_REQUIRED',
    { 'content-type': 'multipart/form-data; boundary=x' },
  ],
] as const)('%s is refused with %i while a large body is under way', async (path, status, code, headers) => {
  const clients = [
    ...Array.from({ length: 2 }, () => send(path, { body: large(3 * MB), headers })),
    ...Array.from({ length: 2 }, () => chunked(path, 40, headers)),
  ];
  for (const response of await Promise.all(clients)) await expectRefused(response, status, code);
});

test('rejects unauthorised callers before reading the body', async () => {
  const head = ['POST /api/core/essay/ HTTP/1.1', 'content-type: application/json', 'content-length: 1000'];
  const socket = connect(port, '127.0.0.1');
  socket.write(`${[...head, 'host: x'].join('\r\n')}\r\n\r\n`);
  const [response] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  expect(response.toString()).toMatch(/^HTTP\/1\.1 401 /);
});

test('rejects a call whose session ends while the body is sent', async () => {
  const { token } = await t.register();
  const body = JSON.stringify({ displayName: '迟到的名字' });
  const socket = connect(port, '127.0.0.1');
  const response = text(socket);
  const head = [
    'PUT /api/core/user/ HTTP/1.1',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    `token: ${token}`,
  ];
  socket.write(`${[...head, 'host: x', 'connection: close'].join('\r\n')}\r\n\r\n`);
  // Waits until the request has been authorised; it would be rejected in any case.
  await sleep(300);
  await t.call('DELETE core/account/login', {}, { token });
  t.advance(11_000);
  socket.write(body);
  expect(await response).toMatch(/^HTTP\/1\.1 401 /);
});

test('rejects a wrong content-length at once', async () => {
  const socket = connect(port, '127.0.0.1');
  const head = [
    'POST /api/core/user/ HTTP/1.1',
    'content-type: application/json',
    'content-length: 99000000',
  ];
  socket.write(`${[...head, 'host: x'].join('\r\n')}\r\n\r\n{"account":`);
  const [response] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  expect(response.toString()).toMatch(/^HTTP\/1\.1 413 /);
});

test('rejects files over the size limit, with and without content-length', async () => {
  const { token } = await createWriter(t);
  const file = new Blob([Buffer.alloc(52 * MB)]);
  const form = new FormData();
  form.set('file', file, 'a.png');
  const known = await send('/api/core/minio/upload?kind=attachment', { body: form, headers: { token } });
  await expectRefused(known, 413, 'TOO_LARGE');
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(
        Buffer.from('--x\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n'),
      );
      for (let sent = 0; sent < 52; sent += 1) controller.enqueue(Buffer.alloc(MB));
      controller.enqueue(Buffer.from('\r\n--x--\r\n'));
      controller.close();
    },
  });
  const headers = { token, 'content-type': 'multipart/form-data; boundary=x' };
  const unknown = await send('/api/core/minio/upload?kind=attachment', { body, duplex: 'half', headers });
  await expectRefused(unknown, 413, 'TOO_LARGE');
});

test('reuses a connection after its body was rejected', async () => {
  const socket = connect(port, '127.0.0.1');
  const body = large(MB);
  let received = '';
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString();
  });
  socket.write(
    `POST /api/core/user/ HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
  await once(socket, 'close');
  expect(received).toMatch(/^HTTP\/1\.1 413 .*HTTP\/1\.1 200 .*"ok"/s);
});

test('accepts the longest essay of four-byte characters, but no body over the limit', async () => {
  const { token } = await createWriter(t);
  const headers = { ...JSON_TYPE, token };
  const preview = (content: string) =>
    send('/api/core/essay/preview', { headers, body: JSON.stringify({ content }) });
  const long = await preview('𠀀'.repeat(200_000));
  expect(long.status).not.toBe(413);
  await expectRefused(await preview('a'.repeat(MB)), 413, 'TOO_LARGE');
});

test('applies the rate limit before reading bodies, at any API URL', async () => {
  const limited = await startTestApp({ config: { rateLimit: true, trustProxy: false } });
  try {
    await limited.app.server.listen({ port: 0, host: '127.0.0.1' });
    const own = portOf(limited);
    // Starts at the beginning of a minute, so that the window does not end during the test.
    limited.advance(60_000 - (Date.now() % 60_000));
    const flood = Array.from({ length: 1200 }, () =>
      limited.app.server.inject({ method: 'GET', url: '/api/core/nothing' }),
    );
    await Promise.all(flood);
    const clients = Array.from({ length: 4 }, () =>
      fetch(`http://127.0.0.1:${own}/api/core/user/`, {
        method: 'POST',
        body: large(3 * MB),
        headers: JSON_TYPE,
      }),
    );
    for (const response of await Promise.all(clients)) {
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
      await expectRefused(response, 429, 'TOO_MANY_REQUESTS');
    }
  } finally {
    await limited.close();
  }
});

test('rejects URLs that are too long', async () => {
  const get = (url: string) => t.app.server.inject({ method: 'GET', url });
  const called = await get(`/api/core/site/?a=${'a'.repeat(9000)}`);
  expect(called.statusCode).toBe(414);
  expect(called.json()).toMatchObject({ errorCode: 'ADDRESS_TOO_LONG', errorMessage: '网址太长' });
  const page = await get(`/aa${'/'.repeat(9000)}b`);
  expect(page.statusCode).toBe(414);
  expect(page.body).toBe('网址太长');
  expect((await get(`/api/core/site/?a=${'a'.repeat(7000)}`)).statusCode).toBe(200);
});

test('rejects headers that are too large with a message', async () => {
  const response = await exchange(['GET /healthz HTTP/1.1', `x-a: ${'a'.repeat(200_000)}`]);
  expect(response).toMatch(/^HTTP\/1\.1 431 .*请求头太大/s);
});

test('rejects or ignores inputs of unexpected shapes', async () => {
  const post = (payload: string, type = 'application/json') =>
    t.app.server.inject({
      method: 'POST',
      url: '/api/core/account/login',
      payload,
      headers: { 'content-type': type },
    });
  const deep = `{"account":"a","password":"b","x":${'['.repeat(32_000)}${']'.repeat(32_000)}}`;
  const cases = [
    [deep, 400, 'MALFORMED'],
    [`${'['.repeat(65_000)}`, 400, 'MALFORMED'],
    [`{"account":{${Array.from({ length: 6000 }, (_, key) => `"${key}":1`).join()}}}`, 422, 'INVALID'],
    [`{"account":[${'1,'.repeat(9000)}1]}`, 422, 'INVALID'],
    [`{"account":[${'1,'.repeat(30_000)}1]}`, 400, 'MALFORMED'],
    ['{"constructor":{"prototype":{"x":1}}}', 400, 'MALFORMED'],
  ] as const;
  for (const [payload, status, errorCode] of cases) {
    const response = await post(payload);
    expect(response.statusCode).toBe(status);
    expect(response.json()).toMatchObject({ success: false, errorCode });
  }
  for (const form of ['a&'.repeat(30_000), 'account=1&'.repeat(6000), '__proto__=1&constructor=2&'])
    expect((await post(form, 'application/x-www-form-urlencoded')).statusCode).toBe(422);
});
