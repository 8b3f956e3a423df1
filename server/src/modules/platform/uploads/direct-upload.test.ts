import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDb } from '../../../db/client.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter } from '../../../testing/essays.ts';
import { createPng } from '../../../testing/pictures.ts';
import { startTestS3, type TestS3 } from '../../../testing/s3.ts';
import { removeAbandonedUploads } from './actions/direct-upload.ts';
import { listAttachments } from './index.ts';

let s3: TestS3;
let t: TestApp;
let token: string;
let writer: string;
beforeAll(async () => {
  s3 = await startTestS3();
  t = await startTestApp({ config: { s3: s3.config } });
  token = (await t.register()).token;
  writer = (await createWriter(t)).token;
});
afterAll(async () => {
  await t.close();
  await s3.close();
});

const sign = (input: object, as: string | undefined = token) =>
  t.call('GET core/sys/oss/sign', { name: 'a.png', type: 'image/png', size: 100, ...input }, { token: as });
const done = (ticket: string | null, as: string | undefined = token) =>
  t.call('POST core/minio/done', { ticket }, { token: as });
const picture = () => createPng({ width: 1200, height: 800 });
const incoming = async () => {
  const { directUpload: direct } = t.app.services.files;
  await direct?.expire(new Date(0));
  return s3.requests.filter((seen) => seen.startsWith('DELETE /mozhan-test/incoming/')).length;
};

async function send(input: object, content: Buffer, as = token) {
  const { data } = await sign({ size: content.length, ...input }, as);
  const { method, url, headers } = data;
  const response = await fetch(url, { method, headers, body: new Uint8Array(content) });
  return { ticket: data.ticket, status: response.status };
}

test('re-encodes a picture that was uploaded to S3, and accepts its ticket once', async () => {
  const content = await picture();
  const { ticket, status } = await send({}, content);
  expect(status).toBe(200);
  const { data } = await done(ticket);
  expect(data).toMatchObject({ status: 'done', type: 'image', width: 1200 });
  const file = await t.app.server.inject(data.url);
  expect(file.statusCode).toBe(200);
  expect(file.headers).toMatchObject({
    'content-type': 'image/webp',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': expect.stringContaining('sandbox'),
  });
  expect(await sharp(file.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 1200 });
  const again = { 'if-none-match': String(file.headers.etag) };
  expect((await t.app.server.inject({ url: data.url, headers: again })).statusCode).toBe(304);
  expect(await incoming()).toBe(1);
  expect(await done(ticket)).toMatchObject({ status: 422, fields: { ticket: expect.any(String) } });
  expect(await readdir(join(t.app.services.config.dataDir, 'private/incoming'))).toEqual([]);
  for (const url of [data.url.replace(/.{10}\.webp/, '0123456789.webp'), '/files/ab/c.webp', '/files/'])
    expect((await t.app.server.inject(url)).statusCode).toBeGreaterThanOrEqual(400);
});

