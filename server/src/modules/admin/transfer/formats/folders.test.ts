import { expect, test } from 'vitest';
import { createArchive, readAll } from '../../../../testing/archive.ts';
import { type FormatName, formats } from './formats.ts';
import { hexo } from './hexo.ts';
import { hugo } from './hugo.ts';
import { jekyll } from './jekyll.ts';
import { markdown } from './markdown.ts';

const post = (head: string, body = '正文。'): string => `---\n${head}\n---\n\n${body}\n`;

test('every program is recognized by its files', async () => {
  const detected = async (files: Record<string, string>): Promise<string | undefined> => {
    for (const name of Object.keys(formats) as FormatName[])
      if (await formats[name].detect(createArchive(files))) return name;
    return undefined;
  };
  expect(await detected({ 'blog-main/source/_posts/a.md': '', 'blog-main/_config.yml': '' })).toBe('hexo');
  expect(await detected({ '_posts/2024-01-02-a.md': '', '_config.yml': '' })).toBe('jekyll');
  expect(await detected({ 'content/posts/a.md': '', 'hugo.toml': '' })).toBe('hugo');
  expect(await detected({ '笔记/a.md': '' })).toBe('markdown');
  // The example of a theme does not make a folder of notes a Hexo site.
  expect(await detected({ 'a.md': '', 'b.md': '', 'c.md': '', 'theme/source/_posts/x.md': '' })).toBe(
    'markdown',
  );
  expect(await detected({ 'a.txt': '' })).toBeUndefined();
});

test('Hexo: old addresses follow the pattern of the configuration', async () => {
  const urlsWith = async (config: string, head: string, name = 'source/_posts/旅行/a b.md') => {
    const archive = createArchive({ [name]: post(head), '_config.yml': config });
    const { essays } = await readAll(hexo, archive);
    return essays.get(name)?.oldUrls;
  };
  const date = 'date: 2024-01-02 03:04:05';
  expect(await urlsWith('', date)).toEqual(['/2024/01/02/%E6%97%85%E8%A1%8C/a%20b/']);
  expect(await urlsWith('permalink: :i_month/:i_day/:name.html', date)).toEqual(['/1/2/a%20b.html']);
  expect(await urlsWith('root: /blog/\npermalink: posts/:abbrlink/', `${date}\nabbrlink: 4a17b156`)).toEqual([
    '/blog/posts/4a17b156/',
  ]);
  expect(await urlsWith('permalink: :category/:hash/', `${date}\ncategories: [随笔, 远行]`)).toEqual([
    expect.stringMatching(/^\/%E9%9A%8F%E7%AC%94\/%E8%BF%9C%E8%A1%8C\/[0-9a-f]{12}\/$/),
  ]);
  expect(await urlsWith('', `${date}\npermalink: old/place\nalias: /older/`)).toEqual([
    '/old/place/',
    '/older/',
  ]);
  expect(
    await urlsWith('timezone: America/New_York\npermalink: :year-:month-:day/', 'date: 2024-01-02T03:00:00Z'),
  ).toEqual(['/2024-01-01/']);
  expect(
    await urlsWith(
      'new_post_name: :year-:month-:day-:title.md\npermalink: :title/',
      date,
      'source/_posts/2024-01-02-c.md',
    ),
  ).toEqual(['/c/']);
  expect(await urlsWith('permalink: :missing/', date)).toEqual([]);
});

