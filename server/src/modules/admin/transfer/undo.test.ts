import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addJob, systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter, publishEssay } from '../../../testing/essays.ts';
import { haloItem, haloRecord } from '../../../testing/halo.ts';
import { createPng, uploadPicture } from '../../../testing/pictures.ts';
import { compareTables, hashTables } from '../../../testing/table-hashes.ts';
import { exportSite, importFile, listItems, waitForTransfer } from '../../../testing/transfer.ts';

let png: Uint8Array;
const oldSite = createServer((request, response) => {
  if (request.url?.endsWith('.pdf')) response.end('%PDF-1.4 far');
  else response.end(png);
});

let t: TestApp;
let admin: string;
let base: string;
let writer: Awaited<ReturnType<typeof createWriter>>;
beforeAll(async () => {
  png = new Uint8Array(await createPng({ width: 80 }));
  await new Promise<void>((resolve) => oldSite.listen(0, '127.0.0.1', resolve));
  base = `http://0.0.0.0:${(oldSite.address() as AddressInfo).port}`;
  t = await startTestApp({ runsJobs: true, config: { webhookAllowPrivate: true } });
  admin = await t.signInAdmin();
  writer = await createWriter(t);
  // What was here before stays: an essay that shares a tag, a category and a picture with the imports.
  const path = await uploadPicture(t, writer.token, { width: 80 });
  await publishEssay(t, writer, { tags: ['共用'], content: `![图](${path})` });
});
afterAll(async () => {
  await t.close();
  oldSite.closeAllConnections();
  oldSite.close();
});

const PDF = strToU8('%PDF-1.4 near');
const files = (content: Record<string, string | Uint8Array>) =>
  zipSync(
    Object.fromEntries(
      Object.entries(content).map(([name, each]) => [name, typeof each === 'string' ? strToU8(each) : each]),
    ),
  );
const head = (title: string, more = '') =>
  `---\ntitle: ${title}\ndate: 2020-01-02\ntags: [共用, 只在旧站]\n${more}---\n\n`;
const text = (prefix = '') =>
  `![近](${prefix}/a.png) ![远](${base}/far.png) [近](${prefix}/a.pdf) [远](${base}/far.pdf)\n`;

const ghostPost = (id: number, more: object) => ({
  id,
  uuid: `undo-${id}`,
  title: `幽灵${id}`,
  slug: `undo-ghost-${id}`,
  html: `<p><img src="__GHOST_URL__/content/images/a.png"><a href="__GHOST_URL__/content/files/a.pdf">近</a></p>`,
  feature_image: `${base}/far.png`,
  status: 'published',
  published_at: '2024-01-02T03:04:05.000Z',
  visibility: 'public',
  featured: 1,
  ...more,
});

const wordpressItem = (id: number, type: string, more = '') =>
  `<item><title>压${id}</title><link>https://undo-wp.test/${id}/</link><dc:creator>old-writer</dc:creator>
    <wp:post_id>${id}</wp:post_id><wp:post_name>undo-wp-${id}</wp:post_name><category domain="post_tag" nicename="x">只在旧站</category>
    <content:encoded><![CDATA[<img src="https://undo-wp.test/wp-content/uploads/a.png"><img src="${base}/far.png"><a href="https://undo-wp.test/wp-content/uploads/a.pdf">近</a>]]></content:encoded>
    <wp:post_date>2020-01-02 03:04:05</wp:post_date><wp:status>publish</wp:status><wp:is_sticky>1</wp:is_sticky>
    <wp:post_type>${type}</wp:post_type>${more}</item>`;
const wordpressComment = (id: number, parent: number) =>
  `<wp:comment><wp:comment_id>${id}</wp:comment_id><wp:comment_author>路人</wp:comment_author><wp:comment_parent>${parent}</wp:comment_parent>
    <wp:comment_date_gmt>2020-02-0${id} 00:00:00</wp:comment_date_gmt><wp:comment_content>好</wp:comment_content><wp:comment_approved>1</wp:comment_approved></wp:comment>`;

const HALO_EXTRAS = { owner: 'halo-owner', pinned: true, cover: '/upload/a.png' };

const TYPECHO = `INSERT INTO typecho_contents (cid, title, slug, created, modified, text, \`order\`, authorId, template, type, status, password, commentsNum, allowComment, allowPing, allowFeed, parent) VALUES
(1,'打字','undo-typecho',1704135845,1704135900,'<!--markdown-->![近](/usr/uploads/a.png) [近](/usr/uploads/a.pdf)',0,1,NULL,'post','publish',NULL,2,'1','1','1',0),
(2,'页面','undo-typecho-page',1704135845,0,'<!--markdown-->![近](/usr/uploads/a.png)',0,1,NULL,'page','publish',NULL,0,'1','1','1',0);
INSERT INTO typecho_comments (coid, cid, created, author, mail, url, ip, text, type, status, parent) VALUES
(1,1,1704135845,'读者','r@r.test','','1.2.3.4','好','comment','approved',0);
INSERT INTO typecho_options (name, user, value) VALUES ('siteUrl',0,'https://undo-typecho.test'),('title',0,'站');
`;

