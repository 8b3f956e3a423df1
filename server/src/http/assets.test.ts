import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveAssets } from './assets.ts';

let app: FastifyInstance;
let folder: string;
const log: string[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mozhan-assets-'));
  for (const name of ['a-1.js', 'a-1.js.br', 'a-1.js.gz', 'b-2.woff2', 'notes.txt'])
    await writeFile(join(folder, name), `content of ${name}`);
  app = fastify({ logger: { level: 'warn', stream: { write: (line) => log.push(line) } } });
  // The page of the site is rendered.
  app.setNotFoundHandler(async (_request, reply) => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return reply.code(404).send('page');
  });
  await serveAssets(app, {
    folder,
    prefix: '/site/assets/',
    headers: { 'access-control-allow-origin': '*' },
  });
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

const request = (name: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  app.inject({ method, url: `/site/assets/${name}`, headers });

test.each([
  ['gzip, deflate, br', 'br', 'content of a-1.js.br'],
  ['gzip;q=0.5', 'gzip', 'content of a-1.js.gz'],
  ['br;q=0', undefined, 'content of a-1.js'],
  ['', undefined, 'content of a-1.js'],
])('accept-encoding %j gets the copy %j', async (accepted, encoding, body) => {
  const response = await request('a-1.js', { 'accept-encoding': accepted });
  expect(response.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    'access-control-allow-origin': '*',
    vary: 'accept-encoding',
  });
  expect(response.headers['content-encoding']).toBe(encoding);
  expect(response.headers['content-length']).toBe(String(body.length));
  expect(response.body).toBe(body);
  const again = await request('a-1.js', {
    'accept-encoding': accepted,
    'if-none-match': String(response.headers.etag),
  });
  expect([again.statusCode, again.body]).toEqual([304, '']);
});

test('each encoding has its own ETag', async () => {
  const etags = await Promise.all(
    ['br', 'gzip', ''].map(
      async (encoding) => (await request('a-1.js', { 'accept-encoding': encoding })).headers.etag,
    ),
  );
  expect(new Set(etags).size).toBe(3);
});

test('a file without copies is sent as it is, and HEAD gets only its headers', async () => {
  const font = await request('b-2.woff2', { 'accept-encoding': 'br' });
  expect([font.headers['content-type'], font.body]).toEqual(['font/woff2', 'content of b-2.woff2']);
  const head = await request('b-2.woff2', {}, 'HEAD');
  expect([head.statusCode, head.headers['content-length'], head.body]).toEqual([200, '20', '']);
});

test.each(['missing.js', 'A-1.js', 'a-1.js.br', 'notes.txt', '..%2fpackage.json', '%00.js', 'constructor'])(
  '%s is not found',
  async (name) => {
    const { statusCode, body } = await request(name);
    expect([statusCode, body]).toEqual([404, 'page']);
    expect(log).toEqual([]);
  },
);

test('a file that was deleted after the start is still sent once it was read', async () => {
  const name = 'c-3.css';
  await writeFile(join(folder, name), 'body{}');
  const other = fastify();
  await serveAssets(other, { folder, prefix: '/' });
  expect((await other.inject(`/${name}`)).body).toBe('body{}');
  await rm(join(folder, name));
  expect((await other.inject(`/${name}`)).body).toBe('body{}');
  await other.close();
});
