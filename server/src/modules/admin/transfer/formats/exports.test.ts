import { expect, test } from 'vitest';
import { createArchive, readAll } from '../../../../testing/archive.ts';
import { finishItem } from './finish-item.ts';
import { ghost } from './ghost.ts';
import { wordpress } from './wordpress.ts';

const cdata = (text: string): string => `<![CDATA[${text}]]>`;
const element = (name: string, text: string): string => `<${name}>${cdata(text)}</${name}>`;

const wxr = (...items: string[]): string =>
  `<?xml version="1.0"?><rss xmlns:content="c" xmlns:excerpt="e" xmlns:dc="d" xmlns:wp="http://wordpress.org/export/1.2/"><channel>
<title>苏禾</title><link>https://su.test/blog</link><wp:base_blog_url>https://su.test/blog</wp:base_blog_url>
<wp:author><wp:author_login>su</wp:author_login><wp:author_display_name>苏禾</wp:author_display_name></wp:author>
<wp:author><wp:author_login>lin</wp:author_login><wp:author_display_name>林间</wp:author_display_name></wp:author>
${items.join('\n')}</channel></rss>`;
const wpItem = (id: number, type: string, more: string, content = ''): string =>
  `<item>${more}<content:encoded>${cdata(content)}</content:encoded><wp:post_id>${id}</wp:post_id><wp:post_type>${type}</wp:post_type></item>`;
const published = '<wp:status>publish</wp:status><wp:post_date_gmt>2024-01-02 03:04:05</wp:post_date_gmt>';
const wpComment = (id: number, approved: string, more = ''): string =>
  `<wp:comment><wp:comment_id>${id}</wp:comment_id>${element('wp:comment_author', `读者${id}`)}<wp:comment_author_email>a@b.test</wp:comment_author_email><wp:comment_author_IP>1.2.3.4</wp:comment_author_IP><wp:comment_author_url>https://r.test/</wp:comment_author_url><wp:comment_date_gmt>2024-01-03 00:00:00</wp:comment_date_gmt>${element('wp:comment_content', '第一行\n第二行 <b>粗</b>')}<wp:comment_approved>${approved}</wp:comment_approved>${more}</wp:comment>`;