const createArchives = (): Record<string, Uint8Array> => ({
  hexo: files({
    '_config.yml': 'url: https://undo-hexo.test\npermalink: :title/\n',
    'source/_posts/undo-hexo.md': `${head('海克斯', `top: 1\ncover: ${base}/cover.png\n`)}${text()}`,
    'source/undo-hexo-page/index.md': `${head('页面')}${text()}`,
    'source/a.png': png,
    'source/a.pdf': PDF,
  }),
  hugo: files({
    'hugo.toml': 'baseURL = "https://undo-hugo.test/"\n',
    'content/posts/undo-hugo.md': `${head('雨果', 'aliases: [/very/old/undo/]\n')}${text()}`,
    'content/undo-hugo-page.md': `${head('页面')}${text()}`,
    'static/a.png': png,
    'static/a.pdf': PDF,
  }),
  jekyll: files({
    '_config.yml': 'url: https://undo-jekyll.test\n',
    '_posts/2020-01-02-undo-jekyll.md': `${head('杰奇')}${text()}`,
    'undo-jekyll-page.md': `${head('页面', 'layout: page\n')}${text()}`,
    'a.png': png,
    'a.pdf': PDF,
  }),
  markdown: files({
    'notes/undo-markdown.md': `${head('马克', 'aliases: [/old/undo-markdown/]\n')}![近](a.png) [近](a.pdf)`,
    'notes/undo-markdown-page.md': `${head('页面', 'type: page\n')}${text()}`,
    'notes/a.png': png,
    'notes/a.pdf': PDF,
  }),
  wordpress: files({
    'export.xml': `<?xml version="1.0"?><rss xmlns:content="c" xmlns:dc="d" xmlns:wp="http://wordpress.org/export/1.2/"><channel><title>站</title>
      <link>https://undo-wp.test</link><wp:base_site_url>https://undo-wp.test</wp:base_site_url>
      <wp:author><wp:author_login>old-writer</wp:author_login><wp:author_display_name>旧作者</wp:author_display_name></wp:author>
      ${wordpressItem(1, 'post', wordpressComment(1, 0) + wordpressComment(2, 1))}${wordpressItem(2, 'page')}</channel></rss>`,
    'wp-content/uploads/a.png': png,
    'wp-content/uploads/a.pdf': PDF,
  }),
  ghost: files({
    'ghost.json': JSON.stringify({
      db: [
        {
          meta: { version: '5.0.0' },
          data: {
            posts: [ghostPost(1, {}), ghostPost(2, { type: 'page' })],
            tags: [{ id: 't', name: '只在旧站', slug: 't' }],
            posts_tags: [{ post_id: 1, tag_id: 't' }],
            users: [{ id: 'u', name: '幽灵作者', slug: 'ghost-writer' }],
            posts_authors: [{ post_id: 1, author_id: 'u' }],
            comments: [
              {
                id: 'c',
                post_id: 1,
                html: '<p>好</p>',
                status: 'published',
                created_at: '2024-01-03T00:00:00Z',
              },
            ],
          },
        },
      ],
    }),
    'content/images/a.png': png,
    'content/files/a.pdf': PDF,
  }),
  halo: files({
    'extensions.data': JSON.stringify([
      haloRecord('snapshots', 's1', {
        rawType: 'markdown',
        rawPatch: '![近](/upload/a.png) [近](/upload/a.pdf)',
        contentPatch: '<p>近</p>',
      }),
      haloRecord('posts', 'p1', haloItem('哈罗', 'undo-halo', HALO_EXTRAS)),
      haloRecord('singlepages', 'g1', haloItem('页面', 'undo-halo-page', HALO_EXTRAS)),
      haloRecord('comments', 'c1', {
        content: '好',
        approved: true,
        owner: { kind: 'Email', name: 'r@r.test', displayName: '读者' },
        subjectRef: { kind: 'Post', name: 'p1' },
        creationTime: '2024-01-03T00:00:00Z',
      }),
    ]),
    'workdir/attachments/upload/a.png': png,
    'workdir/attachments/upload/a.pdf': PDF,
  }),
  typecho: files({ 'typecho.sql': TYPECHO, 'usr/uploads/a.png': png, 'usr/uploads/a.pdf': PDF }),
});

const FORMATS = ['hexo', 'hugo', 'jekyll', 'markdown', 'wordpress', 'ghost', 'halo', 'typecho'];

