import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { sql } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { inTransaction } from '../../../ctx.ts';
import { newId } from '../../../db/id.ts';
import { systemCtx } from '../../../jobs.ts';
import { callAsAdmin } from '../../../testing/admin.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter, publishEssay } from '../../../testing/essays.ts';
import { listNewest } from './queries.ts';

let t: TestApp;
let author: { id: string; displayName: string };
beforeAll(async () => {
  t = await startTestApp({ config: { basePath: '/blog', siteUrl: 'https://site.test/blog' } });
  author = (await t.register(undefined, { displayName: '林砚 <砚> & "墨"' })).user;
});
beforeEach(async () => {
  await t.app.services.pool.query('truncate essays, sitemap_parts cascade');
  t.app.services.pages.invalidate(['essays', 'site', ...dropped]);
  dropped.clear();
});
afterAll(() => t.close());

const dropped = new Set<string>();
const SITE = 'https://site.test/blog';
const get = (path: string, headers: Record<string, string> = {}) =>
  t.app.server.inject({ url: `/blog${path}`, headers });
const body = async (path: string) => (await get(path)).body;

interface Shelved {
  title?: string;
  summary?: string;
  html?: string;
  locked?: string;
  status?: number;
  price?: number;
  category?: string;
  authorId?: string;
  tags?: string[];
  publishedAt?: Date;
}

/** A row as publishing creates it. */
async function shelve(essay: Shelved = {}): Promise<string> {
  const { pool } = t.app.services;
  const id = newId();
  dropped.add(`essay:${id}`);
  const at = essay.publishedAt ?? new Date();
  await pool.query(
    `insert into essays (id, author_id, status, shelved_version, title, summary, category_id, tags, price,
       published_at, updated_at, saved_at, created_at)
     values ($1, $2, $3, 1, $4, $5, (select id from categories where slug = $6), $7, $8, $9, $9, $9, $9)`,
    [
      id,
      essay.authorId ?? author.id,
      essay.status ?? 3,
      essay.title ?? '标题',
      essay.summary ?? '摘要',
      essay.category ?? 'program',
      essay.tags ?? [],
      essay.price ?? 0,
      at,
    ],
  );
  await pool.query(
    `insert into essay_texts
       (essay_id, version, title, html, toc, text, summary, word_count, read_minutes, has_math, has_diagrams)
     values ($1, 1, '', $2, '[]', '', '', 1, 1, false, false)`,
    [id, essay.html ?? '<p>正文</p>'],
  );
  if (essay.locked !== undefined) {
    await pool.query(
      `insert into essay_locked_texts (essay_id, version, html, toc, text) values ($1, 1, $2, '[]', $2)`,
      [id, essay.locked],
    );
  }
  return id;
}

