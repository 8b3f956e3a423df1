import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter } from '../../../testing/essays.ts';
import { createPng } from '../../../testing/pictures.ts';
import { importFile, listItems, waitForTransfer } from '../../../testing/transfer.ts';

let t: TestApp;
let admin: string;
beforeAll(async () => {
  t = await startTestApp({ runsJobs: true });
  admin = await t.signInAdmin();
});
afterAll(() => t.close());

const APPROVED = 2;
const PUBLISHED = 3;

interface StoredEssay {
  id: string;
  title: string;
  slug: string | null;
  status: number;
  tags: string[];
  author_pin: number | null;
  allow_comment: boolean;
  scheduled_at: Date | null;
}

/** Imports a file for a new writer. */
async function bring(name: string, content: Uint8Array, writer?: string) {
  const authorId = writer ?? (await createWriter(t)).user.id;
  const run = await importFile(t, admin, { name, content }, `?authorId=${authorId}`);
  expect(run).toMatchObject({ status: 'done', message: '' });
  const items = await listItems(t, admin, run.id);
  const essays = await t.query<StoredEssay>(
    "select *, replace(id::text, '-', '') as id from essays where author_id = $1 and deleted_at is null",
    [authorId],
  );
  return {
    authorId,
    runId: run.id,
    items,
    essays,
    essay: (title: string) => essays.find((each) => each.title === title),
    item: (kind: string, title?: string) =>
      items.find((each) => each.kind === kind && (title === undefined || each.title === title)),
  };
}

async function undo(id: string) {
  await t.call('POST core/sys/transfer/undo', { id }, { token: admin });
  const run = await waitForTransfer(t, admin, id);
  expect(run).toMatchObject({ status: 'undone' });
  return listItems(t, admin, id);
}

const post = (head: string, text = '正文。') =>
  strToU8(`---\ndate: 2020-01-02 03:04:05\n${head}\n---\n\n${text}`);

const hexo = (host: string, files: Record<string, Uint8Array>) =>
  zipSync({
    '_config.yml': strToU8(`title: 博客\nurl: https://${host}\npermalink: :year/:month/:day/:title/\n`),
    ...files,
  });

