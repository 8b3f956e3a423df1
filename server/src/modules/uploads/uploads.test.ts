import { execFileSync } from 'node:child_process';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { readImage } from './images.ts';

let t: TestApp;
let token: string;
beforeAll(async () => {
  t = await startTestApp();
  token = (await t.register()).token;
});
afterAll(() => t.close());

async function upload(content: Buffer | null, headers: Record<string, string> = { token }) {
  const boundary = 'x-boundary';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n`;
  const response = await t.app.server.inject({
    method: 'POST',
    url: '/api/core/minio/upload',
    headers: { ...headers, 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload: Buffer.concat([
      Buffer.from(content === null ? '' : head),
      content ?? Buffer.alloc(0),
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]),
  });
  return { status: response.statusCode, body: response.json() };
}

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#ff6968' } });

test('a picture comes back as WebP with a thumbnail, without metadata, turned upright', async () => {
  const photo = await picture(4000, 1000)
    .withExif({ IFD0: { Copyright: 'secret place' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  const { body } = await upload(photo);
  expect(body).toMatchObject({
    success: true,
    data: { status: 'done', type: 'image', width: 640, height: 2560 },
  });
  const file = await t.app.server.inject(body.data.url);
  expect(file.statusCode).toBe(200);
  expect(file.headers['cache-control']).toContain('immutable');
  expect(file.headers['content-type']).toBe('image/webp');
  expect(file.headers['content-security-policy']).toContain('sandbox');
  const info = await sharp(file.rawPayload).metadata();
  expect(info).toMatchObject({ format: 'webp', width: 640, height: 2560 });
  expect(info.exif).toBeUndefined();
  const thumb = await sharp((await t.app.server.inject(body.data.thumbUrl)).rawPayload).metadata();
  expect(thumb.height).toBe(320);
  const middleOf = async (path: string) =>
    (await t.app.services.pool.query('select middle_path from uploads where path = $1', [path])).rows[0]
      .middle_path;
  const middle = await t.app.server.inject(await middleOf(body.data.path));
  expect(await sharp(middle.rawPayload).metadata()).toMatchObject({ format: 'webp', height: 1080 });
  const small = await upload(await picture(400, 300).png().toBuffer());
  expect(await middleOf(small.body.data.path)).toBeNull();
});

test('an uploaded picture becomes the head image', async () => {
  const { body } = await upload(await picture(200, 200).png().toBuffer());
  const answer = await t.call('PUT core/user/', { headImg: body.data.path }, { token });
  expect(answer.data.headImg).toBe(body.data.path);
  const stranger = await t.register();
  const stolen = await t.call('PUT core/user/', { headImg: body.data.path }, { token: stranger.token });
  expect(stolen).toMatchObject({ status: 422, fields: { headImg: expect.any(String) } });
});

test('what is no picture is refused', async () => {
  const whole = await picture(800, 800).png().toBuffer();
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
    const { status, body } = await upload(content);
    expect({ what, status }).toEqual({ what, status: 422 });
    expect(body.data.fields.file).toMatch(/[一-鿿]/);
  }
});

test('a decompression bomb is refused before it is unpacked', async () => {
  const bomb = await picture(12_000, 12_000).png({ compressionLevel: 9 }).toBuffer();
  expect(bomb.length).toBeLessThan(1_000_000);
  const { status, body } = await upload(bomb);
  expect(status).toBe(422);
  expect(body.errorMessage).toContain('尺寸太大');
});

test('twenty megabytes are 413', async () => {
  const { status, body } = await upload(Buffer.alloc(20 * 1024 * 1024, 1));
  expect(status).toBe(413);
  expect(body).toMatchObject({ success: false, errorCode: 'TOO_LARGE' });
});

test('no file, another form and no sign-in are refused', async () => {
  expect((await upload(null)).status).toBe(422);
  const json = await t.call('POST core/minio/upload', { file: 'x' }, { token });
  expect(json.status).toBe(422);
  expect((await upload(await picture(10, 10).png().toBuffer(), {})).status).toBe(401);
});

test('a crash while a picture is unpacked refuses that picture, and the next one works', async () => {
  const workers = () =>
    execFileSync('ps', ['-eo', 'pid,ppid,args'], { encoding: 'utf8' })
      .split('\n')
      .filter(
        (line) => line.includes('image-worker.ts') && line.trim().split(/\s+/)[1] === String(process.pid),
      )
      .map((line) => Number(line.trim().split(/\s+/)[0]));
  // One that waits for work would be killed before it has any.
  for (const pid of workers()) process.kill(pid, 'SIGKILL');
  await expect.poll(workers, { interval: 10 }).toHaveLength(0);
  const large = upload(await picture(7000, 7000).png().toBuffer());
  await expect.poll(workers, { interval: 10 }).toHaveLength(1);
  for (const pid of workers()) process.kill(pid, 'SIGKILL');
  const { status, body } = await large;
  expect(status).toBe(422);
  expect(body.errorMessage).toContain('无法处理');
  expect((await upload(await picture(10, 10).png().toBuffer())).status).toBe(200);
});

test('nothing outside the folder of files is served', async () => {
  for (const url of [
    '/files/../pg/PG_VERSION',
    '/files/%2e%2e/pg/PG_VERSION',
    '/files/..%2f..%2fetc%2fpasswd',
    '/files/',
  ]) {
    expect((await t.app.server.inject(url)).statusCode).toBeGreaterThanOrEqual(400);
  }
});

test('a worker that ended unnoticed costs at most one picture', async () => {
  const small = await picture(10, 10).png().toBuffer();
  await upload(small);
  const pids = execFileSync('ps', ['-eo', 'pid,ppid,args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes('image-worker.ts') && line.trim().split(/\s+/)[1] === String(process.pid))
    .map((line) => Number(line.trim().split(/\s+/)[0]));
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  expect([200, 422]).toContain((await upload(small)).status);
  expect((await upload(small)).status).toBe(200);
});

test('another field, two files and half a form are refused', async () => {
  const send = async (payload: string, type = 'multipart/form-data; boundary=x') => {
    const headers = { token, 'content-type': type };
    const response = await t.app.server.inject({
      method: 'POST',
      url: '/api/core/minio/upload',
      headers,
      payload,
    });
    return response.statusCode;
  };
  const part = (name: string) =>
    `--x\r\nContent-Disposition: form-data; name="${name}"; filename="a.png"\r\nContent-Type: image/png\r\n\r\ndata\r\n`;
  expect(await send(`${part('picture')}--x--\r\n`)).toBe(422);
  expect(await send(`${part('file')}${part('file')}--x--\r\n`)).toBe(422);
  expect(await send(part('file'))).toBe(400);
  expect(await send('anything', 'multipart/form-data')).toBe(400);
});

test('one picture of somebody waits for one of somebody else, not for all of theirs', async () => {
  const content = await picture(40, 40).png().toBuffer();
  const order: string[] = [];
  const read = (key: string) =>
    readImage({ key, signal: null }, { content, isDrawing: false }).then(() => order.push(key));
  await Promise.all([...Array.from({ length: 4 }, () => read('a')), read('b')]);
  expect(order).toEqual(['a', 'b', 'a', 'a', 'a']);
});