test('stores a directly uploaded attachment as a private file with its name', async () => {
  const content = Buffer.from('%PDF-1.7\n讲义');
  const given = { kind: 'attachment', name: '讲义.pdf', type: 'application/pdf' };
  const { ticket } = await send(given, content, writer);
  const { data } = await done(ticket, writer);
  expect(data).toMatchObject({ name: '讲义.pdf', type: 'application/pdf', bytes: content.length, path: '' });
  const [row] = await listAttachments(createDb(t.app.services.pool), ['id' in data ? data.id : '']);
  expect(row?.path).toMatch(/^\/private\//);
  expect((await t.app.services.files.readBuffer(row?.path ?? '')).equals(content)).toBe(true);
  expect((await fetch(`${s3.url}/mozhan-test${row?.path}`)).status).toBe(403);
});

test('S3 accepts only the announced size and type, and we accept only valid pictures', async () => {
  const { data } = await sign({ size: 5 });
  const put = (body: string, type = 'image/png') =>
    fetch(data.url, { method: 'PUT', headers: { 'content-type': type }, body });
  expect((await put('longer')).status).toBe(403);
  expect((await put('page!', 'text/html')).status).toBe(403);
  expect(await done(data.ticket)).toMatchObject({ status: 422 });
  expect((await put('hello')).status).toBe(200);
  const stranger = await t.register();
  expect(await done(data.ticket, stranger.token)).toMatchObject({ status: 422 });
  expect(await done(`${data.ticket}x`)).toMatchObject({ status: 422 });
  expect(await done('nonsense')).toMatchObject({ status: 422 });
  const refused = await done(data.ticket);
  expect(refused.errorMessage).toContain('无法识别的图片');
});

test('does not decompress a file with content-encoding gzip', async () => {
  const packed = gzipSync(Buffer.alloc(1024 * 1024));
  const { data } = await sign({ size: packed.length });
  const headers = { ...data.headers, 'content-encoding': 'gzip' };
  const sent = await fetch(data.url, { method: 'PUT', headers, body: new Uint8Array(packed) });
  expect(sent.status).toBe(200);
  const refused = await done(data.ticket);
  expect(refused.fields).toEqual({ ticket: '没有收到文件，请重新上传' });
});

test('rejects uploads without permission, too large or of another type before they are sent', async () => {
  expect((await t.call('GET core/sys/oss/sign', { name: 'a', type: 'image/png', size: 1 })).status).toBe(401);
  expect((await t.call('POST core/minio/done', { ticket: 'x' })).status).toBe(401);
  const refusals: [object, number][] = [
    [{ size: 10 * 1024 * 1024 + 1 }, 413],
    [{ type: 'image/svg+xml' }, 422],
    [{ type: 'nonsense' }, 422],
    [{ size: 0 }, 422],
    [{ name: '' }, 422],
    [{ kind: 'attachment', type: 'application/pdf' }, 403],
  ];
  for (const [input, status] of refusals) expect(await sign(input)).toMatchObject({ status });
  const large = { kind: 'attachment', type: 'application/pdf', size: 50 * 1024 * 1024 + 1 };
  expect(await sign(large, writer)).toMatchObject({ status: 413 });
});

test('deletes abandoned uploads and rejects expired tickets', async () => {
  const content = await picture();
  const { ticket } = await send({}, content);
  await removeAbandonedUploads(systemCtx(t.app.services));
  t.advance(2 * 60 * 60_000);
  expect(await done(ticket)).toMatchObject({ status: 410 });
  await t.app.services.files.directUpload?.expire(new Date(Date.now() + 1000));
  t.advance(-2 * 60 * 60_000);
  expect(await done(ticket)).toMatchObject({ status: 422 });
});

test('redirects to the public URL of the bucket', async () => {
  const publicUrl = `${s3.url}/public`;
  const open = await startTestApp({ sameDatabaseAs: t, config: { s3: { ...s3.config, publicUrl } } });
  const { ticket } = await send({}, await picture());
  const { data } = await open.call('POST core/minio/done', { ticket }, { token });
  expect(data.url).toBe(publicUrl + data.path);
  expect((await fetch(data.url)).headers.get('content-type')).toBe('image/webp');
  const led = await open.app.server.inject(data.path);
  expect([led.statusCode, led.headers.location]).toEqual([302, data.url]);
  const script = { url: data.path, headers: { 'sec-fetch-mode': 'cors' } };
  expect((await open.app.server.inject(script)).headers['content-type']).toBe('image/webp');
  const ifThere = async (url: string) => {
    const headers = { 'sec-fetch-mode': 'cors', 'if-none-match': '*' };
    return (await open.app.server.inject({ url, headers })).statusCode;
  };
  expect(await ifThere(data.path)).toBe(304);
  expect(await ifThere(data.path.replace(/\w{8}\.webp$/, '00000000.webp'))).toBe(410);
  const policy = (await open.app.server.inject('/healthz')).headers['content-security-policy'];
  expect(policy).toContain(`img-src 'self' data: blob: ${s3.url};`);
  await open.close();
});

test('returns our own upload URL without S3', async () => {
  const plain = await startTestApp({ config: { basePath: '/blog' } });
  const { token } = await plain.register();
  const given = { name: 'a.png', type: 'image/png', size: 100, kind: 'image' };
  const { data } = await plain.call('GET core/sys/oss/sign', given, { token });
  expect(data).toMatchObject({ method: 'POST', field: 'file', ticket: null });
  expect(data.url).toBe('/blog/api/core/minio/upload?kind=image');
  expect(await plain.call('POST core/minio/done', { ticket: 'x' }, { token })).toMatchObject({ status: 422 });
  await plain.close();
});
