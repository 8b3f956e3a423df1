import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { strToU8, zipSync } from 'fflate';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { TIME_LIMIT_FACTOR } from '../../../config/time-limits.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter } from '../../../testing/essays.ts';
import { createPng } from '../../../testing/pictures.ts';
import { importFile, listItems } from '../../../testing/transfer.ts';
import { SYSTEM_CALLER } from '../../../threads/fair-queue.ts';
import { processImage } from '../../platform/uploads/images.ts';
import { parseDate } from './formats/dates.ts';
import { decodeReferences } from './formats/html.ts';

let t: TestApp;
let admin: string;
beforeAll(async () => {
  t = await startTestApp({ runsJobs: true });
  admin = await t.signInAdmin();
});
afterAll(() => t.close());
afterEach(() => vi.restoreAllMocks());

/** Imports a file and returns a function that finds an essay and its note by title. */
async function importArchive(name: string, content: Uint8Array) {
  const { user } = await createWriter(t);
  const run = await importFile(t, admin, { name, content }, `?authorId=${user.id}`);
  const items = await listItems(t, admin, run.id);
  const { rows } = await t.app.services.pool.query<{
    title: string;
    status: number;
    published_at: Date | null;
    tags: string[];
  }>('select title, status, published_at, tags from essays where author_id = $1', [user.id]);
  return (title: string) => ({
    ...rows.find((row) => row.title === title),
    note: items.find((item) => item.kind === 'essay' && item.title === title)?.note,
  });
}

const DRAFT = 0;
const APPROVED = 2;
const PUBLISHED = 3;

test('imports hidden and protected posts of Hexo and Hugo as drafts and reports it', async () => {
  const heads = {
    密码: 'password: secret',
    数字密码: 'password: 1234',
    几个密码: 'password: [甲, 乙]',
    主题的密码: 'params:\n  password: x',
    隐藏: 'hidden: true',
    藏起: 'hide: "true"',
    私人: 'private: yes',
    不列出: 'build:\n  list: never',
    处处藏起: 'hidden: all',
    有加密: 'encrypt:\n  enable: true',
    列表里没有: 'listed: no',
    给会员看: 'visibility: members',
    不公开: 'public: false',
    公开: 'hidden: false\npassword: ""',
    没写完: 'draft: true',
    没发表: 'published: no',
    等待审阅: 'status: pending',
    未发表: 'published: "false"',
    将来: 'date: 2099-01-01',
    标签加锁: 'tags: [日记]',
  };
  const zip = zipSync({
    '_config.yml': strToU8('encrypt:\n  tags:\n  - {name: 日记, password: x}\n'),
    ...Object.fromEntries(
      Object.entries(heads).map(([title, head], index) => [
        `source/_posts/${index}.md`,
        strToU8(`---\ndate: 2020-01-02 03:04:05\n${head}\ntitle: ${title}\n---\n\n正文。`),
      ]),
    ),
  });
  const found = await importArchive('blog.zip', zip);
  for (const title of ['密码', '数字密码', '几个密码', '主题的密码', '标签加锁'])
    expect(found(title)).toMatchObject({
      status: DRAFT,
      published_at: null,
      note: '原文有密码，作为草稿导入',
    });
  for (const title of ['隐藏', '藏起', '不列出', '处处藏起', '列表里没有', '给会员看', '不公开'])
    expect(found(title), title).toMatchObject({ status: DRAFT, note: '原文是隐藏的，作为草稿导入' });
  for (const title of ['私人', '有加密'])
    expect(found(title), title).toMatchObject({ status: DRAFT, note: '原文是私密的，作为草稿导入' });
  expect(found('公开')).toMatchObject({ status: PUBLISHED, note: '' });
  for (const title of ['没写完', '没发表', '未发表', '等待审阅'])
    expect(found(title), title).toMatchObject({ status: DRAFT, note: '原文是草稿' });
  expect(found('将来')).toMatchObject({
    status: APPROVED,
    published_at: null,
    note: '还没有到发布时间，到时自动发布',
  });
});

