import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../db/id.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter, publishEssay, submitEssay, type TestUser } from '../../../testing/essays.ts';
import { createPicture } from '../../../testing/pictures.ts';
import { getPosterContent } from './actions.ts';

let t: TestApp;
let writer: TestUser;
beforeAll(async () => {
  t = await startTestApp();
  writer = await createWriter(t, '林砚');
});
afterAll(() => t.close());

const fetchPoster = (id: string, code?: string, headers: Record<string, string> = {}) =>
  t.app.server.inject({
    url: `/api/core/essay/${id}/poster.png${code === undefined ? '' : `?code=${code}`}`,
    headers,
  });

/** The share of dark pixels in an area. */
async function darkness(png: Buffer, part: { left: number; top: number; width: number; height: number }) {
  const { data } = await sharp(png).extract(part).greyscale().raw().toBuffer({ resolveWithObject: true });
  return data.filter((value) => value < 100).length / data.length;
}

test('draws text and a QR code, and another picture for another title', async () => {
  const titles = [
    '为什么我们把消息队列换回了一张表',
    '🚀',
    'a'.repeat(60),
    '一'.repeat(100),
    '龘𠮷〇 ﷽ \u200d',
  ];
  const drawn = new Set<string>();
  for (const title of titles) {
    const id = await publishEssay(t, writer, { title, summary: '一句话，说清楚。' });
    const response = await fetchPoster(id);
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toBe('image/png');
    const png = response.rawPayload;
    const { format, width = 0, height = 0 } = await sharp(png).metadata();
    expect({ format, width }).toEqual({ format: 'png', width: 750 });
    expect(height).toBeGreaterThan(850);
    expect(height).toBeLessThan(1450);
    // The areas of the QR code and of the category above the title.
    expect(await darkness(png, { left: 560, top: height - 180, width: 120, height: 120 })).toBeGreaterThan(
      0.3,
    );
    drawn.add(png.toString('base64'));
  }
  expect(drawn.size).toBe(titles.length);
});

test('draws words of the public text, and nothing else', async () => {
  const content = Array.from({ length: 20 }, (_, index) => `第 ${index + 1} 段，说一件事情。`).join('\n\n');
  const id = await publishEssay(t, writer, { content, price: 500, previewPercent: 30 });
  const fetchQuote = (quote: string) =>
    t.app.server.inject({ url: `/api/core/essay/${id}/poster.png?${new URLSearchParams({ quote })}` });
  const drawn = await fetchQuote('第 2 段，说一件 事情');
  expect(drawn.statusCode).toBe(200);
  expect((await sharp(drawn.rawPayload).metadata()).width).toBe(750);
  expect(drawn.rawPayload.equals((await fetchPoster(id)).rawPayload)).toBe(false);
  for (const quote of ['第 18 段，说一件事情', '文中没有的话', '', ' ', '长'.repeat(201)])
    expect((await fetchQuote(quote)).statusCode).toBe(404);
  const ctx = systemCtx(t.app.services);
  const caller = { key: '', signal: null };
  const { quote } = await getPosterContent(ctx, id, null, { words: '说一件事情。第3段', caller });
  expect(quote).toBe('说一件事情。\n第 3 段');
});

test('draws a poster per share, and returns 304 for a matching ETag', async () => {
  const id = await publishEssay(t, writer);
  const other = await publishEssay(t, writer);
  const { data } = await t.call(
    'POST core/essay/share',
    { essayId: id, channel: 'poster' },
    { token: writer.token },
  );
  const [plain, own] = [await fetchPoster(id), await fetchPoster(id, data.code)];
  expect(own.rawPayload.equals(plain.rawPayload)).toBe(false);
  const again = await fetchPoster(id, data.code, { 'if-none-match': String(own.headers.etag) });
  expect(again.statusCode).toBe(304);
  for (const code of ['AAAAAAAAAA', 'x', '<svg>', ''])
    expect((await fetchPoster(id, encodeURIComponent(code))).statusCode).toBe(404);
  expect((await fetchPoster(other, data.code)).statusCode).toBe(404);
});

test('draws uploaded covers and avatars', async () => {
  const cover = createPicture({ width: 900, height: 600, background: '#0a5' });
  const path = await t.app.services.files.put(await cover.webp().toBuffer(), 'webp');
  const id = await publishEssay(t, writer);
  await t.app.services.pool.query('update essays set cover = $1 where id = $2', [path, id]);
  const { rawPayload } = await fetchPoster(id);
  const { data } = await sharp(rawPayload)
    .extract({ left: 370, top: 450, width: 1, height: 1 })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const [red = 255, green = 0, blue = 255] = data;
  expect(green).toBeGreaterThan(red + 80);
  expect(green).toBeGreaterThan(blue + 40);
  // A missing file is replaced by a landscape.
  await t.app.services.pool.query('update essays set cover = $1 where id = $2', [
    `/files/ab/${'c'.repeat(62)}.webp`,
    id,
  ]);
  expect((await fetchPoster(id)).statusCode).toBe(200);
});

test('shows only public text of a locked essay', async () => {
  const content = '藏在后面的秘密。\n\n'.repeat(20);
  const id = await publishEssay(t, writer, { content, price: 500, previewPercent: 0 });
  expect((await fetchPoster(id)).statusCode).toBe(200);
  const { excerpt } = await getPosterContent(systemCtx(t.app.services), id, null);
  expect(excerpt).not.toContain('秘密');
});

test('returns 404 for essays off the shelf', async () => {
  expect((await fetchPoster(newId())).statusCode).toBe(404);
  expect((await fetchPoster('x')).statusCode).toBe(404);
  expect((await fetchPoster(await submitEssay(t, writer))).statusCode).toBe(404);
  const id = await publishEssay(t, writer);
  await t.call('DELETE core/essay/{id}', { id }, { token: writer.token });
  expect((await fetchPoster(id)).statusCode).toBe(410);
});

test('does not cache temporary errors', async () => {
  const id = await publishEssay(t, writer);
  const responses = await Promise.all(Array.from({ length: 24 }, () => fetchPoster(id)));
  const [drawn, refused] = [200, 429].map((status) => responses.filter((each) => each.statusCode === status));
  expect(drawn?.[0]?.headers).toMatchObject({
    etag: expect.any(String),
    'cache-control': 'public, max-age=3600',
  });
  expect(refused?.length).toBeGreaterThan(0);
  for (const { headers } of refused ?? []) {
    expect(headers.etag).toBeUndefined();
    expect(headers['cache-control'] ?? '').not.toContain('public');
  }
});
