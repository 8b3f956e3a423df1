import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter } from '../../../testing/essays.ts';
import { exportSite, importFile, listItems, waitForTransfer } from '../../../testing/transfer.ts';

const PDF = strToU8('%PDF-1.4 text');
const MP3 = strToU8('ID3 sound');
const MP4 = strToU8('    ftyp video');

let failing = false;
const oldSite = createServer((request, response) => {
  const path = new URL(request.url ?? '/', 'http://old.test').pathname;
  if (failing || path === '/gone.pdf') response.writeHead(404).end();
  else if (path.endsWith('.pdf')) response.end(PDF);
  else if (path.endsWith('.mp3')) response.end('<html>no sound</html>');
  else if (path.endsWith('.zip')) response.end(Buffer.alloc(50 * 1024 * 1024 + 1));
  else response.end(MP4);
});

let t: TestApp;
let admin: string;
let base: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => oldSite.listen(0, '127.0.0.1', resolve));
  // Connects to this machine; readers take 127.0.0.1 for a configuration that was never changed.
  base = `http://0.0.0.0:${(oldSite.address() as AddressInfo).port}`;
  t = await startTestApp({ runsJobs: true, config: { webhookAllowPrivate: true } });
  admin = await t.signInAdmin();
});
afterAll(async () => {
  await t.close();
  oldSite.closeAllConnections();
  oldSite.close();
});

interface Found {
  id: string;
  content: string;
  html: string;
  attachments: { id: string; name: string; path: string }[];
}

async function findEssay(title: string): Promise<Found> {
  const { rows } = await t.app.services.pool.query(
    `select replace(essays.id::text, '-', '') as id, essay_revisions.content, html, (
        select coalesce(json_agg(json_build_object('id', replace(attachments.id::text, '-', ''), 'name', name, 'path', path) order by place), '[]')
        from unnest(essays.attachments) with ordinality as had (id, place) join attachments on attachments.id = had.id::uuid) as attachments
     from essays join essay_revisions on essay_id = essays.id and essay_revisions.version = essays.version
     left join essay_texts on essay_texts.essay_id = essays.id and essay_texts.version = essays.version
     where essays.title = $1 and deleted_at is null`,
    [title],
  );
  return rows[0];
}

async function bring(name: string, content: Uint8Array, more = '') {
  const { user, token } = await createWriter(t);
  const run = await importFile(t, admin, { name, content }, `?authorId=${user.id}${more}`);
  expect(run).toMatchObject({ status: 'done', message: '' });
  const items = await listItems(t, admin, run.id);
  return { run, token, noteOf: (title: string) => items.find((item) => item.title === title)?.note };
}

const post = (title: string, text: string) =>
  strToU8(`---\ntitle: ${title}\ndate: 2020-01-02\n---\n\n${text}`);
const hexo = (files: Record<string, Uint8Array>, url = 'https://files.test') =>
  zipSync({ '_config.yml': strToU8(`url: ${url}\n`), ...files });

test('files of the archive become attachments, and links lead to them', async () => {
  const { noteOf, token } = await bring(
    'blog.zip',
    hexo({
      'source/_posts/a.md': post(
        '有附件',
        '[手册](/f/%E6%89%8B%E5%86%8C.pdf#page=2)、[再](</f/手册.pdf>)、[程序](/f/a.exe)\n\n<audio controls src="/f/s.mp3">听不了</audio>\n\n<video>\n<source src="/f/v.mp4" type="video/mp4">\n</video>',
      ),
      'source/about-files/index.md': post('附件的页面', '[手册](/f/手册.pdf)'),
      'source/f/手册.pdf': PDF,
      'source/f/s.mp3': MP3,
      'source/f/v.mp4': MP4,
      'source/f/a.exe': strToU8('MZ'),
    }),
  );
  const { id, content, html, attachments } = await findEssay('有附件');
  const [manual, sound, video] = attachments;
  expect(attachments.map(({ name }) => name)).toEqual(['手册.pdf', 's.mp3', 'v.mp4']);
  expect(content).toContain(
    `[手册](#attachment-${manual?.id})、[再](#attachment-${manual?.id})、[程序](/f/a.exe)`,
  );
  expect(content).toContain(`<a href="#attachment-${sound?.id}">s.mp3</a>`);
  expect(content).toContain(`<a href="#attachment-${video?.id}">v.mp4</a>`);
  expect(html).toContain(`href="#attachment-${manual?.id}"`);
  expect(html).toContain(`href="#attachment-${video?.id}"`);
  expect(noteOf('有附件')).toBe('附件没有导入：source/f/a.exe（不支持这种附件）');
  expect(noteOf('附件的页面')).toBe('页面没有附件，只保留了链接：source/f/手册.pdf');
  const { data } = await t.call(
    'POST core/essay/download',
    { essayId: id, attachmentId: manual?.id },
    { token },
  );
  const response = await t.app.server.inject({ method: 'GET', url: data.url });
  expect(response.body).toBe('%PDF-1.4 text');
});

