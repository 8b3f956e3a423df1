import { execFileSync } from 'node:child_process';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createPicture, createPng, uploadPicture } from '../../../testing/pictures.ts';
import { uploadFile } from '../../../testing/uploads.ts';
import { SYSTEM_CALLER } from '../../../threads/fair-queue.ts';
import { processImage } from './images.ts';

let t: TestApp;
let token: string;
beforeAll(async () => {
  t = await startTestApp();
  token = (await t.register()).token;
});
afterAll(() => t.close());

const UPLOAD = 'core/minio/upload';
const upload = (content: Buffer) => uploadFile(t, UPLOAD, { name: 'a.png', content }, token);
const png = (width: number, height: number) => createPng({ width, height });

async function sendForm(payload: string, type = 'multipart/form-data; boundary=x'): Promise<number> {
  const headers = { token, 'content-type': type };
  const { statusCode } = await t.app.server.inject({
    method: 'POST',
    url: `/api/${UPLOAD}`,
    headers,
    payload,
  });
  return statusCode;
}

test('converts a picture to upright WebP without metadata, with a thumbnail', async () => {
  const photo = await createPicture({ width: 4000, height: 1000 })
    .withExif({ IFD0: { Copyright: 'secret place' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  const uploaded = await upload(photo);
  expect(uploaded).toMatchObject({
    success: true,
    data: { status: 'done', type: 'image', width: 640, height: 2560 },
  });
  const file = await t.app.server.inject(uploaded.data.url);
  expect(file.statusCode).toBe(200);
  expect(file.headers['cache-control']).toContain('immutable');
  expect(file.headers['content-type']).toBe('image/webp');
  expect(file.headers['content-security-policy']).toContain('sandbox');
  const info = await sharp(file.rawPayload).metadata();
  expect(info).toMatchObject({ format: 'webp', width: 640, height: 2560 });
  expect(info.exif).toBeUndefined();
  const thumb = await sharp((await t.app.server.inject(uploaded.data.thumbUrl)).rawPayload).metadata();
  expect(thumb.height).toBe(320);
  const middleOf = async (path: string) =>
    (await t.app.services.pool.query('select middle_path from uploads where path = $1', [path])).rows[0]
      .middle_path;
  const middle = await t.app.server.inject(await middleOf(uploaded.data.path));
  expect(await sharp(middle.rawPayload).metadata()).toMatchObject({ format: 'webp', height: 1080 });
  const small = await upload(await png(400, 300));
  expect(await middleOf(small.data.path)).toBeNull();
});

test('accepts an uploaded picture as head image of its owner only', async () => {
  const headImg = await uploadPicture(t, token);
  const response = await t.call('PUT core/user/', { headImg }, { token });
  expect(response.data.headImg).toBe(headImg);
  const stranger = await t.register();
  const stolen = await t.call('PUT core/user/', { headImg }, { token: stranger.token });
  expect(stolen).toMatchObject({ status: 422, fields: { headImg: expect.any(String) } });
});

test('rejects files that are not valid pictures', async () => {
  const whole = await png(800, 800);
  const cases: Record<string, Buffer> = {
    text: Buffer.from('hello'),
    script: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    program: Buffer.from('MZ\u0090\u0000program'),
    half: (
      await sharp(
        await sharp(Buffer.alloc(300 * 300 * 3, 'noise'), { raw: { width: 300, height: 300, channels: 3 } })
          .jpeg()
          .toBuffer(),
      )
        .jpeg()
        .toBuffer()
    ).subarray(0, 900),
    headOnly: whole.subarray(0, 40),
    empty: Buffer.alloc(0),
  };
  for (const [what, content] of Object.entries(cases)) {
    const { status, data } = await upload(content);
    expect({ what, status }).toEqual({ what, status: 422 });
    expect(data.fields.file).toMatch(/[一-鿿]/);
  }
});

test('rejects a decompression bomb before decoding it', async () => {
  const bomb = await createPng();
  bomb.writeUInt32BE(12_000, 16);
  bomb.writeUInt32BE(12_000, 20);
  bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29);
  const { status, errorMessage } = await upload(bomb);
  expect(status).toBe(422);
  expect(errorMessage).toContain('尺寸太大');
});

test('stops drawing an SVG that takes too much memory, and goes on with the next picture', async () => {
  const results = Array.from({ length: 100 }, (_, number) => `r${number}`);
  const filter = [
    ...results.map((result) => `<feOffset in="SourceGraphic" result="${result}"/>`),
    `<feMerge>${results.map((result) => `<feMergeNode in="${result}"/>`).join('')}</feMerge>`,
  ];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="7000" height="7000"><filter id="f">${filter.join('')}</filter><rect width="7000" height="7000" filter="url(#f)"/></svg>`;
  const job = { content: Buffer.from(svg), isGenerated: false, allowsSvg: true };
  await expect(processImage(SYSTEM_CALLER, job, 60_000)).rejects.toThrow('无法处理');
  expect((await upload(await png(40, 30))).success).toBe(true);
});

test('rejects 20 MB with status 413', async () => {
  const refused = await upload(Buffer.alloc(20 * 1024 * 1024, 1));
  expect(refused).toMatchObject({ status: 413, success: false, errorCode: 'TOO_LARGE' });
});

test('rejects a request without file, as JSON or without session', async () => {
  expect(await sendForm('\r\n--x--\r\n')).toBe(422);
  const json = await t.call('POST core/minio/upload', { file: 'x' }, { token });
  expect(json.status).toBe(422);
  const file = { name: 'a.png', content: await createPng() };
  expect((await uploadFile(t, UPLOAD, file, undefined)).status).toBe(401);
});

test('a crash of the worker rejects that picture only', async () => {
  const workers = () =>
    execFileSync('ps', ['-eo', 'pid,ppid,args'], { encoding: 'utf8' })
      .split('\n')
      .filter(
        (line) => line.includes('image-worker.ts') && line.trim().split(/\s+/)[1] === String(process.pid),
      )
      .map((line) => Number(line.trim().split(/\s+/)[0]));
  // Stops idle workers, so that the next kill hits the one that decodes the picture.
  for (const pid of workers()) process.kill(pid, 'SIGKILL');
  await expect.poll(workers, { interval: 10 }).toHaveLength(0);
  const large = upload(await png(7000, 7000));
  await expect.poll(workers, { interval: 10 }).toHaveLength(1);
  for (const pid of workers()) process.kill(pid, 'SIGKILL');
  const { status, errorMessage } = await large;
  expect(status).toBe(422);
  expect(errorMessage).toContain('无法处理');
  expect((await upload(await png(10, 10))).status).toBe(200);
});

test('does not serve files outside of the public folder', async () => {
  for (const url of [
    '/files/../pg/PG_VERSION',
    '/files/%2e%2e/pg/PG_VERSION',
    '/files/..%2f..%2fetc%2fpasswd',
    '/files/',
  ]) {
    expect((await t.app.server.inject(url)).statusCode).toBeGreaterThanOrEqual(400);
  }
});

test('a killed idle worker fails at most one picture', async () => {
  const small = await png(10, 10);
  await upload(small);
  const pids = execFileSync('ps', ['-eo', 'pid,ppid,args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes('image-worker.ts') && line.trim().split(/\s+/)[1] === String(process.pid))
    .map((line) => Number(line.trim().split(/\s+/)[0]));
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  expect([200, 422]).toContain((await upload(small)).status);
  expect((await upload(small)).status).toBe(200);
});

test('rejects a wrong field, two files and an incomplete form', async () => {
  const part = (name: string) =>
    `--x\r\nContent-Disposition: form-data; name="${name}"; filename="a.png"\r\nContent-Type: image/png\r\n\r\ndata\r\n`;
  expect(await sendForm(`${part('picture')}--x--\r\n`)).toBe(422);
  expect(await sendForm(`${part('file')}${part('file')}--x--\r\n`)).toBe(422);
  expect(await sendForm(part('file'))).toBe(400);
  expect(await sendForm('anything', 'multipart/form-data')).toBe(400);
});

test('processes pictures of different users in turn', async () => {
  const content = await png(40, 40);
  const order: string[] = [];
  const read = (key: string) =>
    processImage({ key, signal: null }, { content, isGenerated: false }).then(() => order.push(key));
  await Promise.all([...Array.from({ length: 4 }, () => read('a')), read('b')]);
  expect(order).toEqual(['a', 'b', 'a', 'a', 'a']);
});
