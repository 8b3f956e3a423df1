import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp({ config: { basePath: '/blog' } });
});
afterAll(() => t.close());

const get = (url: string) => t.app.server.inject(url);

test('the manifest contains the settings and exists only if enabled', async () => {
  expect((await get('/blog/manifest.webmanifest')).statusCode).toBe(404);
  const token = await t.signInAdmin();
  await t.call('PUT core/sys/setting/', { pwa: true, title: '砚台', tagline: '磨一磨' }, { token });
  const response = await get('/blog/manifest.webmanifest');
  expect(response.headers['content-type']).toBe('application/manifest+json; charset=utf-8');
  const manifest = response.json();
  expect(manifest).toMatchObject({
    name: '砚台',
    short_name: '砚台',
    description: '磨一磨',
    start_url: '/blog/home',
    scope: '/blog/',
    display: 'standalone',
  });
  for (const { src, type, sizes } of manifest.icons) {
    const icon = await get(src);
    expect(icon.headers['content-type']).toBe(type);
    if (sizes === 'any') continue;
    const { width, height } = await sharp(icon.rawPayload).metadata();
    expect(sizes).toBe(`${width}x${height}`);
  }
  await t.call('PUT core/sys/setting/', { pwa: false }, { token });
  expect((await get('/blog/manifest.webmanifest')).statusCode).toBe(404);
});

test('icons fill the square with the colour of the logo', async () => {
  for (const name of ['icon-192.png', 'icon-512.png', 'apple-touch-icon.png']) {
    const { rawPayload, headers } = await get(`/blog/${name}`);
    expect(headers['cache-control']).toBe('public, max-age=86400');
    const { data, info } = await sharp(rawPayload).raw().toBuffer({ resolveWithObject: true });
    const pixel = (x: number, y: number) => {
      const at = (y * info.width + x) * info.channels;
      return [...data.subarray(at, at + 3)];
    };
    expect(pixel(0, 0)).toEqual([0xff, 0x69, 0x68]);
    expect(pixel(info.width >> 1, Math.round(info.height * 0.37))).toEqual([255, 255, 255]);
  }
  expect((await get('/blog/icon.svg')).body).toContain('<svg');
});

test('uses the colours of the page', async () => {
  const tokens = await readFile(
    join(import.meta.dirname, '../../../../../web/src/styles/tokens.css'),
    'utf8',
  );
  const token = await t.signInAdmin();
  await t.call('PUT core/sys/setting/', { pwa: true }, { token });
  const { background_color, theme_color } = (await get('/blog/manifest.webmanifest')).json();
  expect(tokens).toContain(`--bg: light-dark(${background_color},`);
  expect(theme_color).toBe(background_color);
});

test('favicon.ico is an ICO file', async () => {
  const { headers, rawPayload } = await get('/blog/favicon.ico');
  expect(headers['content-type']).toBe('image/x-icon');
  // Header: reserved, type 1, number of pictures.
  expect([...rawPayload.subarray(0, 6)]).toEqual([0, 0, 1, 0, 2, 0]);
  for (const [index, side] of [16, 32].entries()) {
    const entry = 6 + index * 16;
    expect(rawPayload[entry]).toBe(side);
    const at = rawPayload.readUInt32LE(entry + 12);
    expect(rawPayload.subarray(at, at + 4).toString('latin1')).toBe('\x89PNG');
    expect(rawPayload.readUInt32BE(at + 16)).toBe(side);
  }
});