test('an essay has at most ten attachments; the others stay links and are reported', async () => {
  const names = Array.from({ length: 12 }, (_, i) => `n${i}.pdf`);
  const { noteOf } = await bring(
    'blog.zip',
    hexo({
      'source/_posts/many.md': post('太多附件', names.map((name) => `[${name}](/f/${name})`).join('\n\n')),
      ...Object.fromEntries(names.map((name) => [`source/f/${name}`, strToU8(`%PDF-${name}`)])),
    }),
  );
  const { content, attachments } = await findEssay('太多附件');
  expect(attachments).toHaveLength(10);
  expect(content).toContain('[n11.pdf](/f/n11.pdf)');
  expect(noteOf('太多附件')).toBe(
    '附件没有导入：source/f/n10.pdf（一篇文章最多 10 个）；附件没有导入：source/f/n11.pdf（一篇文章最多 10 个）',
  );
});

const wordpress = (host: string, text: string) =>
  strToU8(`<?xml version="1.0"?><rss xmlns:content="c" xmlns:wp="http://wordpress.org/export/1.2/"><channel>
    <title>站</title><link>https://${host}</link><wp:base_site_url>https://${host}</wp:base_site_url>
    <item><title>${host}</title><link>https://${host}/1/</link><wp:post_id>1</wp:post_id>
    <content:encoded><![CDATA[${text}]]></content:encoded><wp:post_date>2020-01-02 03:04:05</wp:post_date>
    <wp:status>publish</wp:status><wp:post_type>post</wp:post_type></item></channel></rss>`);

const ghost = (html: string) =>
  strToU8(
    JSON.stringify({
      db: [
        {
          meta: { version: '5.0.0' },
          data: {
            posts: [
              {
                id: 1,
                uuid: 'ghost-files',
                title: 'ghost.test',
                slug: 'ghost-files',
                html,
                status: 'published',
                published_at: '2024-01-02T03:04:05.000Z',
                visibility: 'public',
              },
            ],
          },
        },
      ],
    }),
  );

const TYPECHO = `INSERT INTO typecho_contents (cid, title, slug, created, modified, text, \`order\`, authorId, template, type, status, password, commentsNum, allowComment, allowPing, allowFeed, parent) VALUES
(1,'typecho.test','typecho-files',1704135845,1704135900,'<!--markdown-->[手册](https://typecho.test/usr/uploads/2024/01/a.pdf)',0,1,NULL,'post','publish',NULL,2,'1','1','1',0);
INSERT INTO typecho_options (name, user, value) VALUES ('siteUrl',0,'https://typecho.test'),('title',0,'站');
`;

const archives: [string, Record<string, Uint8Array>, string[]][] = [
  [
    'wp.test',
    {
      'export.xml': wordpress(
        'wp.test',
        '<a href="https://wp.test/wp-content/uploads/2020/01/a.pdf">手册</a>[audio mp3="https://wp.test/wp-content/uploads/s.mp3"][/audio]',
      ),
      'wp-content/uploads/2020/01/a.pdf': PDF,
      'wp-content/uploads/s.mp3': MP3,
    },
    ['a.pdf', 's.mp3'],
  ],
  [
    'ghost.test',
    {
      'ghost.json': ghost(
        '<p><a href="__GHOST_URL__/content/files/2024/01/a.pdf">手册</a></p><video src="__GHOST_URL__/content/media/2024/01/v.mp4"></video>',
      ),
      'content/files/2024/01/a.pdf': PDF,
      'content/media/2024/01/v.mp4': MP4,
    },
    ['a.pdf', 'v.mp4'],
  ],
  ['typecho.test', { 'typecho.sql': strToU8(TYPECHO), 'usr/uploads/2024/01/a.pdf': PDF }, ['a.pdf']],
];