test('WordPress: pages, comments, galleries, states, old addresses and several authors', async () => {
  const attachment = (id: number, parent: number, name: string): string =>
    wpItem(
      id,
      'attachment',
      `<title>${name}</title><wp:post_parent>${parent}</wp:post_parent><wp:attachment_url>https://su.test/blog/wp-content/uploads/2024/${name}</wp:attachment_url>`,
    );
  const archive = createArchive({
    'su.xml': wxr(
      wpItem(
        1,
        'post',
        `<title>一</title><link>https://su.test/blog/2024/yi/</link><guid>https://su.test/blog/?p=1</guid><dc:creator>su</dc:creator>${published}<wp:post_name>yi</wp:post_name><wp:is_sticky>1</wp:is_sticky><wp:comment_status>closed</wp:comment_status>
<category domain="category" nicename="a">${cdata('甲')}</category><category domain="category" nicename="b">${cdata('乙')}</category><category domain="author" nicename="cap-lin">${cdata('lin')}</category><category domain="author" nicename="cap-su">${cdata('su')}</category>
<wp:postmeta><wp:meta_key>_thumbnail_id</wp:meta_key><wp:meta_value>11</wp:meta_value></wp:postmeta><wp:postmeta><wp:meta_key>_wp_old_slug</wp:meta_key><wp:meta_value>lao</wp:meta_value></wp:postmeta>
${wpComment(7, '1')}${wpComment(8, '0', '<wp:comment_parent>7</wp:comment_parent>')}${wpComment(9, 'spam')}${wpComment(10, '1', '<wp:comment_type>pingback</wp:comment_type>')}`,
        '<p>见<a href="https://su.test/blog/2024/er/">二</a>和<a href="/blog/?p=2">二</a>。</p>[gallery ids="11,12"][gallery]<p><img src="x.gif" data-lazy-src="https://cdn.test/a.png" srcset="https://cdn.test/b.png 2x"></p><!-- wp:embed --><figure class="wp-block-embed"><div class="wp-block-embed__wrapper">\nhttps://v.test/1\n</div></figure><!-- /wp:embed --><!-- wp:latest-posts /-->[audio mp3="https://su.test/blog/wp-content/uploads/s.mp3"][/audio][embed]https://v.test/2[/embed]<a href="https://cdn.test/big.jpg"><img src="https://cdn.test/small.jpg"></a>',
      ),
      wpItem(
        2,
        'post',
        `<title>二</title><link>https://su.test/blog/2024/er/</link>${published}<wp:post_password>x</wp:post_password>`,
        '<p>二</p>',
      ),
      wpItem(
        3,
        'post',
        '<title>三</title><wp:status>future</wp:status><wp:post_date_gmt>2099-01-02 03:04:05</wp:post_date_gmt>',
        '',
      ),
      wpItem(
        4,
        'page',
        `<title>关于</title><link>https://su.test/blog/about/</link>${published}`,
        '<p>我</p>',
      ),
      wpItem(5, 'product', `<title>商品</title>${published}`, '<p>卖</p>'),
      attachment(11, 1, 'a.png'),
      attachment(12, 2, 'b.png'),
    ),
    'uploads/2024/b.png': '',
  });
  const { essays, pages, skipped, site } = await readAll(wordpress, archive);
  const first = essays.get('1');
  expect(first).toMatchObject({
    sourceId: 'wordpress:su.test:1',
    oldUrls: ['/blog/2024/yi/', '/blog/?p=1', '/blog/2024/lao/'],
    categories: ['甲', '乙'],
    author: { account: 'su', displayName: '苏禾' },
    authors: ['林间', '苏禾'],
    isPinned: true,
    commentsClosed: true,
    cover: 'https://su.test/blog/wp-content/uploads/2024/a.png',
    pictures: ['uploads/2024/b.png'],
    remotePictures: [
      'https://su.test/blog/wp-content/uploads/2024/a.png',
      'https://cdn.test/a.png',
      'https://cdn.test/big.jpg',
      'https://cdn.test/small.jpg',
    ],
    remoteAttachments: ['https://su.test/blog/wp-content/uploads/s.mp3'],
    internalLinks: [
      { url: 'https://su.test/blog/2024/er/', key: '2' },
      { url: '/blog/?p=2', key: '2' },
    ],
    comments: [
      {
        id: '7',
        parentId: null,
        name: '读者7',
        url: 'https://r.test/',
        createdAt: new Date('2024-01-03T00:00:00Z'),
        status: 'approved',
      },
      { id: '8', parentId: '7', status: 'pending' },
    ],
  });
  expect(first?.comments[0]?.content).toMatch(/^第一行(\\| {2})\n第二行 \*\*粗\*\*$/);
  expect(JSON.stringify(first)).not.toMatch(/a@b\.test|1\.2\.3\.4/);
  expect(first?.content).toContain('[https://v.test/1](https://v.test/1)');
  expect(first?.notes).toEqual([
    '音频改成了链接',
    '嵌入的内容改成了链接',
    '自动生成的区块没有导入：latest-posts',
    '1 条引用通告没有导入',
    '1 条垃圾评论没有导入',
  ]);
  expect(essays.get('2')).toMatchObject({ status: 'password', publishedAt: null });
  expect(essays.get('3')).toMatchObject({
    status: 'scheduled',
    publishedAt: new Date('2099-01-02T03:04:05Z'),
    notes: ['正文是空的'],
  });
  expect(pages.get('4')).toMatchObject({ oldUrls: ['/blog/about/', '/blog/?page_id=4'] });
  expect(skipped).toEqual({ 5: '「product」类型的内容，没有导入' });
  expect(site).toMatchObject({
    title: '苏禾',
    baseUrl: 'https://su.test/blog',
    feedUrls: expect.arrayContaining(['/blog/feed/']),
    authors: [{ account: 'su', displayName: '苏禾', count: 1 }],
  });
});

