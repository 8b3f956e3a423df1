import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { fetchFile } from './fetch-file.ts';
import { isPrivateHost } from './public-address.ts';

test('checks the name or literal address of every redirect', async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://old.test');
    asked.push(url.pathname);
    const location = url.searchParams.get('to');
    if (location === null) response.end('content');
    else response.writeHead(302, { location }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const get = (to: string) =>
    fetchFile(`http://127.0.0.1:${port}/start?to=${encodeURIComponent(to)}`, {
      maxBytes: 1000,
      timeoutMs: 10_000,
      allowPrivate: false,
      // One literal address counts as public, so that a redirect away from a public host can be tested.
      isPrivate: (host) => host !== '127.0.0.1' && isPrivateHost(host),
    }).then(String, ({ message }) => message);
  try {
    expect(await get('/inside')).toBe('content');
    asked.length = 0;
    for (const to of [
      `http://localhost:${port}/secret`,
      `http://127.0.0.2:${port}/secret`,
      `http://[::ffff:7f00:1]:${port}/secret`,
      'http://169.254.169.254/latest/meta-data/',
      `//10.0.0.1:${port}/secret`,
    ])
      expect([to, await get(to)]).toEqual([to, '地址在本机或内网，没有取']);
    expect(new Set(asked)).toEqual(new Set(['/start']));
  } finally {
    server.close();
  }
});