test('reports an invalid date and never replaces it by the current time', async () => {
  const post = (title: string, date: string) => strToU8(`---\ntitle: ${title}\n${date}\n---\n\n正文。`);
  const found = await importArchive(
    'blog.zip',
    zipSync({
      'source/_posts/a.md': post('乱写', 'date: 去年冬天'),
      'source/_posts/b.md': post('没有这一天', 'date: 2021-02-31'),
      'source/_posts/2019-05-06-c.md': post('文件名里有', 'date: "{{ date }}"'),
      'source/_posts/d.md': post('更新时间', 'date: 2020-03-04\nupdated: soon 1'),
      'source/_posts/e.md': post('没有日期', 'tags: 甲'),
      'source/_posts/f.md': post('中文日期', 'date: 2020年3月4日'),
    }),
  );
  expect(found('乱写')).toMatchObject({
    status: DRAFT,
    published_at: null,
    note: '日期「去年冬天」无法识别，作为草稿导入',
  });
  expect(found('没有这一天')).toMatchObject({ status: DRAFT, published_at: null });
  const dated = found('文件名里有');
  expect(dated).toMatchObject({ status: PUBLISHED, note: '日期「{{ date }}」无法识别' });
  expect(dated.published_at?.toISOString()).toBe('2019-05-05T16:00:00.000Z');
  const updated = found('更新时间');
  expect(updated).toMatchObject({ status: PUBLISHED, note: '日期「soon 1」无法识别' });
  expect(updated.published_at?.toISOString()).toBe('2020-03-03T16:00:00.000Z');
  expect(found('没有日期')).toMatchObject({ status: PUBLISHED, note: '原文没有日期，用了文件的时间' });
  expect(found('中文日期').published_at?.toISOString()).toBe('2020-03-03T16:00:00.000Z');
});

test('WordPress: decodes entities in names, and handles passwords and invalid dates', async () => {
  const item = (id: number, more: string) =>
    `<item>${more}<content:encoded><![CDATA[<p>A &amp; B</p>]]></content:encoded><wp:post_id>${id}</wp:post_id>` +
    '<wp:status>publish</wp:status><wp:post_type>post</wp:post_type></item>';
  const title = (text: string) => `<title><![CDATA[${text}]]></title>`;
  const postDate = (text: string) => `<wp:post_date>${text}</wp:post_date>`;
  const xml = `<?xml version="1.0"?><rss xmlns:content="c" xmlns:wp="http://wordpress.org/export/1.2/"><channel>
    ${item(1, `${title('Tips &amp; Tricks &#8211; &lt;b&gt; &hellip;')}${postDate('2020-01-02 03:04:05')}<category domain="post_tag"><![CDATA[R&amp;D]]></category>`)}
    ${item(2, `${title('有密码')}${postDate('2020-01-02 03:04:05')}<wp:post_password>x</wp:post_password>`)}
    ${item(3, `${title('坏日期')}${postDate('2020-13-45')}`)}
  </channel></rss>`;
  const found = await importArchive('export.xml', strToU8(xml));
  expect(found('Tips & Tricks – <b> …')).toMatchObject({ status: PUBLISHED, tags: ['R D'] });
  expect(found('有密码')).toMatchObject({ status: DRAFT, note: '原文有密码，作为草稿导入' });
  expect(found('坏日期')).toMatchObject({
    status: DRAFT,
    published_at: null,
    note: '日期「2020-13-45」无法识别，作为草稿导入',
  });
});

test.each([
  ['2024-01-02', '2024-01-01T16:00:00.000Z'],
  ['2024/1/2 3:04', '2024-01-01T19:04:00.000Z'],
  ['2024-01-02T03:04:05Z', '2024-01-02T03:04:05.000Z'],
  ['2024-01-02 03:04:05 +0800', '2024-01-01T19:04:05.000Z'],
  ['Tue, 02 Jan 2024 03:04:05 GMT', '2024-01-02T03:04:05.000Z'],
  ['Jan 2, 2024', '2024-01-01T16:00:00.000Z'],
  ['2024/01/02 03:04:05 +0800', '2024-01-01T19:04:05.000Z'],
  ['2024.01.02', '2024-01-01T16:00:00.000Z'],
  ['2024年1月2日', '2024-01-01T16:00:00.000Z'],
  ['2 January 2024', '2024-01-01T16:00:00.000Z'],
  [20240102, '2024-01-01T16:00:00.000Z'],
  [1704164645, '2024-01-02T03:04:05.000Z'],
  [1704164645000, '2024-01-02T03:04:05.000Z'],
])('parses %s as a date', (given, expected) => {
  expect(parseDate(given)?.toISOString()).toBe(expected);
});

