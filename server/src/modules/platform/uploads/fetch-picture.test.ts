import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Viewer } from '../../../ctx.ts';
import { systemCtx } from '../../../jobs.ts';
import { isPrivateHost } from '../../../outgoing/public-address.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter } from '../../../testing/essays.ts';
import { createPng } from '../../../testing/pictures.ts';
import { createStaff } from '../../../testing/staff.ts';
import { fetchRemotePicture } from './actions/fetch-picture.ts';

let png: Buffer;
const asked: string[] = [];
const host = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://pictures.test');
  asked.push(url.pathname);
  if (url.pathname === '/a.png') response.end(png);
  else if (url.pathname === '/moved') response.writeHead(302, { location: '/a.png' }).end();
  else if (url.pathname === '/to')
    response.writeHead(302, { location: url.searchParams.get('url') ?? '' }).end();
  else if (url.pathname === '/huge') response.end(Buffer.alloc(10 * 1024 * 1024 + 1));
  else if (url.pathname === '/slow') response.writeHead(200).write('GIF89a');
  else if (url.pathname === '/page')
    response.writeHead(200, { 'content-type': 'image/png' }).end('<html>no picture</html>');
  else response.writeHead(403).end();
});

let t: TestApp;
let guarded: TestApp;
let base: string;
beforeAll(async () => {
  png = await createPng();
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
  t = await startTestApp({ config: { fetchAllowPrivate: true } });
  // What webhooks of staff may reach is not open to writers.
  guarded = await startTestApp({ config: { webhookAllowPrivate: true, rateLimit: true } });
});
afterAll(async () => {
  await t.close();
  await guarded.close();
  host.closeAllConnections();
  host.close();
});

const fetchAs = (token: string | undefined, url: string, app = t) =>
  app.call('POST core/minio/fetch', { url }, { token });
const countUploads = async (app: TestApp, userId: string): Promise<number> =>
  (
    await app.app.services.pool.query('select count(*)::int as count from uploads where user_id = $1', [
      userId,
    ])
  ).rows[0].count;

test('stores a picture of another host as an upload of the writer, also after a redirect', async () => {
  const { token, user } = await createWriter(t);
  const fetched = await fetchAs(token, `${base}/a.png`);
  expect(fetched).toMatchObject({ success: true, data: { type: 'image', width: 60, height: 40 } });
  expect(fetched.data.path).toMatch(/^\/files\/\S+\.webp$/);
  expect((await t.app.server.inject(fetched.data.url)).headers['content-type']).toBe('image/webp');
  expect((await fetchAs(token, `${base}/moved`)).data.path).toBe(fetched.data.path);
  expect(await countUploads(t, user.id)).toBe(2);
});

test('anonymous visitors, readers and other staff are refused; staff who edit essays or pages are not', async () => {
  asked.length = 0;
  expect((await fetchAs(undefined, `${base}/a.png`)).status).toBe(401);
  expect(await fetchAs((await t.register()).token, `${base}/a.png`)).toMatchObject({
    status: 403,
    errorMessage: expect.stringContaining('作者'),
  });
  expect((await fetchAs((await createStaff(t, ['comment:list'])).token, `${base}/a.png`)).status).toBe(403);
  expect(asked).toEqual([]);
  for (const permission of ['essay:edit', 'page:update'] as const)
    expect((await fetchAs((await createStaff(t, [permission])).token, `${base}/a.png`)).success).toBe(true);
});

test('refuses private addresses and other protocols without a request', async () => {
  const { token, user } = await createWriter(guarded);
  asked.length = 0;
  for (const url of [
    `${base}/a.png`,
    'http://localhost/a.png',
    'http://2130706433/a.png',
    'http://[::1]/a.png',
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1/a.png',
    'file:///etc/passwd',
    'ftp://example.com/a.png',
    'http://user:secret@example.com/a.png',
    'not an address',
  ]) {
    const { status, errorMessage } = await fetchAs(token, url, guarded);
    expect({ url, status }).toEqual({ url, status: 422 });
    expect(errorMessage).toMatch(/没有取|只能取|地址/);
  }
  expect((await fetchAs(token, `http://example.com/${'a'.repeat(2000)}`, guarded)).status).toBe(422);
  expect(asked).toEqual([]);
  expect(await countUploads(guarded, user.id)).toBe(0);
});

test('refuses a redirect to a private address', async () => {
  const { user } = await createWriter(guarded);
  const viewer = { id: user.id } as Viewer;
  const ctx = systemCtx(guarded.app.services);
  // The test server counts as public, so that a redirect away from a public host can be tested.
  const isPrivate = (name: string) => name !== '127.0.0.1' && isPrivateHost(name);
  for (const to of ['http://169.254.169.254/latest/meta-data/', 'http://localhost/a.png', '//10.0.0.1/a.png'])
    await expect(
      fetchRemotePicture(ctx, viewer, `${base}/to?url=${encodeURIComponent(to)}`, {
        isPrivate,
        refusesPort: () => false,
      }),
    ).rejects.toThrow('地址在本机或内网');
  await expect(
    fetchRemotePicture(ctx, viewer, 'http://localhost/a.png', { isPrivate: () => false }),
  ).rejects.toThrow('找不到这个域名，或者它在内网');
  const { port } = new URL(base);
  await expect(
    fetchRemotePicture(ctx, viewer, `${base}/to?url=${encodeURIComponent('http://127.0.0.1:1/a.png')}`, {
      isPrivate,
      refusesPort: (each) => each !== port,
    }),
  ).rejects.toThrow('只能取 80 或 443 端口');
});

test('refuses what is too large, too slow, forbidden or no picture, and stores nothing', async () => {
  const { token, user } = await createWriter(t);
  for (const [path, message] of [
    ['huge', '最大 10 MB'],
    ['missing', '对方响应 403'],
    ['page', '图片'],
  ])
    expect(await fetchAs(token, `${base}/${path}`)).toMatchObject({
      status: 422,
      errorMessage: expect.stringContaining(message ?? ''),
    });
  const viewer = { id: user.id } as Viewer;
  await expect(
    fetchRemotePicture(systemCtx(t.app.services), viewer, `${base}/slow`, { timeoutMs: 500 }),
  ).rejects.toThrow('0.5 秒内没有取完');
  expect(await countUploads(t, user.id)).toBe(0);
});

test('counts against the quota of the user and does not fetch when it is used up', async () => {
  const { token, user } = await createWriter(t);
  await t.app.services.pool.query(
    'insert into upload_totals (user_id, image_bytes, image_quota) values ($1, $2, 1)',
    [user.id, 1024 * 1024 + 1],
  );
  asked.length = 0;
  expect(await fetchAs(token, `${base}/a.png`)).toMatchObject({
    status: 413,
    errorMessage: expect.stringContaining('空间不够'),
  });
  expect(asked).toEqual([]);
});

test('limits how many pictures a user may have fetched', async () => {
  const { token } = await createWriter(guarded);
  const options = { token, address: '203.0.113.9' };
  const statuses: number[] = [];
  for (let i = 0; i < 121; i += 1) {
    const { status } = await guarded.call(
      'POST core/minio/fetch',
      { url: 'http://localhost/a.png' },
      options,
    );
    statuses.push(status);
  }
  expect(statuses.filter((status) => status === 422)).toHaveLength(120);
  expect(statuses.at(-1)).toBe(429);
});