/** Checks that the XML is well-formed and escaped. Returns the texts by path. */
function parseXml(xml: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const open: string[] = [];
  const wrong: string[] = [];
  const add = (path: string, value: string): void => {
    const values = found.get(path) ?? [];
    found.set(path, values);
    values.push(value);
  };
  const text = (raw: string): string => {
    if (/&(?!(amp|lt|gt|quot);)/.test(raw)) wrong.push(raw);
    return raw.replace(
      /&(amp|lt|gt|quot);/g,
      (_, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"' })[name] ?? '',
    );
  };
  const token = /<\?xml [^>]*\?>|<(\/?)([\w:]+)((?:\s[\w:]+="[^"<]*")*)\s*(\/?)>|([^<]+)/gy;
  let at = 0;
  for (const match of xml.matchAll(token)) {
    if (match.index !== at) wrong.push(xml.slice(at, match.index));
    at += match[0].length;
    const [, close, name, attributes = '', empty, content] = match;
    if (content !== undefined) {
      if (content.trim() !== '') add(open.join('/'), text(content));
    } else if (name !== undefined && close === '/') {
      if (open.pop() !== name) wrong.push(match[0]);
    } else if (name !== undefined) {
      for (const [, key = '', value = ''] of attributes.matchAll(/([\w:]+)="([^"]*)"/g)) {
        add([...open, name, `@${key}`].join('/'), text(value));
      }
      if (empty !== '/') open.push(name);
    }
  }
  expect(at).toBe(xml.length);
  expect([...open, ...wrong]).toEqual([]);
  return found;
}

test('returns the newest essays as Atom, with absolute URLs', async () => {
  const html =
    '<p id="a"><a href="/essay/detail/x.html">x</a> <a href="#fn-1">1</a> <a href="https://example.com/y">y</a></p>' +
    '<img src="/files/ab/c.webp" srcset="/files/ab/s.webp 320w, /files/ab/c.webp 900w" alt="a > b">' +
    '<pre><code>&#x3C;a href="/home"></code></pre>';
  const older = await shelve({ publishedAt: new Date('2026-01-02T03:04:05Z'), title: '旧文' });
  const id = await shelve({ html, title: '新文', tags: ['数据库'] });
  const response = await get('/feed.xml');
  expect(response.headers['content-type']).toBe('application/atom+xml; charset=utf-8');
  const feed = parseXml(response.body);
  expect(feed.get('feed/title')).toEqual(['墨栈']);
  expect(feed.get('feed/link/@href')).toEqual([`${SITE}/feed.xml`, `${SITE}/home`]);
  expect(feed.get('feed/entry/title')).toEqual(['新文', '旧文']);
  expect(feed.get('feed/entry/link/@href')).toEqual(
    [id, older].map((each) => `${SITE}/essay/detail/${each}.html`),
  );
  expect(feed.get('feed/entry/id')?.[0]?.replaceAll('-', '')).toBe(`urn:uuid:${id}`);
  expect(feed.get('feed/entry/published')?.[1]).toBe('2026-01-02T03:04:05.000Z');
  expect(feed.get('feed/entry/author/name')?.[0]).toBe(author.displayName);
  expect(feed.get('feed/entry/author/uri')?.[0]).toBe(`${SITE}/user/home/${author.id}.html`);
  expect(feed.get('feed/entry/category/@term')).toEqual(['编程', '数据库', '编程']);
  expect(feed.get('feed/updated')).toEqual([feed.get('feed/entry/updated')?.[0]]);
  const content = feed.get('feed/entry/content')?.[0] ?? '';
  expect(content).toContain(`href="${SITE}/essay/detail/x.html"`);
  expect(content).toContain(`href="${SITE}/essay/detail/${id}.html#fn-1"`);
  expect(content).toContain('href="https://example.com/y"');
  expect(content).toContain(
    `src="${SITE}/files/ab/c.webp" srcset="${SITE}/files/ab/s.webp 320w, ${SITE}/files/ab/c.webp 900w"`,
  );
  // URLs in text content are not changed.
  expect(content).toContain('&#x3C;a href="/home">');
});

test('returns the newest essays as JSON Feed', async () => {
  const id = await shelve({ title: '新文 "引号" <b>', tags: ['数据库'] });
  const response = await get('/feed.json');
  expect(response.headers['content-type']).toBe('application/feed+json; charset=utf-8');
  expect(response.json()).toMatchObject({
    version: 'https://jsonfeed.org/version/1.1',
    title: '墨栈',
    home_page_url: `${SITE}/home`,
    feed_url: `${SITE}/feed.json`,
    items: [
      {
        url: `${SITE}/essay/detail/${id}.html`,
        title: '新文 "引号" <b>',
        content_html: '<p>正文</p>',
        authors: [{ name: author.displayName }],
        tags: ['数据库'],
      },
    ],
  });
});

test('returns feeds of a category and of an author, and 404 for missing ones', async () => {
  const other = (await t.register()).user;
  await shelve({ title: '编程的' });
  await shelve({ title: '技术的', category: 'tech', authorId: other.id });
  const tech = parseXml(await body('/essay/tech/feed.xml'));
  expect(tech.get('feed/title')).toEqual(['技术 · 墨栈']);
  expect(tech.get('feed/entry/title')).toEqual(['技术的']);
  expect(tech.get('feed/link/@href')).toEqual([`${SITE}/essay/tech/feed.xml`, `${SITE}/essay/tech.html`]);
  const mine = parseXml(await body(`/user/${author.id}/feed.xml`));
  expect(mine.get('feed/entry/title')).toEqual(['编程的']);
  expect(mine.get('feed/title')).toEqual([`${author.displayName} · 墨栈`]);
  expect((await get(`/user/${other.id}/feed.json`)).json().items).toHaveLength(1);
  for (const path of ['/essay/none/feed.xml', `/user/${newId()}/feed.json`, '/user/x/feed.xml']) {
    expect((await get(path)).statusCode).toBe(404);
  }
  parseXml(await body('/essay/app/feed.xml'));
});

test('contains no locked text and no essay off the shelf', async () => {
  const SECRET = 'SENTINEL-OF-THE-LOCKED-TEXT';
  const locked = await shelve({
    title: '收费的',
    price: 100,
    html: '<p>试读</p>',
    locked: `<p>试读</p><p>${SECRET}</p>`,
  });
  for (const status of [0, 1, 2, 4, 5]) await shelve({ status, title: SECRET, html: SECRET });
  const paths = [
    '/feed.xml',
    '/feed.json',
    '/essay/program/feed.xml',
    `/user/${author.id}/feed.json`,
    '/sitemap.xml',
    '/sitemap/1.xml',
  ];
  for (const path of paths) expect(await body(path)).not.toContain(SECRET);
  const [item] = (await get('/feed.json')).json().items;
  expect(item.content_html).toBe(
    `<p>试读</p><p><a href="${SITE}/essay/detail/${locked}.html">到网站阅读全文</a></p>`,
  );
});

test('is well-formed for any title', async () => {
  const attacks = [
    '</title><script>alert(1)</script>',
    ']]><!--',
    '&lt;b&gt; &amp; & <',
    '"><x onload="',
    'a\u0001b\u0008c\ufffed',
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>&e;',
  ];
  for (const attack of attacks) {
    await shelve({ title: attack, summary: attack, html: `<p>${attack}</p>`, tags: [attack] });
  }
  const feed = parseXml(await body('/feed.xml'));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids these
  const plain = attacks.map((attack) => attack.replace(/[\u0001\u0008\ufffe]/g, ''));
  expect(feed.get('feed/entry/title')).toEqual(plain.reverse());
  expect((await get('/feed.json')).json().items).toHaveLength(attacks.length);
});

test('is cached until something is published, and returns 304 for a matching ETag', async () => {
  await shelve({ title: '第一篇' });
  const packed = { 'accept-encoding': 'br' };
  const first = await get('/feed.xml', packed);
  expect(first.headers['content-encoding']).toBe('br');
  const tag = String(first.headers.etag);
  expect((await get('/feed.xml', { ...packed, 'if-none-match': tag })).statusCode).toBe(304);
  await shelve({ title: '第二篇' });
  expect((await get('/feed.xml', { ...packed, 'if-none-match': tag })).statusCode).toBe(304);
  t.app.services.pages.invalidate(['essays']);
  const second = await get('/feed.xml', { 'if-none-match': tag });
  expect(second.statusCode).toBe(200);
  expect(second.body).toContain('第二篇');
  const parts = await t.app.server.inject({ method: 'HEAD', url: '/blog/feed.xml' });
  expect(parts).toMatchObject({ statusCode: 200, body: '' });
});

test('contains a new essay immediately, with its public text only, until it leaves the shelf', async () => {
  const SECRET = 'SENTINEL-OF-THE-LOCKED-TEXT';
  const writer = await createWriter(t);
  expect((await get('/feed.json')).json().items).toEqual([]);
  const content = `试读的一段。\n\n${'很长的一段。'.repeat(200)}\n\n${SECRET}\n`;
  const id = await publishEssay(t, writer, { title: '收费的一篇', price: 500, content });
  for (const path of [
    '/feed.json',
    '/feed.xml',
    `/user/${writer.user.id}/feed.xml`,
    '/essay/tech/feed.json',
  ]) {
    const feed = await body(path);
    expect(feed).toContain('收费的一篇');
    expect(feed).toContain('试读的一段');
    expect(feed).not.toContain(SECRET);
  }
  expect(await locs('/sitemap/1.xml')).toEqual([`${SITE}/essay/detail/${id}.html`]);
  await t.call('PUT core/essay/status', { id, status: 4 }, { token: writer.token });
  expect((await get('/feed.json')).json().items).toEqual([]);
  expect((await get(`/og/${id}.png`)).statusCode).toBe(404);
});

test('contains at most twenty essays', async () => {
  for (let i = 0; i < 22; i++) await shelve();
  expect((await get('/feed.json')).json().items).toHaveLength(20);
});

test('reads the texts of twenty essays only, whatever the planner knows about versions', async () => {
  const { pool } = t.app.services;
  await pool.query(
    `insert into essays (id, author_id, status, version, shelved_version, title, tags, published_at, updated_at, saved_at, created_at)
     select gen_random_uuid(), $1, 3, n, n, 'x', '{多}', at, at, at, at
     from generate_series(1, 3000) n, lateral (select now() - n * interval '1 minute' as at) as published`,
    [author.id],
  );
  await pool.query(`
    insert into essay_texts (essay_id, version, title, html, toc, text, summary, word_count, read_minutes, has_math, has_diagrams)
    select id, shelved_version, '', repeat('字', 500), '[]', '', '', 1, 1, false, false from essays;
    insert into essay_tags (tag, published_at, essay_id) select '多', published_at, id from essays;
    analyze essays, essay_texts, essay_tags`);
  for (const filter of [{}, { authorId: author.id }, { tag: '多' }]) {
    const read = await inTransaction(systemCtx(t.app.services), async ({ db }) => {
      expect(await listNewest(db, { ...filter, limit: 20 })).toHaveLength(20);
      const { rows } = await db.execute(
        sql`select seq_tup_read + idx_tup_fetch as count from pg_stat_xact_user_tables where relname = 'essay_texts'`,
      );
      return Number(rows[0]?.count);
    });
    // The planner looks at some rows, too.
    expect(read).toBeLessThan(500);
  }
  await pool.query('delete from essay_tags');
});

async function shelveMany(count: number, from: string): Promise<void> {
  await t.app.services.pool.query(
    `insert into essays (id, author_id, status, shelved_version, title, published_at, updated_at, saved_at, created_at)
     select gen_random_uuid(), $1, 3, 1, 'x', at, at, at, at
     from generate_series($3::timestamptz, $3::timestamptz + ($2 - 1) * interval '1 second', interval '1 second') at`,
    [author.id, count, from],
  );
}

const locs = async (path: string) =>
  [...(await body(path)).matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address]) => address);