test('Ghost: documents without HTML, permalinks, members, comments and pages', async () => {
  const lexical = JSON.stringify({
    root: {
      type: 'root',
      children: [
        { type: 'extended-heading', tag: 'h2', children: [{ type: 'extended-text', text: '标题' }] },
        {
          type: 'paragraph',
          children: [
            { type: 'text', text: '粗', format: 1 },
            { type: 'link', url: '/2024/two/', children: [{ type: 'text', text: '二' }] },
          ],
        },
        {
          type: 'list',
          listType: 'number',
          children: [{ type: 'listitem', children: [{ type: 'text', text: '项' }] }],
        },
        { type: 'image', src: '__GHOST_URL__/content/images/a.png', alt: '图' },
        { type: 'codeblock', code: 'a < b', language: 'js' },
      ],
    },
  });
  const mobiledoc = JSON.stringify({
    version: '0.3.1',
    markups: [['em'], ['a', ['href', 'https://x.test/']]],
    atoms: [],
    cards: [
      ['hr', {}],
      ['markdown', { markdown: '**m**' }],
    ],
    sections: [
      [
        1,
        'p',
        [
          [0, [0], 1, '斜'],
          [0, [1], 1, '链'],
        ],
      ],
      [3, 'ul', [[[0, [], 0, '项']]]],
      [10, 0],
    ],
  });
  const markdownOnly = JSON.stringify({
    cards: [['markdown', { markdown: '# 原文\n\n- [ ] 项' }]],
    sections: [
      [10, 0],
      [1, 'p', []],
    ],
  });
  const posts = [
    {
      id: 1,
      uuid: 'u-1',
      title: '一',
      slug: 'one',
      lexical,
      status: 'published',
      published_at: '2024-01-02 03:04:05',
      visibility: 'public',
    },
    {
      id: 2,
      uuid: 'u-2',
      title: '二',
      slug: 'two',
      mobiledoc,
      status: 'published',
      published_at: 1704164645000,
      visibility: 'members',
    },
    { id: 3, title: '三', slug: 'three', mobiledoc: markdownOnly, html: '<h1>原文</h1>', status: 'sent' },
    { id: 4, title: '四', slug: 'four', markdown: '老*文*', html: '<p>老</p>', status: 'draft' },
    {
      id: 5,
      title: '关于',
      slug: 'about',
      html: '<p>我</p>',
      type: 'page',
      status: 'published',
      visibility: 'public',
    },
    { id: 6, title: '(Untitled)', slug: 'untitled', html: '', status: 'draft' },
    {
      id: 7,
      title: '七',
      slug: 'seven',
      html: '<p>七</p>',
      status: 'scheduled',
      published_at: '2099-01-02T00:00:00.000Z',
      visibility: 'public',
    },
  ];
  const data = {
    posts,
    posts_meta: [{ post_id: 2, og_image: 'https://pic.test/og.png' }],
    users: [
      { id: 1, slug: 'mu', name: '周木' },
      { id: 2, slug: 'he', name: '苏禾' },
    ],
    posts_authors: [
      { post_id: 1, author_id: 2, sort_order: 1 },
      { post_id: 1, author_id: 1, sort_order: 0 },
    ],
    settings: [
      { key: 'permalinks', value: '/:year/:slug/' },
      { key: 'timezone', value: 'Europe/Berlin' },
      { key: 'title', value: '木站' },
    ],
    members: [{ id: 'm1', name: '会员甲', email: 'm@m.test' }],
    comments: [
      {
        id: 'c1',
        post_id: 1,
        member_id: 'm1',
        status: 'published',
        html: '<p>好</p>',
        created_at: '2024-01-03 00:00:00',
      },
      {
        id: 'c2',
        post_id: 1,
        member_id: 'm2',
        parent_id: 'c1',
        status: 'hidden',
        html: '<p>藏</p>',
        created_at: '2024-01-03 00:00:00',
      },
      {
        id: 'c3',
        post_id: 1,
        member_id: 'm2',
        status: 'deleted',
        html: '<p>删</p>',
        created_at: '2024-01-03 00:00:00',
      },
    ],
  };
  const archive = createArchive({
    'ghost.json': JSON.stringify({ db: [{ meta: { exported_on: 1 }, data }] }),
    'images/a.png': '',
  });
  const { essays, pages, skipped, site } = await readAll(ghost, archive);
  expect(essays.get('1')).toMatchObject({
    sourceId: 'ghost:u-1',
    content: '## 标题\n\n**粗**[二](/2024/two/)\n\n1. 项\n\n![图](images/a.png)\n\n```js\na < b\n```',
    authors: ['周木', '苏禾'],
    author: { account: 'mu' },
    oldUrls: ['/2024/one/'],
    internalLinks: [{ url: '/2024/two/', key: '2' }],
    publishedAt: new Date('2024-01-02T03:04:05Z'),
    comments: [
      { id: 'c1', parentId: null, name: '会员甲', status: 'approved', content: '好' },
      { id: 'c2', parentId: 'c1', name: '会员', status: 'pending' },
    ],
  });
  expect(essays.get('2')).toMatchObject({
    content: '*斜*[链](https://x.test/)\n\n- 项\n\n---',
    status: 'members',
    cover: 'https://pic.test/og.png',
  });
  expect(essays.get('3')).toMatchObject({
    content: '# 原文\n\n- [ ] 项',
    status: 'members',
    statusReason: '只用邮件发出，没有公开，作为草稿导入',
  });
  expect(essays.get('4')).toMatchObject({ content: '老*文*', status: 'draft' });
  expect(essays.get('7')).toMatchObject({
    status: 'scheduled',
    publishedAt: new Date('2099-01-02T00:00:00Z'),
  });
  expect(pages.get('5')?.oldUrls).toEqual(['/about/']);
  expect(skipped).toEqual({ 6: '空的草稿，没有导入' });
  expect(site).toMatchObject({ title: '木站', timeZone: 'Europe/Berlin', feedUrls: ['/rss/'] });
});