test('pages become pages, pinned posts are pinned, slugs and closed comments are kept', async () => {
  const { item, essay, runId } = await bring(
    'blog.zip',
    hexo('one.test', {
      'source/_posts/My_First Post.md': post(
        'title: 第一篇\ntop: true\ncomments: false\ncategories: [没有的, 也没有]\ntags: [甲]',
      ),
      'source/_posts/将来.md': post('title: 将来的\ndate: 2090-01-01'),
      'source/_posts/很远.md': post('title: 很远的\ndate: 2190-01-01'),
      'source/team/index.md': post('title: 我们', '![图](/a.png)'),
      'source/secret/index.md': post('title: 秘密\npassword: x'),
      'source/a.png': new Uint8Array(await createPng({ width: 60 })),
    }),
  );
  expect(essay('第一篇')).toMatchObject({
    slug: 'my-first-post',
    status: PUBLISHED,
    author_pin: 1,
    allow_comment: false,
    tags: ['甲', '没有的', '也没有'],
  });
  expect(essay('将来的')).toMatchObject({ status: APPROVED, scheduled_at: new Date('2089-12-31T16:00:00Z') });
  expect(essay('很远的')).toMatchObject({ status: 0, scheduled_at: null });
  expect(essay('我们')).toBeUndefined();
  expect(item('page', '我们')).toMatchObject({ outcome: 'created', note: '' });
  expect(item('page', '秘密')).toMatchObject({ outcome: 'created', note: '原文有密码，作为草稿导入' });
  const pages = await t.query<{ slug: string; published: boolean; content: string }>(
    'select slug, published, content from pages where transfer_id = $1 order by slug',
    [runId],
  );
  expect(pages).toMatchObject([
    { slug: 'secret', published: false },
    { slug: 'team', published: true, content: expect.stringMatching(/^!\[图\]\(\/files\//) },
  ]);
  const items = await undo(runId);
  expect(items.filter(({ kind }) => kind === 'page').map(({ outcome }) => outcome)).toEqual([
    'removed',
    'removed',
  ]);
  expect(await t.query('select 1 from pages where transfer_id = $1', [runId])).toEqual([]);
});

test('a slug that is taken and a pin without room are reported', async () => {
  const names = ['甲', '乙', '丙', '丁'];
  const first = await bring(
    'blog.zip',
    hexo('two.test', {
      'source/_posts/same-slug.md': post('title: 占先'),
      ...Object.fromEntries(
        names.map((name) => [`source/_posts/${name}${name}.md`, post(`title: ${name}\ntop: 1`)]),
      ),
    }),
  );
  const unpinned = names.filter((name) => first.essay(name)?.author_pin === null);
  expect(unpinned).toHaveLength(1);
  expect(first.item('essay', unpinned[0])).toMatchObject({ note: '作者主页的置顶已满，没有置顶' });
  const second = await bring(
    'blog.zip',
    hexo('three.test', { 'source/_posts/Same-Slug.md': post('title: 后来') }),
  );
  expect(second.essay('后来')).toMatchObject({ slug: null, status: PUBLISHED });
  expect(second.item('essay', '后来')).toMatchObject({ note: '网址「same-slug」不能用，改用编号' });
});

test('old addresses lead to essays and pages, and an undo removes them', async () => {
  const { item, essay, runId } = await bring(
    'blog.zip',
    hexo('four.test', {
      'source/_posts/old-address.md': post('title: 旧文'),
      'source/staff/index.md': post('title: 同事'),
    }),
  );
  const { id } = essay('旧文') ?? {};
  expect(id).toBeDefined();
  const stored = await t.query<{ path: string; target: string | null; essay: string | null }>(
    "select path, target, replace(essay_id::text, '-', '') as essay from redirects where transfer_id = $1",
    [runId],
  );
  expect(stored).toEqual(
    expect.arrayContaining([
      { path: '/2020/01/02/old-address', target: null, essay: id },
      { path: '/staff', target: '/page/staff.html', essay: null },
    ]),
  );
  const note = item('redirect')?.note ?? '';
  expect(note).toMatch(new RegExp(`^${stored.length} 条旧网址会跳转到新的网址`));
  expect(await t.query("select target from redirects where path = '/atom.xml'")).toEqual([
    { target: '/feed.xml' },
  ]);
  const items = await undo(runId);
  expect(items.find(({ kind }) => kind === 'redirect')).toMatchObject({ outcome: 'removed' });
  expect(await t.query('select 1 from redirects where transfer_id = $1', [runId])).toEqual([]);
});

const wordpress = (host: string, items: string) =>
  strToU8(`<?xml version="1.0"?><rss xmlns:content="c" xmlns:wp="http://wordpress.org/export/1.2/"><channel>
    <title>站</title><link>https://${host}</link><wp:base_site_url>https://${host}</wp:base_site_url>${items}</channel></rss>`);

const wordpressPost = (id: number, title: string, more: string, text = '<p>正文</p>') =>
  `<item><title>${title}</title><link>https://wp.test/${id}/</link><wp:post_id>${id}</wp:post_id>
    <content:encoded><![CDATA[${text}]]></content:encoded><wp:post_date>2020-01-02 03:04:05</wp:post_date>
    <wp:status>publish</wp:status><wp:post_type>post</wp:post_type>${more}</item>`;

const wordpressComment = (id: number, content: string, more = '') =>
  `<wp:comment><wp:comment_id>${id}</wp:comment_id><wp:comment_author>路人${id}</wp:comment_author>
    <wp:comment_author_email>x@x.test</wp:comment_author_email><wp:comment_date_gmt>2020-02-0${id} 00:00:00</wp:comment_date_gmt>
    <wp:comment_content>${content}</wp:comment_content>${more || '<wp:comment_approved>1</wp:comment_approved>'}</wp:comment>`;

test('comments of WordPress become comments of guests, held ones stay held, and an undo removes them', async () => {
  const xml = wordpress(
    'wp.test',
    wordpressPost(
      1,
      '有评论',
      wordpressComment(1, '好文') +
        wordpressComment(
          2,
          '同意',
          '<wp:comment_approved>1</wp:comment_approved><wp:comment_parent>1</wp:comment_parent>',
        ) +
        wordpressComment(3, '待审', '<wp:comment_approved>0</wp:comment_approved>') +
        wordpressComment(4, '广告', '<wp:comment_approved>spam</wp:comment_approved>'),
    ),
  );
  const { item, essay, runId } = await bring('export.xml', xml);
  expect(item('essay', '有评论')).toMatchObject({ note: '1 条垃圾评论没有导入' });
  expect(item('comments')).toMatchObject({
    outcome: 'created',
    title: '3 条评论：有评论',
    note: '1 条等待审核',
  });
  const comments = () =>
    t.query(
      'select guest_name, status, content, user_id from comments where essay_id = $1 order by created_at',
      [essay('有评论')?.id],
    );
  expect(await comments()).toMatchObject([
    { guest_name: '路人1', status: 0, content: '好文', user_id: null },
    { guest_name: '路人2', status: 0, content: '同意' },
    { guest_name: '路人3', status: 1, content: '待审' },
  ]);
  // An essay that was edited since stays without the comments that the run brought.
  await t.query('update essays set version = 2 where id = $1', [essay('有评论')?.id]);
  const items = await undo(runId);
  expect(items.find(({ kind }) => kind === 'essay')).toMatchObject({ outcome: 'kept' });
  expect(items.find(({ kind }) => kind === 'comments')).toMatchObject({ outcome: 'removed' });
  expect(await comments()).toEqual([]);
});

const contentOf = async (id: string | undefined) =>
  (await t.query<{ content: string }>('select content from essay_revisions where essay_id = $1', [id]))[0]
    ?.content;

test('links between posts and pages lead to the new addresses, by slug where there is one', async () => {
  await bring('blog.zip', hexo('other.test', { 'source/_posts/link-taken.md': post('title: 占用') }));
  const { essay, essays, runId } = await bring(
    'blog.zip',
    hexo('five.test', {
      'source/_posts/link-a.md': post(
        'title: 链接甲',
        '见[乙](/2020/01/02/link-b/#part)、[页](https://five.test/crew/)、[丙](/2020/01/02/link-taken/)、[外](https://example.org/)。',
      ),
      'source/_posts/link-b.md': post('title: 链接乙', '回到[甲](/2020/01/02/link-a/)。'),
      'source/_posts/link-taken.md': post('title: 链接丙'),
      'source/crew/index.md': post('title: 船员', '[岛](/island/)和[乙](/2020/01/02/link-b/)'),
      'source/island/index.md': post('title: 岛', '[船员](/crew/#top)'),
    }),
  );
  expect(essays).toHaveLength(3);
  expect(await contentOf(essay('链接甲')?.id)).toBe(
    `见[乙](/essay/detail/link-b.html#part)、[页](/page/crew.html)、[丙](/essay/detail/${essay('链接丙')?.id}.html)、[外](https://example.org/)。`,
  );
  expect(await contentOf(essay('链接乙')?.id)).toBe('回到[甲](/essay/detail/link-a.html)。');
  expect(await t.query('select content from pages where transfer_id = $1 order by slug', [runId])).toEqual([
    { content: '[岛](/page/island.html)和[乙](/essay/detail/link-b.html)' },
    { content: '[船员](/page/crew.html#top)' },
  ]);
});

test('a second import of the same site brings only what is new', async () => {
  const files = {
    'source/_posts/again-a.md': post('title: 再来甲'),
    'source/_posts/again-b.md': post('title: 再来乙'),
    'source/again/index.md': post('title: 再来页'),
  };
  const first = await bring('blog.zip', hexo('six.test', files));
  const second = await bring(
    'blog.zip',
    hexo('six.test', {
      ...files,
      'source/_posts/again-b.md': post('title: 再来乙', '改过的正文，有[甲](/2020/01/02/again-a/)。'),
      'source/_posts/again-c.md': post('title: 再来丙', '有[甲](/2020/01/02/again-a/)。'),
    }),
    first.authorId,
  );
  expect(second.essays).toHaveLength(3);
  expect(second.item('essay', '再来甲')).toMatchObject({ outcome: 'skipped', note: '已存在' });
  expect(second.item('essay', '再来乙')).toMatchObject({ outcome: 'updated', note: '' });
  expect(second.item('page', '再来页')).toMatchObject({ outcome: 'skipped', note: '已存在' });
  expect(second.item('essay', '再来丙')).toMatchObject({ outcome: 'created' });
  expect(await contentOf(second.essay('再来丙')?.id)).toContain('/essay/detail/again-a.html');
  // An undo takes back only what its own run made.
  await undo(second.runId);
  const left = await t.query<{ title: string }>(
    'select title from essays where author_id = $1 order by title',
    [first.authorId],
  );
  expect(left.map(({ title }) => title).sort()).toEqual(['再来甲', '再来乙'].sort());
  await undo(first.runId);
  const third = await bring('blog.zip', hexo('six.test', files), first.authorId);
  expect(third.essays).toHaveLength(2);
  expect(third.item('page', '再来页')).toMatchObject({ outcome: 'created' });
});

test('a drawing in SVG becomes an ordinary picture', async () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><script>alert(1)</script><rect width="20" height="20" fill="red"/></svg>';
  const { items } = await bring(
    'site.zip',
    zipSync({
      'a.md': strToU8('---\ntitle: 图\ndate: 2020-01-02\n---\n\n![红](red.svg)'),
      'red.svg': strToU8(svg),
    }),
  );
  expect(items.find(({ kind }) => kind === 'file')).toMatchObject({ outcome: 'created', title: 'red.svg' });
});
