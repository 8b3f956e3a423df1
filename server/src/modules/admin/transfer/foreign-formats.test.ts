import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter } from '../../../testing/essays.ts';
import { haloItem, haloRecord } from '../../../testing/halo.ts';
import { importFile, listItems, waitForTransfer } from '../../../testing/transfer.ts';

let t: TestApp;
let admin: string;
beforeAll(async () => {
  t = await startTestApp({ runsJobs: true });
  admin = await t.signInAdmin();
});
afterAll(() => t.close());

const zip = (files: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));

const head = (title: string, more = '') => `---\ntitle: ${title}\ndate: 2020-01-02\n${more}---\n\n正文。`;

const haloComment = (content: string, approved: boolean) => ({
  content,
  approved,
  owner: { kind: 'Email', name: 'r@r.test', displayName: '读者' },
  subjectRef: { kind: 'Post', name: 'p1' },
  creationTime: '2024-01-03T00:00:00Z',
});

const ghostPost = (id: number, title: string, slug: string, more: object = {}) => ({
  id,
  uuid: `ghost-${id}`,
  title,
  slug,
  html: '<p>正文。</p>',
  status: 'published',
  published_at: '2024-01-02T03:04:05.000Z',
  visibility: 'public',
  ...more,
});

const TYPECHO = `INSERT INTO typecho_contents (cid, title, slug, created, modified, text, \`order\`, authorId, template, type, status, password, commentsNum, allowComment, allowPing, allowFeed, parent) VALUES
(1,'文章','typecho-post',1704135845,1704135900,'<!--markdown-->正文。',0,1,NULL,'post','publish',NULL,2,'1','1','1',0),
(2,'页面','typecho-page',1704135845,0,'<!--markdown-->我们。',0,1,NULL,'page','publish',NULL,0,'1','1','1',0);
INSERT INTO typecho_comments (coid, cid, created, author, mail, url, ip, text, type, status, parent) VALUES
(1,1,1704135845,'读者','r@r.test','','1.2.3.4','好','comment','approved',0),
(2,1,1704135845,'读者','','','','等','comment','waiting',0);
INSERT INTO typecho_options (name, user, value) VALUES ('siteUrl',0,'https://typecho.test'),('title',0,'站');
`;

const archives: { format: string; name: string; content: Uint8Array; comments: number }[] = [
  {
    format: 'ghost',
    name: 'ghost.json',
    comments: 1,
    content: strToU8(
      JSON.stringify({
        db: [
          {
            meta: { version: '5.0.0' },
            data: {
              posts: [
                ghostPost(1, '文章', 'ghost-post'),
                ghostPost(2, '页面', 'ghost-page', { type: 'page' }),
              ],
              comments: [
                {
                  id: 'c1',
                  post_id: 1,
                  html: '<p>好</p>',
                  status: 'published',
                  created_at: '2024-01-03T00:00:00.000Z',
                },
              ],
            },
          },
        ],
      }),
    ),
  },
  {
    format: 'halo',
    name: 'halo.zip',
    comments: 2,
    content: zip({
      'extensions.data': JSON.stringify([
        haloRecord('snapshots', 's1', {
          rawType: 'markdown',
          rawPatch: '正文。',
          contentPatch: '<p>正文。</p>',
        }),
        haloRecord('posts', 'p1', haloItem('文章', 'halo-post')),
        haloRecord('singlepages', 'g1', haloItem('页面', 'halo-page')),
        haloRecord('comments', 'c1', haloComment('好', true)),
        haloRecord('comments', 'c2', haloComment('等', false)),
      ]),
    }),
  },
  { format: 'typecho', name: 'typecho.sql', comments: 2, content: strToU8(TYPECHO) },
  {
    format: 'hugo',
    name: 'hugo.zip',
    comments: 0,
    content: zip({
      'hugo.toml': 'baseURL = "https://hugo.test/"\ntitle = "站"\n',
      'content/posts/hugo-post.md': head('文章', 'aliases: [/very/old/]\n'),
      'content/hugo-page.md': head('页面'),
    }),
  },
  {
    format: 'jekyll',
    name: 'jekyll.zip',
    comments: 0,
    content: zip({
      '_config.yml': 'url: https://jekyll.test\n',
      '_posts/2020-01-02-jekyll-post.md': head('文章'),
      'jekyll-page.md': head('页面', 'layout: page\n'),
    }),
  },
  {
    format: 'markdown',
    name: 'markdown.zip',
    comments: 0,
    content: zip({
      'notes/markdown-post.md': head('文章', 'aliases: [/some/old/]\n'),
      'notes/markdown-page.md': head('页面', 'type: page\n'),
    }),
  },
];

const TABLES = ['pages', 'redirects', 'imported_comments', 'imported_sources'];

test.each(archives)(
  '$format: an essay, a page, redirects and comments arrive once and are undone',
  async (archive) => {
    const { format, name, content, comments } = archive;
    const { user } = await createWriter(t);
    const run = await importFile(t, admin, { name, content }, `?authorId=${user.id}`);
    expect(run).toMatchObject({ status: 'done', format });
    const items = await listItems(t, admin, run.id);
    const titles = items.map(({ kind, title, outcome }) => `${kind} ${title} ${outcome}`);
    expect(titles).toEqual(expect.arrayContaining(['essay 文章 created', 'page 页面 created']));
    const { rows } = await t.app.services.pool.query<{ slug: string }>(
      'select slug from essays where id = $1 and status = 3',
      [items.find(({ kind }) => kind === 'essay')?.essayId],
    );
    expect(rows[0]?.slug).toMatch(new RegExp(`${format}-post$`));
    const count = async (table: string) =>
      (await t.app.services.pool.query(`select 1 from ${table} where transfer_id = $1`, [run.id])).rows
        .length;
    expect(await count('pages')).toBe(1);
    expect(await count('redirects')).toBeGreaterThan(0);
    expect(await count('imported_comments')).toBe(comments);

    const again = await importFile(t, admin, { name, content }, `?authorId=${user.id}`);
    expect((await listItems(t, admin, again.id)).filter(({ outcome }) => outcome === 'created')).toEqual([]);

    await t.call('POST core/sys/transfer/undo', { id: run.id }, { token: admin });
    expect(await waitForTransfer(t, admin, run.id)).toMatchObject({ status: 'undone' });
    for (const table of TABLES) expect([table, await count(table)]).toEqual([table, 0]);
  },
);