test('the sitemap lists pages, writers and every essay exactly once, in stable parts', async () => {
  await shelveMany(20_500, '2026-01-01T00:00:00Z');
  await t.app.services.pool.query('update users set essay_count = 1 where id = $1', [author.id]);
  const other = await startTestApp({ sameDatabaseAs: t, config: { siteUrl: SITE, basePath: '/blog' } });
  await Promise.all([t, other].map((each) => each.app.server.inject('/blog/sitemap.xml')));
  await other.close();
  const index = await locs('/sitemap.xml');
  expect(index).toEqual(['pages', 'authors', 'columns', 1, 2].map((part) => `${SITE}/sitemap/${part}.xml`));
  expect(await locs('/sitemap/pages.xml')).toEqual(
    expect.arrayContaining([`${SITE}/home`, `${SITE}/essay/tech.html`, `${SITE}/about.html`]),
  );
  expect(await locs('/sitemap/authors.xml')).toEqual([`${SITE}/user/home/${author.id}.html`]);
  const parts = async (...numbers: number[]) =>
    Promise.all(numbers.map((part) => locs(`/sitemap/${part}.xml`)));
  for (const path of ['/sitemap.xml', '/sitemap/pages.xml', '/sitemap/2.xml']) parseXml(await body(path));
  const before = await parts(1, 2);
  expect(before.map((part) => part.length)).toEqual([20_000, 500]);
  expect(new Set(before.flat()).size).toBe(20_500);
  expect((await get('/sitemap/3.xml')).statusCode).toBe(404);

  // Old essays enlarge the first part, which is divided on the next request.
  await shelveMany(100, '2025-01-01T00:00:00Z');
  expect(await locs('/sitemap/1.xml')).toHaveLength(20_000);
  const after = await parts(1, 2, 3);
  expect(after.map((part) => part.length)).toEqual([20_000, 100, 500]);
  expect(new Set(after.flat()).size).toBe(20_600);
});