/** Records of what happened, counters of use, sessions, and queues of jobs. */
const LOGS = [
  'transfers',
  'transfer_items',
  'operations',
  'unindexed_people',
  'search_new_words',
  'sessions',
  'session_tokens',
  'people',
  'visits',
];

async function readState(app: TestApp) {
  const { pool } = app.app.services;
  // A count of zero equals a missing one.
  await pool.query('delete from essay_counts where count = 0');
  await pool.query('delete from upload_totals where image_bytes + attachment_bytes = 0');
  const tables = await hashTables(pool);
  for (const name of LOGS) tables.delete(name);
  const paths: string[] = [];
  for await (const { path } of app.app.services.files.list()) paths.push(path);
  return { tables, paths: paths.sort() };
}

/** Files are deleted an hour after nothing uses them any more. */
async function deleteFiles(app: TestApp): Promise<void> {
  app.advance(2 * 3_600_000);
  const count = async () =>
    (await app.app.services.pool.query('select 1 from discarded_files limit 1')).rows.length;
  while ((await count()) > 0) {
    await addJob(systemCtx(app.app.services), 'remove-discarded-files', {}, { key: 'undo-test' });
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function undo(app: TestApp, token: string, id: string) {
  await app.call('POST core/sys/transfer/undo', { id }, { token });
  expect(await waitForTransfer(app, token, id)).toMatchObject({ status: 'undone' });
  const items = await listItems(app, token, id);
  expect(items.filter(({ outcome }) => outcome === 'kept')).toEqual([]);
  await deleteFiles(app);
}

test.each(FORMATS)('%s: an undo leaves tables and files as they were before the import', async (format) => {
  const before = await readState(t);
  const content = createArchives()[format] ?? new Uint8Array();
  const run = await importFile(t, admin, { name: 'a.zip', content }, `?authorId=${writer.user.id}`);
  expect(run).toMatchObject({ status: 'done', format });
  await waitForTransfer(
    t,
    admin,
    run.id,
    ({ pictures }) => pictures.done + pictures.failed === pictures.total,
  );
  const kinds = new Set((await listItems(t, admin, run.id)).map(({ kind, outcome }) => `${kind} ${outcome}`));
  expect([...kinds]).toEqual(
    expect.arrayContaining(['essay created', 'page created', 'file created', 'redirect created']),
  );
  await undo(t, admin, run.id);
  const after = await readState(t);
  expect(compareTables(before.tables, after.tables)).toEqual({});
  expect(after.paths).toEqual(before.paths);
});

test('an export of this program: an undo leaves tables and files as they were before the import', async () => {
  const content = createArchives().wordpress ?? new Uint8Array();
  await importFile(t, admin, { name: 'a.zip', content }, `?authorId=${writer.user.id}`);
  await t.call('POST core/essay/column', { name: '连载', summary: '' }, { token: writer.token });
  await t.call('POST core/sys/category/', { slug: 'undo-poems', name: '诗' }, { token: admin });
  await t.call('POST core/sys/friend-link/', { name: '邻居', url: 'https://a.example' }, { token: admin });
  const archive = await exportSite(t, admin);

  const other = await startTestApp({ runsJobs: true });
  const token = await other.signInAdmin();
  const before = await readState(other);
  const run = await importFile(other, token, { name: 'site.zip', content: archive });
  expect(run).toMatchObject({ status: 'done', format: 'mozhan' });
  await undo(other, token, run.id);
  const after = await readState(other);
  expect(compareTables(before.tables, after.tables)).toEqual({});
  expect(after.paths).toEqual(before.paths);
  await other.close();
});

test('a picture that somebody else uses since stays', async () => {
  const run = await importFile(
    t,
    admin,
    {
      name: 'a.zip',
      content: files({
        '_config.yml': 'url: https://undo-shared.test\n',
        'source/_posts/undo-shared.md': `${head('合用')}![图](/b.png)`,
        'source/b.png': new Uint8Array(await createPng({ width: 90 })),
      }),
    },
    `?authorId=${writer.user.id}`,
  );
  const [row] = (
    await t.app.services.pool.query<{ path: string }>('select path from uploads order by id desc limit 1')
  ).rows;
  await publishEssay(t, writer, { content: `借用 ![图](${row?.path})` });
  await t.call('POST core/sys/transfer/undo', { id: run.id }, { token: admin });
  await waitForTransfer(t, admin, run.id);
  const items = await listItems(t, admin, run.id);
  expect(items.filter(({ kind }) => kind === 'file').map(({ outcome, note }) => [outcome, note])).toEqual([
    ['kept', '别处还在用它'],
  ]);
  await deleteFiles(t);
  const response = await t.app.server.inject({ method: 'GET', url: row?.path ?? '' });
  expect(response.statusCode).toBe(200);
});