test('Hexo: reads all fields of a post, pages, and facts about the site', async () => {
  const archive = createArchive({
    '_config.yml': 'title: 山居\nauthor: 阿木\nurl: https://shan.test\nfeed:\n  path: feed.xml\n',
    'source/_posts/one.md': post(
      'title: 甲 &amp; 乙\ndate: 2024-01-02\nupdated: 2024-02-03\nsticky: 100\ncomments: false\ncategories:\n- [山, 水]\n- 城\ntags: [一, 二]\nauthor: [甲, 乙]\nindex_img: /img/c.png\nphotos: [/img/d.png]',
      '摘要。<!--more-->\n\n![](/img/a.png) ![](https://pic.test/b.png) <img data-src="//pic.test/e.png" src="data:x">\n\n[另一篇](/2024/03/04/two/) [又](./two.md) {% post_link two %} [下载](/f/a.zip) [站外](https://other.test/)',
    ),
    'source/_posts/two.md': post('title: 二\ndate: 2024-03-04\ntop: true'),
    'source/_posts/three.html': post('title: 三\ndate: 2024-03-05', '<p>用<b>网页</b>写的</p>'),
    'source/_posts/old.md': 'title: 老文件头\ndate: 2013-01-02\n---\n老格式。',
    'source/about/index.md': post('title: 关于'),
    'source/tags/index.md': '---\ntitle: 标签\ntype: tags\n---\n',
    'source/img/a.png': '',
    'source/img/c.png': '',
    'source/f/a.zip': '',
    'README.md': '说明',
  });
  const { essays, pages, skipped, site } = await readAll(hexo, archive);
  expect(essays.get('source/_posts/one.md')).toMatchObject({
    sourceId: 'hexo:shan.test:source/_posts/one.md',
    categories: ['山', '水', '城'],
    tags: ['一', '二'],
    authors: ['甲', '乙'],
    author: { account: '甲' },
    isPinned: true,
    commentsClosed: true,
    summary: '摘要。',
    cover: 'source/img/c.png',
    pictures: ['source/img/a.png'],
    remotePictures: ['https://pic.test/b.png', '//pic.test/e.png', 'https://shan.test/img/d.png'],
    attachments: [{ url: '/f/a.zip', name: 'source/f/a.zip' }],
    internalLinks: [
      { url: '/2024/03/04/two/', key: 'source/_posts/two.md' },
      { url: './two.md', key: 'source/_posts/two.md' },
    ],
    notes: [],
  });
  expect(essays.get('source/_posts/one.md')?.content).toContain('<img src="//pic.test/e.png">');
  expect(essays.get('source/_posts/two.md')).toMatchObject({ isPinned: true, commentsClosed: false });
  expect(essays.get('source/_posts/three.html')?.content).toBe('用**网页**写的');
  expect(essays.get('source/_posts/old.md')).toMatchObject({ title: '老文件头', content: '老格式。' });
  expect([...pages.keys()]).toEqual(['source/about/index.md']);
  expect(skipped).toEqual({
    'README.md': '不在网站的目录里，没有导入',
    'source/tags/index.md': '由主题生成的页面，没有正文，没有导入',
  });
  expect(site).toMatchObject({
    program: 'hexo',
    title: '山居',
    owner: '阿木',
    baseUrl: 'https://shan.test',
    timeZone: 'Asia/Shanghai',
    feedUrls: ['/feed.xml'],
    categories: expect.arrayContaining([{ name: '山', count: 1 }]),
    authors: [{ account: '甲', displayName: '甲', count: 1 }],
  });
});