test('returns 404 for unknown sitemap parts', async () => {
  for (const path of ['/sitemap/0.xml', '/sitemap/x.xml', '/sitemap/-1.xml', '/sitemap/9999999.xml']) {
    expect((await get(path)).statusCode).toBe(404);
  }
  expect(await locs('/sitemap/1.xml')).toEqual([]);
});

test('robots.txt lists disallowed paths and the sitemap', async () => {
  const response = await get('/robots.txt');
  expect(response.headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(response.body).toMatch(/^User-agent: \*\nDisallow: \/blog\/api\/\nDisallow: \/blog\/admin\n/);
  expect(response.body).toContain(`\nSitemap: ${SITE}/sitemap.xml\n`);
});

test('draws link preview images for essays on the shelf, categories and the site', async () => {
  const id = await shelve({ title: '山水' });
  const draft = await shelve({ status: 0 });
  for (const name of [id, 'program', 'site']) {
    const response = await get(`/og/${name}.png`);
    expect(response.headers['content-type']).toBe('image/png');
    expect(response.headers['content-encoding']).toBeUndefined();
    const { width, height, format } = await sharp(response.rawPayload).metadata();
    expect({ width, height, format }).toEqual({ width: 1200, height: 630, format: 'png' });
    const { entropy } = await sharp(response.rawPayload).stats();
    expect(entropy).toBeGreaterThan(1);
  }
  for (const name of [draft, newId(), 'nothing']) {
    expect((await get(`/og/${name}.png`)).statusCode).toBe(404);
  }
});

test('returns the feed of a column with its public essays, current at once, and 404 for a missing one', async () => {
  const SECRET = 'SENTINEL-OF-THE-LOCKED-TEXT';
  const writer = await createWriter(t);
  const own = { token: writer.token };
  const { data: column } = await t.call(
    'POST core/essay/column',
    { name: '半夜 & 告警', summary: '一本小书' },
    own,
  );
  const path = `/column/${column.id}/feed`;
  expect((await get(`${path}.json`)).json().items).toEqual([]);
  await publishEssay(t, writer, { title: '不在专栏里' });
  const content = `试读的一段。\n\n${'很长的一段。'.repeat(200)}\n\n${SECRET}\n`;
  const id = await publishEssay(t, writer, { title: '第一篇', price: 500, content, columnId: column.id });
  const feed = parseXml(await body(`${path}.xml`));
  expect(feed.get('feed/title')).toEqual(['半夜 & 告警 · 墨栈']);
  expect(feed.get('feed/subtitle')).toEqual(['一本小书']);
  expect(feed.get('feed/link/@href')).toEqual([`${SITE}${path}.xml`, `${SITE}/column/${column.id}.html`]);
  expect(feed.get('feed/entry/title')).toEqual(['第一篇']);
  expect((await get(`${path}.json`)).json()).toMatchObject({
    feed_url: `${SITE}${path}.json`,
    items: [{ url: `${SITE}/essay/detail/${id}.html` }],
  });
  for (const end of ['xml', 'json']) expect(await body(`${path}.${end}`)).not.toContain(SECRET);
  await t.call('PUT core/essay/column', { id: column.id, name: '改了名' }, own);
  expect((await get(`${path}.json`)).json().title).toBe('改了名 · 墨栈');
  await t.call('PUT core/essay/status', { id, status: 4 }, own);
  expect((await get(`${path}.json`)).json().items).toEqual([]);
  for (const missing of [`/column/${newId()}/feed.xml`, '/column/x/feed.json'])
    expect((await get(missing)).statusCode).toBe(404);
  await t.call('DELETE core/essay/column', { id: column.id }, own);
  expect((await get(`${path}.xml`)).statusCode).toBe(404);
});

test('returns the feed of a tag, current at once, and 404 for a tag without essays', async () => {
  const writer = await createWriter(t);
  const tag = 'C# 进阶';
  const folder = `/tag/${encodeURIComponent(tag)}`;
  for (const missing of [folder, '/tag/%00', '/tag/%0a', `/tag/${'a'.repeat(90)}`])
    expect((await get(`${missing}/feed.xml`)).statusCode).toBe(404);
  await publishEssay(t, writer, { title: '别的' });
  const first = await publishEssay(t, writer, { title: '第一篇', tags: [tag] });
  const feed = parseXml(await body(`${folder}/feed.xml`));
  expect(feed.get('feed/title')).toEqual([`${tag} · 墨栈`]);
  expect(feed.get('feed/entry/title')).toEqual(['第一篇']);
  expect(feed.get('feed/link/@href')).toEqual([
    `${SITE}${folder}/feed.xml`,
    `${SITE}/home?${new URLSearchParams({ tag })}`,
  ]);
  t.advance(1000);
  await publishEssay(t, writer, { title: '第二篇', tags: [tag] });
  const { items } = JSON.parse(await body(`${folder}/feed.json`));
  expect(items.map(({ title }: { title: string }) => title)).toEqual(['第二篇', '第一篇']);
  await callAsAdmin(t, 'PUT core/essay/status', { id: first, status: ESSAY_STATUS.offShelf, reason: '理由' });
  expect(parseXml(await body(`${folder}/feed.xml`)).get('feed/entry/title')).toEqual(['第二篇']);
});

test('the sitemap lists columns with essays, and they have link preview images', async () => {
  const writer = await createWriter(t);
  const create = async (name: string): Promise<string> =>
    (await t.call('POST core/essay/column', { name }, { token: writer.token })).data.id;
  const [filled, empty] = [await create('连载'), await create('还没有文章')];
  await publishEssay(t, writer, { columnId: filled });
  const urls = await locs('/sitemap/columns.xml');
  expect(urls).toContain(`${SITE}/column/${filled}.html`);
  expect(urls).not.toContain(`${SITE}/column/${empty}.html`);
  const response = await get(`/og/${filled}.png`);
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'image/png']);
});