test('finishing decodes names, and future dates mean scheduled', async () => {
  const item = wpItem(
    1,
    'post',
    '<title>甲 &amp;amp; 乙</title><wp:status>publish</wp:status><wp:post_date_gmt>2024-06-01 00:00:00</wp:post_date_gmt>',
    '<p>x</p>',
  );
  const { essays } = await readAll(wordpress, createArchive({ 'a.xml': wxr(item) }));
  const [essay] = essays.values();
  if (essay === undefined) throw new Error('no essay was read');
  expect(finishItem(essay, new Date('2024-05-01'))).toMatchObject({
    title: '甲 & 乙',
    status: 'scheduled',
    statusReason: '还没有到发布时间，作为草稿导入',
  });
  expect(finishItem(essay, new Date('2024-07-01'))).toMatchObject({ status: 'published', statusReason: '' });
});

test('finishing limits texts that the main thread reads, and skips items with extremely long ids', async () => {
  const long = 'x'.repeat(100_000);
  const [post, withLongId] = ['1', long].map((id) => ({
    id,
    title: long,
    slug: long,
    html: '<p>正文</p>',
    status: 'published',
    custom_excerpt: long,
    feature_image: `https://a.test/${long}`,
    author_id: 'u',
  }));
  const data = {
    posts: [post, withLongId],
    users: [{ id: 'u', slug: long, name: long }],
  };
  const archive = createArchive({ 'a.json': JSON.stringify({ db: [{ data }] }) });
  const items = (await Array.fromAsync(ghost.read(archive))).map((item) => finishItem(item, new Date()));
  expect(items[0]).toMatchObject({ kind: 'essay', content: '正文', cover: null });
  expect(JSON.stringify(items[0]).length).toBeLessThan(20_000);
  expect(items[1]).toMatchObject({ kind: 'skipped', skipped: '编号太长，没有导入' });
  expect(JSON.stringify(items[1]).length).toBeLessThan(20_000);
});