test('Hugo: main sections are essays, the rest pages; addresses follow the configuration', async () => {
  const archive = createArchive({
    'hugo.toml':
      'baseURL = "https://hu.test/b/"\ntitle = "湖"\ntimeZone = "Europe/Berlin"\n[permalinks]\nposts = "/:year/:slug/"\n',
    'content/_index.md': post('title: 首页'),
    'content/posts/_index.md': '---\ntitle: 文章\ncascade:\n  tags: [湖]\n---\n',
    'content/posts/One Two.md': post('title: 一\ndate: 2024-01-02\nslug: yi\naliases: [/old/, near]'),
    'content/posts/bundle/index.md': post(
      'title: 包\ndate: 2024-02-02',
      '{{< youtube abc >}} {{< gist user 123 >}} [一]({{< ref "One Two.md" >}}) {{< nope >}} {{</* raw */>}}\n\n![](p.png) [声音](a.mp3)',
    ),
    'content/posts/bundle/notes.md': '附注',
    'content/posts/bundle/p.png': '',
    'content/posts/bundle/a.mp3': '',
    'content/posts/hidden.md': post('title: 藏\ndate: 2024-01-02\nbuild:\n  render: never'),
    'content/posts/expired.md': post('title: 过期\ndate: 2020-01-02\nexpiryDate: 2021-01-01'),
    'content/about.md': post('title: 关于\nurl: /me.html'),
    'content/docs/guide.md': post('title: 指南'),
    'content/docs/empty.md': '---\ntitle: 空\n---\n',
  });
  const { essays, pages, skipped, site } = await readAll(hugo, archive);
  expect(essays.get('content/posts/One Two.md')).toMatchObject({
    section: 'posts',
    tags: ['湖'],
    createdAt: new Date('2024-01-01T23:00:00Z'),
    oldUrls: ['/b/2024/yi/', '/b/old/', '/b/2024/near'],
  });
  const bundle = essays.get('content/posts/bundle/index.md');
  expect(bundle).toMatchObject({
    slug: 'bundle',
    pictures: ['content/posts/bundle/p.png'],
    attachments: [{ url: 'a.mp3', name: 'content/posts/bundle/a.mp3' }],
    internalLinks: [{ url: '/b/2024/yi/', key: 'content/posts/One Two.md' }],
    notes: ['不认识的标签「nope」原样留在正文里'],
  });
  expect(bundle?.content).toContain('[视频](https://www.youtube.com/watch?v=abc)');
  expect(bundle?.content).toContain('[代码片段](https://gist.github.com/user/123)');
  expect(bundle?.content).toContain('{{< nope >}} {{< raw >}}');
  expect(essays.get('content/posts/hidden.md')?.status).toBe('hidden');
  expect(essays.get('content/posts/expired.md')).toMatchObject({
    status: 'hidden',
    statusReason: '原文已经过期下线，作为草稿导入',
  });
  expect(pages.get('content/about.md')?.oldUrls).toEqual(['/b/me.html']);
  expect(pages.get('content/docs/guide.md')).toMatchObject({ section: 'docs', oldUrls: ['/b/docs/guide/'] });
  expect(skipped).toMatchObject({
    'content/posts/bundle/notes.md': '文章的附属文件，没有单独导入',
    'content/posts/_index.md': '栏目页，没有导入',
    'content/docs/empty.md': '没有正文的页面，没有导入',
  });
  expect(site).toMatchObject({
    baseUrl: 'https://hu.test/b',
    timeZone: 'Europe/Berlin',
    feedUrls: ['/b/index.xml', '/b/posts/index.xml'],
    sections: [
      { name: 'posts', count: 4, isMain: true },
      { name: '', count: 1, isMain: false },
      { name: 'docs', count: 1, isMain: false },
    ],
  });
});

test('Hugo: languages and configured main sections', async () => {
  const archive = createArchive({
    'config/_default/hugo.yaml': 'baseURL: https://l.test\ndefaultContentLanguage: zh\n',
    'config/_default/params.yaml': 'mainSections: [blog, news]\n',
    'config/_default/languages.zh.yaml': 'contentDir: content/zh\n',
    'config/_default/languages.en.yaml': 'contentDir: content/en\n',
    'content/zh/blog/a.md': post('title: 甲'),
    'content/en/blog/a.md': post('title: A'),
    'content/zh/news/b.md': post('title: 乙'),
    'content/zh/wiki/c.md': post('title: 丙'),
  });
  const { essays, pages } = await readAll(hugo, archive);
  expect([...essays.values()].map(({ section, oldUrls }) => [section, oldUrls[0]])).toEqual([
    ['en/blog', '/en/blog/a/'],
    ['blog', '/blog/a/'],
    ['news', '/news/b/'],
  ]);
  expect([...pages.keys()]).toEqual(['content/zh/wiki/c.md']);
});

