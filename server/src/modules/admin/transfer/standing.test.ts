import { strToU8, zipSync } from 'fflate';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { makeWriter } from '../../../testing/essays.ts';
import { makePng } from '../../../testing/pictures.ts';
import { importFile, itemsOf } from '../../../testing/transfer.ts';
import { SYSTEM } from '../../../threads/fair-queue.ts';
import { readImage } from '../../platform/uploads/images.ts';
import { readMoment } from './formats/front-matter.ts';
import { decodeReferences } from './formats/html.ts';

let t: TestApp;
let admin: string;
beforeAll(async () => {
  t = await startTestApp();
  admin = await t.signInAdmin();
});
afterAll(() => t.close());
afterEach(() => vi.restoreAllMocks());
// Imports wait for their turn behind what else the machine does.
vi.setConfig({ testTimeout: 120_000 });

/** What became of it, by title, and what the report says. */
async function bring(name: string, content: Uint8Array) {
  const { user } = await makeWriter(t);
  const run = await importFile(t, admin, { name, content }, `?authorId=${user.id}`);
  const items = await itemsOf(t, admin, run.id);
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
const PUBLISHED = 3;

test('a post of Hexo or Hugo that not everyone could read becomes a draft, and the report says so', async () => {
  const heads = {
    密码: 'password: secret',
    数字密码: 'password: 1234',
    隐藏: 'hidden: true',
    藏起: 'hide: "true"',
    私人: 'private: yes',
    不列出: 'build:\n  list: never',
    处处藏起: 'hidden: all',
    有加密: 'encrypt:\n  enable: true',
    列表里没有: 'listed: no',
    公开: 'hidden: false\npassword: ""',
    没写完: 'draft: true',
    没发表: 'published: no',
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
  const found = await bring('blog.zip', zip);
  for (const title of ['密码', '数字密码', '标签加锁'])
    expect(found(title)).toMatchObject({
      status: DRAFT,
      published_at: null,
      note: '原文有密码，作为草稿导入',
    });
  for (const title of ['隐藏', '藏起', '私人', '不列出', '处处藏起', '有加密', '列表里没有'])
    expect(found(title), title).toMatchObject({ status: DRAFT, note: '原文是隐藏的，作为草稿导入' });
  expect(found('公开')).toMatchObject({ status: PUBLISHED, note: '' });
  for (const title of ['没写完', '没发表', '未发表'])
    expect(found(title), title).toMatchObject({ status: DRAFT, note: '' });
  expect(found('将来')).toMatchObject({ status: DRAFT, note: '还没有到发布时间，作为草稿导入' });
});

test('a date that cannot be read is reported, and its essay never dated now', async () => {
  const post = (title: string, date: string) => strToU8(`---\ntitle: ${title}\n${date}\n---\n\n正文。`);
  const found = await bring(
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
  expect(found('没有日期')).toMatchObject({ status: PUBLISHED, note: '原文没有日期，按导入的时间发布' });
  expect(found('中文日期').published_at?.toISOString()).toBe('2020-03-03T16:00:00.000Z');
});

test('what WordPress exports: entities in names are decoded, passwords and dates as above', async () => {
  const item = (id: number, more: string) =>
    `<item>${more}<content:encoded><![CDATA[<p>A &amp; B</p>]]></content:encoded><wp:post_id>${id}</wp:post_id>` +
    '<wp:status>publish</wp:status><wp:post_type>post</wp:post_type></item>';
  const title = (text: string) => `<title><![CDATA[${text}]]></title>`;
  const when = (text: string) => `<wp:post_date>${text}</wp:post_date>`;
  const xml = `<?xml version="1.0"?><rss xmlns:content="c" xmlns:wp="http://wordpress.org/export/1.2/"><channel>
    ${item(1, `${title('Tips &amp; Tricks &#8211; &lt;b&gt; &hellip;')}${when('2020-01-02 03:04:05')}<category domain="post_tag"><![CDATA[R&amp;D]]></category>`)}
    ${item(2, `${title('有密码')}${when('2020-01-02 03:04:05')}<wp:post_password>x</wp:post_password>`)}
    ${item(3, `${title('坏日期')}${when('2020-13-45')}`)}
  </channel></rss>`;
  const found = await bring('export.xml', strToU8(xml));
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
])('%s is a date', (given, expected) => {
  expect(readMoment(given)?.toISOString()).toBe(expected);
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
])('%s is no date', (given) => {
  expect(readMoment(given)).toBeNull();
});

test('only character references are decoded', () => {
  expect(decodeReferences('AT&T &amp; &quot;x&quot; &#x4e2d; &amp;amp; &nosuchthing; <script>')).toBe(
    'AT&T & "x" 中 &amp; &nosuchthing; <script>',
  );
});

test('a picture that takes long is given a minute by an import, and refused in plain words after that', async () => {
  const png = await makePng({ width: 60 });
  await expect(readImage(SYSTEM, { content: png, isDrawing: false }, 1)).rejects.toMatchObject({
    fields: { file: '这张图片很久没有处理完，请换一张小一些的' },
  });
  expect(await readImage(SYSTEM, { content: png, isDrawing: false })).toMatchObject({ width: 60 });
  const waits = vi.spyOn(globalThis, 'setTimeout');
  await bring(
    'blog.zip',
    zipSync({
      'source/_posts/a.md': strToU8('---\ntitle: 图\ndate: 2020-01-02\n---\n\n![图](/a.png)'),
      'source/a.png': png,
    }),
  );
  expect(waits.mock.calls.map(([, ms]) => ms)).toContain(60_000);
});
