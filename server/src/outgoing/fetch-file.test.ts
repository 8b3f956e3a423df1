import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FetchOptions, fetchFile } from './fetch-file.ts';

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://old.test');
  if (pathname === '/ok') response.end('content');
  else if (pathname === '/to') response.writeHead(302, { location: searchParams.get('url') ?? '' }).end();
  else if (pathname === '/hops') {
    const left = Number(searchParams.get('left'));
    response.writeHead(301, { location: left === 0 ? '/ok' : `/hops?left=${left - 1}` }).end();
  } else if (pathname === '/slow') response.write('start');
  else if (pathname === '/endless') {
    const send = () => {
      while (!response.destroyed && response.write(Buffer.alloc(64 * 1024)));
    };
    response.on('drain', send);
    send();
  } else if (pathname === '/declared') response.writeHead(200, { 'content-length': '999999999' }).write('x');
  else if (pathname === '/empty') response.end();
  else if (pathname === '/upgrade')
    response.socket?.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: other\r\nconnection: upgrade\r\n\r\n');
  else if (pathname === '/hints') response.socket?.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1000));
  else if (pathname === '/crumbs')
    response.socket?.write(
      `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(50_000)}`,
    );
  else response.writeHead(Number(pathname.slice(1))).end();
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

const get = (url: string, options: Partial<FetchOptions> = {}) =>
  fetchFile(url, { maxBytes: 1024 * 1024, timeoutMs: 10_000, allowPrivate: true, ...options });
const describe = (url: string, options: Partial<FetchOptions> = {}) =>
  get(url, options).then(String, ({ message, isTemporary }) => [message, isTemporary]);

test('follows up to three redirects', async () => {
  expect(await describe(`${base}/ok`)).toBe('content');
  expect(await describe(`${base}/hops?left=2`)).toBe('content');
  expect(await describe(`${base}/hops?left=3`)).toEqual(['转了 3 次还没有取到', false]);
});

test('refuses private addresses and other schemes, also after a redirect', async () => {
  const refused = ['地址在本机或内网，没有取', false];
  expect(await describe(`${base}/ok`, { allowPrivate: false })).toEqual(refused);
  expect(await describe('http://localhost:1/', { allowPrivate: false })).toEqual(refused);
  expect(await describe('http://[::ffff:169.254.169.254]/', { allowPrivate: false })).toEqual(refused);
  const scheme = ['只能取 http 或 https 的地址', false];
  expect(await describe('file:///etc/passwd')).toEqual(scheme);
  expect(await describe(`${base}/to?url=file:///etc/passwd`)).toEqual(scheme);
  expect(await describe(`${base}/to?url=http://a:b@old.test/`)).toEqual([
    '地址里带有用户名或密码，没有取',
    false,
  ]);
  expect(await describe('not an address')).toEqual(['地址不正确', false]);
});

test('stops reading a body that is too large or too slow', async () => {
  expect(await describe(`${base}/endless`)).toEqual(['文件太大，最大 1 MB', false]);
  expect(await describe(`${base}/declared`)).toEqual(['文件太大，最大 1 MB', false]);
  expect(await describe(`${base}/slow`, { timeoutMs: 500 })).toEqual(['0.5 秒内没有取完', true]);
});

test('ends with a server that changes the protocol, announces its response without end, or sends single bytes', async () => {
  for (const path of ['/upgrade', '/hints', '/crumbs'])
    expect([path, await describe(`${base}${path}`)]).toEqual([path, ['对方的响应不正常', false]]);
});

test('tells temporary failures from permanent ones', async () => {
  expect(await describe(`${base}/404`)).toEqual(['对方响应 404', false]);
  expect(await describe(`${base}/503`)).toEqual(['对方响应 503', true]);
  expect(await describe(`${base}/429`)).toEqual(['对方响应 429', true]);
  expect(await describe(`${base}/empty`)).toEqual(['对方给的文件是空的', false]);
  expect(await describe('http://127.0.0.1:1/')).toEqual(['对方拒绝连接', true]);
});