test('Jekyll: posts, collections, defaults and addresses', async () => {
  const archive = createArchive({
    '_config.yml':
      'title: 路\nurl: https://lu.test\nbaseurl: /lu\npermalink: pretty\ncollections: {wiki: {output: true}}\ndefaults:\n- scope: {path: "", type: posts}\n  values: {author: 行者}\n',
    '_posts/2024-01-02-hello-world.md': post(
      'title: 你好\ncategories: 路上\nredirect_from: /old/',
      '{% highlight ruby %}\nputs 1\n{% endhighlight %}\n\n[二]({% post_url 2024-02-03-second %}) ![]({{ site.baseurl }}/img/a.png)',
    ),
    '_posts/2024-02-03-second.md': post('title: 第二\npublished: false'),
    '_wiki/vim.md': post('title: Vim'),
    '_includes/note.md': '片段',
    'about.md': post('title: 关于\npermalink: /me/'),
    'README.md': '说明',
    'img/a.png': '',
  });
  const { essays, pages, skipped, site } = await readAll(jekyll, archive);
  expect(essays.get('_posts/2024-01-02-hello-world.md')).toMatchObject({
    slug: 'hello-world',
    author: { displayName: '行者' },
    createdAt: new Date('2024-01-02T00:00:00+08:00'),
    oldUrls: ['/lu/%E8%B7%AF%E4%B8%8A/2024/01/02/hello-world/', '/lu/old/'],
    pictures: ['img/a.png'],
    internalLinks: [{ url: '/lu/2024/02/03/second/', key: '_posts/2024-02-03-second.md' }],
  });
  expect(essays.get('_posts/2024-01-02-hello-world.md')?.content).toContain('```ruby\nputs 1\n```');
  expect(essays.get('_posts/2024-02-03-second.md')?.status).toBe('draft');
  expect(pages.get('_wiki/vim.md')?.section).toBe('wiki');
  expect(pages.get('about.md')?.oldUrls).toEqual(['/lu/me/']);
  expect(skipped).toEqual({ '_includes/note.md': '主题的数据，没有导入', 'README.md': '说明文件，没有导入' });
  expect(site?.sections).toContainEqual({ name: 'posts', count: 2, isMain: true });
});

test('plain Markdown: titles, dates and categories without front matter', async () => {
  const archive = createArchive({
    'notes/README.md': '# 说明',
    'notes/旅行/2023-04-05-海边.md': '# 海边的一天 #\n\n![[图 1.png|300]] 见 [[海边 下|下篇]]。',
    'notes/旅行/海边 下.md': '没有标题的一篇。',
    'notes/旅行/图 1.png': '',
    'notes/posts/a.md': post('title: 甲\nstatus: draft\npermalink: /a.html'),
    'notes/empty.md': '',
  });
  const { essays, skipped, site } = await readAll(markdown, archive);
  expect(essays.get('notes/旅行/2023-04-05-海边.md')).toMatchObject({
    sourceId: 'markdown::旅行/2023-04-05-海边.md',
    title: '海边的一天',
    slug: '海边',
    categories: ['旅行'],
    createdAt: new Date('2023-04-05T00:00:00+08:00'),
    pictures: ['notes/旅行/图%201.png'],
    internalLinks: [{ url: '海边%20下', key: 'notes/旅行/海边 下.md' }],
  });
  expect(essays.get('notes/旅行/海边 下.md')).toMatchObject({
    title: '海边 下',
    createdAt: new Date('2020-01-02T00:00:00Z'),
    notes: ['原文没有日期，用了文件的时间'],
  });
  expect(essays.get('notes/posts/a.md')).toMatchObject({
    status: 'draft',
    categories: [],
    oldUrls: ['/a.html'],
  });
  expect(skipped).toEqual({ 'notes/README.md': '说明文件，没有导入', 'notes/empty.md': '空文件，没有导入' });
  expect(site).toMatchObject({ program: 'markdown', baseUrl: '', feedUrls: [] });
});
