import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkLink } from './check-link.ts';
import { isPrivateHost } from './public-address.ts';

const asked: string[] = [];
const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://old.test');
  asked.push(pathname);
  if (pathname === '/to') response.writeHead(302, { location: searchParams.get('url') ?? '' }).end();
  else if (pathname === '/slow') response.socket?.pause();
  else if (pathname === '/endless') {
    const send = () => {
      while (!response.destroyed && response.write(Buffer.alloc(64 * 1024)));
    };
    response.on('drain', send);
    send();
  } else response.writeHead(Number(pathname.slice(1))).end();
});
let base: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** More than a server of the test needs on any machine. */
const TIMEOUT_MS = 30_000;

const check = async (url: string, allowPrivate = true, timeoutMs = TIMEOUT_MS) =>
  Object.values(await checkLink(url, { timeoutMs, allowPrivate }));

test('tells links that open from dead ones, and leaves the rest unknown', async () => {
  expect(await check(`${base}/200`)).toEqual(['ok', '']);
  expect(await check(`${base}/404`)).toEqual(['dead', '对方响应 404，页面不存在']);
  expect(await check(`${base}/410`)).toEqual(['dead', '对方响应 410，页面不存在']);
  expect(await check('http://127.0.0.1:1/')).toEqual(['dead', '对方拒绝连接']);
  expect(await check('not an address')).toEqual(['dead', '地址不正确']);
  for (const status of [401, 403, 405, 429, 500, 503])
    expect([status, await check(`${base}/${status}`)]).toEqual([status, ['unknown', '']]);
});

test('neither reads a body without end nor waits for a server that does not answer', async () => {
  expect(await check(`${base}/endless`)).toEqual(['ok', '']);
  expect(await check(`${base}/slow`, true, 500)).toEqual(['unknown', '']);
});

test('asks no private address, no other scheme and no unusual port', async () => {
  asked.length = 0;
  const isPrivate = ['dead', '地址在本机或内网，读者打不开'];
  for (const url of [
    'http://localhost/',
    'http://127.0.0.1/',
    'http://[::1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://0x7f000001/',
    'http://2130706433/',
    'http://169.254.169.254/latest/meta-data/',
    'http://service.internal/',
  ])
    expect([url, await check(url, false)]).toEqual([url, isPrivate]);
  expect(await check(`${base}/200`, false)).toEqual(['unknown', '']);
  for (const url of ['file:///etc/passwd', 'ftp://example.com/', 'http://user:secret@example.com/'])
    expect([url, await check(url, false)]).toEqual([url, ['unknown', '']]);
  expect(asked).toEqual([]);
});

test('does not follow a redirect into a private network', async () => {
  const to = (url: string) =>
    checkLink(`${base}/to?url=${encodeURIComponent(url)}`, {
      timeoutMs: TIMEOUT_MS,
      allowPrivate: true,
      isPrivate: (host) => host !== '127.0.0.1' && isPrivateHost(host),
    });
  expect(await to('file:///etc/passwd')).toEqual({ state: 'unknown', reason: '' });
  expect(await to(`${base}/200`)).toEqual({ state: 'ok', reason: '' });
});

test('does not tell a name of the private network from one that does not exist', async () => {
  // The name counts as public, so that it is looked up.
  const options = { timeoutMs: TIMEOUT_MS, allowPrivate: false, isPrivate: () => false };
  expect(await checkLink('http://localhost/', options)).toEqual({
    state: 'dead',
    reason: '找不到这个域名，或者它在内网',
  });
});

test('does not follow a redirect to an unusual port', async () => {
  // The port of the test server counts as a usual one.
  const { port } = new URL(base);
  const to = (url: string) =>
    checkLink(`${base}/to?url=${encodeURIComponent(url)}`, {
      timeoutMs: TIMEOUT_MS,
      allowPrivate: true,
      refusesPort: (each) => each !== port,
    });
  expect(await to(`${base}/200`)).toEqual({ state: 'ok', reason: '' });
  // A closed port would be reported as dead.
  expect(await to('http://127.0.0.1:1/')).toEqual({ state: 'unknown', reason: '' });
});