test.each([
  'version 2',
  'hello 1',
  '2024-02-30',
  '2024-13-01',
  '2024-02-31T00:00:00Z',
  'Feb 31, 2024',
  'Foo 3, 2024',
  20240231,
  5,
  1.5,
  '',
  'Jan 2',
  null,
  {},
  true,
])('rejects %s as a date', (given) => {
  expect(parseDate(given)).toBeNull();
});

test('decodes only character references', () => {
  expect(decodeReferences('AT&T &amp; &quot;x&quot; &#x4e2d; &amp;amp; &nosuchthing; <script>')).toBe(
    'AT&T & "x" 中 &amp; &nosuchthing; <script>',
  );
});

test('an import waits a minute for a slow picture before it rejects it', async () => {
  const png = await createPng({ width: 60 });
  // No machine reads nine million pixels in a few milliseconds.
  const large = await createPng({ width: 3000, height: 3000 });
  await expect(processImage(SYSTEM_CALLER, { content: large, isGenerated: false }, 1)).rejects.toMatchObject({
    fields: { file: '这张图片很久没有处理完，请换一张小一些的' },
  });
  expect(await processImage(SYSTEM_CALLER, { content: png, isGenerated: false })).toMatchObject({
    width: 60,
  });
  const loads = vi.spyOn(os, 'loadavg').mockReturnValue([3 * os.availableParallelism()]);
  syncBuiltinESMExports();
  onTestFinished(() => {
    loads.mockRestore();
    syncBuiltinESMExports();
  });
  const timeouts = vi.spyOn(globalThis, 'setTimeout');
  await importArchive(
    'blog.zip',
    zipSync({
      'source/_posts/a.md': strToU8('---\ntitle: 图\ndate: 2020-01-02\n---\n\n![图](/a.png)'),
      'source/a.png': png,
    }),
  );
  // Three times as long under this load.
  expect(timeouts.mock.calls.map(([, ms]) => ms)).toContain(3 * 60_000 * TIME_LIMIT_FACTOR);
});

test('imports pages, and counts pictures that stay behind', async () => {
  const { user } = await createWriter(t);
  const item = (id: number, type: string, more: string) =>
    `<item><title>${type} ${id}</title><content:encoded><![CDATA[<p>正文 <img src="https://pic.test/a.png"></p>]]></content:encoded><wp:post_id>${id}</wp:post_id><wp:post_type>${type}</wp:post_type><wp:status>publish</wp:status><wp:post_date>2024-01-02 03:04:05</wp:post_date>${more}</item>`;
  const comment =
    '<wp:comment><wp:comment_id>1</wp:comment_id><wp:comment_content>好</wp:comment_content><wp:comment_approved>1</wp:comment_approved></wp:comment>';
  const terms = ['甲', '乙'].map((name) => `<category domain="category">${name}</category>`).join('');
  const xml = `<rss xmlns:content="c" xmlns:wp="http://wordpress.org/export/1.2/"><channel>${item(1, 'post', comment + terms)}${item(2, 'page', '')}</channel></rss>`;
  const run = await importFile(
    t,
    admin,
    { name: 'a.xml', content: strToU8(xml) },
    `?authorId=${user.id}&fetchPictures=0`,
  );
  expect(run).toMatchObject({ status: 'done', format: 'wordpress' });
  const items = await listItems(t, admin, run.id);
  expect(items.find(({ kind }) => kind === 'page')).toMatchObject({
    title: 'page 2',
    outcome: 'created',
    note: '1 张图片在别的网站上，只保留了链接',
  });
  const note = items.find(({ kind }) => kind === 'essay')?.note;
  expect(note).toContain('1 张图片在别的网站上，只保留了链接');
  const { rows } = await t.app.services.pool.query<{ tags: string[] }>(
    'select tags from essays where author_id = $1',
    [user.id],
  );
  expect(rows).toEqual([{ tags: ['甲', '乙'] }]);
});