test.each(archives)('%s: files of the uploads folder become attachments', async (title, files, names) => {
  await bring('archive.zip', zipSync(files));
  const { attachments, content } = await findEssay(title);
  expect(attachments.map(({ name }) => name)).toEqual(names);
  for (const { id } of attachments) expect(content).toContain(`](#attachment-${id})`);
});

const listFiles = async (id: string, status: 'failed' | 'done') =>
  (await t.call('GET core/sys/transfer/picture', { id, status }, { token: admin })).data.list;

test('attachments on other hosts are fetched; failures are listed with their reasons and can be retried', async () => {
  const { run } = await bring(
    'blog.zip',
    hexo(
      {
        'source/_posts/far.md': post(
          '远处的附件',
          `[甲](${base}/%E7%94%B2.pdf) [丢了](/gone.pdf) <audio src="${base}/s.mp3"></audio> [大](/big.zip) <video src="${base}/v.mp4"></video>`,
        ),
        'source/_posts/far2.md': post('同一个附件', `[甲](${base}/%E7%94%B2.pdf)`),
      },
      base,
    ),
  );
  expect(run.pictures.total).toBe(5);
  const isFetched = ({ pictures }: { pictures: { total: number; done: number; failed: number } }) =>
    pictures.done + pictures.failed === pictures.total;
  const after = await waitForTransfer(t, admin, run.id, isFetched);
  expect(after.pictures).toEqual({ total: 5, done: 2, failed: 3 });
  const failed = await listFiles(run.id, 'failed');
  expect(failed.map(({ url, kind, error }) => [url.replace(base, ''), kind, error]).sort()).toEqual([
    ['/big.zip', 'attachment', '文件太大，最大 50 MB'],
    ['/gone.pdf', 'attachment', '对方响应 404'],
    ['/s.mp3', 'attachment', '文件的内容与它的后缀不符'],
  ]);
  expect(failed[0]?.usedIn[0]?.title).toBe('远处的附件');
  await expect.poll(async () => (await findEssay('远处的附件')).attachments).toHaveLength(2);
  const { content, attachments } = await findEssay('远处的附件');
  expect(attachments.map(({ name }) => name).sort()).toEqual(['v.mp4', '甲.pdf']);
  const idOf = (name: string) => attachments.find((each) => each.name === name)?.id;
  expect(content.trim()).toBe(
    `[甲](#attachment-${idOf('甲.pdf')}) [丢了](${base}/gone.pdf) <a href="${base}/s.mp3">s.mp3</a> [大](${base}/big.zip) <a href="#attachment-${idOf('v.mp4')}">v.mp4</a>`,
  );
  await expect.poll(async () => (await findEssay('同一个附件')).attachments).toHaveLength(1);
});

test('addresses of attachments stay if nothing is fetched', async () => {
  failing = true;
  const { noteOf, run } = await bring(
    'blog.zip',
    hexo({ 'source/_posts/stay.md': post('留着附件', `[视频](${base}/v.mp4)`) }),
    '&fetchPictures=0',
  );
  failing = false;
  expect(run.pictures.total).toBe(0);
  expect(noteOf('留着附件')).toBe('1 个附件在别的网站上，只保留了链接');
  expect((await findEssay('留着附件')).content).toContain(`[视频](${base}/v.mp4)`);
});

test('an export of this program keeps the links to attachments', async () => {
  const zip = await exportSite(t, admin);
  const before = await findEssay('有附件');
  const other = await startTestApp({ runsJobs: true });
  const token = await other.signInAdmin();
  await importFile(other, token, { name: 'site.zip', content: zip });
  const { rows } = await other.app.services.pool.query<{ content: string; attachments: string[] }>(
    `select content, attachments from essays join essay_revisions on essay_id = id where id = $1`,
    [before.id],
  );
  expect(rows[0]?.attachments).toHaveLength(3);
  for (const [i, { id }] of before.attachments.entries()) {
    const imported = rows[0]?.attachments[i]?.replaceAll('-', '') ?? '';
    expect(imported).not.toBe(id);
    expect(rows[0]?.content).toContain(`#attachment-${imported}`);
  }
  await other.close();
});
