/** Defects that real sites have shown. */
import { expect, test } from 'vitest';
import { createArchive, readAll } from '../../../../testing/archive.ts';
import { distinctItems } from './distinct-items.ts';
import { hexo } from './hexo.ts';
import { htmlToMarkdown } from './html.ts';
import { hugo } from './hugo.ts';
import { jekyll } from './jekyll.ts';
import { markdown } from './markdown.ts';
import { convertTags } from './template-tags.ts';
import type { ImportedItem } from './types.ts';
import { wordpress } from './wordpress.ts';
import { addParagraphs, convertShortCodes } from './wordpress-html.ts';

test('front matter with tabs is read, as Hugo does', async () => {
  const { essays } = await readAll(
    hugo,
    createArchive({
      'hugo.toml': 'baseURL = "https://a.test/"\n',
      'content/post/a.md':
        '---\ntitle:\t\t"甲"\ndate:\t\t2020-01-02\ncategories: [\n\t"Go"\n]\n---\n\n正文。',
    }),
  );
  expect(essays.get('content/post/a.md')).toMatchObject({
    title: '甲',
    categories: ['Go'],
    status: 'published',
  });
});

test('Octopress is read as Jekyll, whose addresses have no date twice', async () => {
  const archive = createArchive({
    Rakefile: '',
    '_config.yml':
      'url: http://a.test\nroot: http://a.test/\nsource: source\npermalink: /:year/:month/:title/\n',
    'source/_posts/2012-01-27-four-leaves.markdown': '---\ntitle: 甲\ndate: 2012-01-27 10:00\n---\n\n正文。',
    'source/about/index.markdown': '---\ntitle: 关于\n---\n\n我。',
  });
  expect([await hexo.detect(archive), await jekyll.detect(archive)]).toEqual([false, true]);
  const { essays, pages } = await readAll(jekyll, archive);
  expect(essays.get('source/_posts/2012-01-27-four-leaves.markdown')?.oldUrls).toEqual([
    '/2012/01/four-leaves/',
  ]);
  expect(pages.get('source/about/index.markdown')?.oldUrls).toEqual(['/about/']);
});

test('a root that is a full address does not become part of the addresses', async () => {
  const { essays, site } = await readAll(
    hexo,
    createArchive({
      '_config.yml': 'url: http://a.test\nroot: http://a.test/\n',
      'source/_posts/a.md': '---\ntitle: 甲\ndate: 2020-01-02\n---\n\n正文。',
    }),
  );
  expect(essays.get('source/_posts/a.md')?.oldUrls).toEqual(['/2020/01/02/a/']);
  expect(site?.baseUrl).toBe('http://a.test');
});

test('attributes and the table of contents of kramdown are removed, but not from code', async () => {
  const { essays } = await readAll(
    jekyll,
    createArchive({
      '_posts/2020-01-02-a.md':
        '---\ntitle: 甲\n---\n\n* TOC\n{:toc}\n\n![图](https://a.test/b.png){: .center width="50%"}\n\n`{:toc}` 与 {:ok, 1}\n\n```\n{: .center}\n```\n',
    }),
  );
  expect(essays.get('_posts/2020-01-02-a.md')?.content).toBe(
    '![图](https://a.test/b.png)\n\n`{:toc}` 与 {:ok, 1}\n\n```\n{: .center}\n```',
  );
});

test('a page whose text is computed by a template becomes a draft; fragments of the theme are reported', async () => {
  const { pages } = await readAll(
    jekyll,
    createArchive({
      '_posts/2020-01-02-a.md': '---\ntitle: 甲\n---\n\n正文。',
      'archive.md': '---\ntitle: 归档\n---\n\n{% for post in site.posts %}{{ post.title }}{% endfor %}',
      'about.md': '---\ntitle: 关于\n---\n\n我。\n\n{% include comments.html %}',
    }),
  );
  expect(pages.get('archive.md')).toMatchObject({
    status: 'draft',
    statusReason: '页面的内容由模板生成，作为草稿导入',
  });
  expect(pages.get('about.md')).toMatchObject({ status: 'published', content: '我。' });
  expect(pages.get('about.md')?.notes).toContain('模板片段「comments.html」没有导入');
});

test('files below the address of their own post are found', async () => {
  const { essays } = await readAll(
    hugo,
    createArchive({
      'hugo.toml': '[permalinks]\nposts = "/posts/:slug/"\n',
      'content/posts/deep/clock/index.md':
        '---\ntitle: 甲\nslug: clock\ndate: 2020-01-02\ncover: /posts/clock/images/1.png\n---\n\n![](/posts/clock/images/2.png)',
      'content/posts/deep/clock/images/1.png': '',
      'content/posts/deep/clock/images/2.png': '',
    }),
  );
  expect(essays.get('content/posts/deep/clock/index.md')).toMatchObject({
    cover: 'content/posts/deep/clock/images/1.png',
    pictures: ['content/posts/deep/clock/images/2.png'],
    notes: [],
  });
});

test('links of themes, embedded pages and arguments with a percent sign are converted', () => {
  const convert = (text: string) => convertTags(text, { findTarget: () => null });
  expect(convert('{{< link href="https://a.test/b" content="源码" card=true >}}').text).toBe(
    '[源码](https://a.test/b)',
  );
  expect(convert('{% link 源码::https://a.test/b::/c.png %}').text).toBe('[源码](https://a.test/b)');
  expect(convert('{% link https://a.test/b 我的 源码 %}').text).toBe('[我的 源码](https://a.test/b)');
  expect(convert('{% iframe https://a.test/b?c=%E4%BD 100% 600 %}').text).toBe(
    '[嵌入的内容](https://a.test/b?c=%E4%BD)',
  );
  expect(convert('{{< figure src="/b.png" width="80%" >}}').text).toBe('![](/b.png)');
  expect(convert('{% folding, 更多 %}\n内容\n{% endfolding %}')).toEqual({ text: '\n内容\n', notes: [] });
});

test('comments around the blocks of WordPress are not part of the text', () => {
  expect(
    htmlToMarkdown('<!-- wp:paragraph --><p>甲</p><!-- /wp:paragraph --><!--more--><p>乙</p>').content,
  ).toBe('甲\n\n乙');
});

test('marks of the excerpt are removed, and the summary of a book is no essay', async () => {
  const { essays, skipped } = await readAll(
    markdown,
    createArchive({
      'a/b.md': '---\ntitle: 甲\n---\n\n一\n\n<!-- more -->\n\n二\n\n<!--more-->\n\n三',
      'SUMMARY.md': '* [甲](a/b.md)',
    }),
  );
  expect(essays.get('a/b.md')?.content).not.toContain('more');
  expect(Object.keys(skipped)).toEqual(['SUMMARY.md']);
});

const wxr = (items: string) =>
  `<rss xmlns:wp="http://wordpress.org/export/1.2/"><channel><link>https://a.test</link>${items}</channel></rss>`;

test('markup in titles of WordPress is removed', async () => {
  const item =
    '<item><title><![CDATA[标题 <em>有</em>格式 <T>]]></title><wp:post_id>1</wp:post_id><wp:status>publish</wp:status></item>';
  const { essays } = await readAll(wordpress, createArchive({ 'a.xml': wxr(item) }));
  expect(essays.get('1')?.title).toBe('标题 有格式 <T>');
});

test('a second item with the same key is reported', async () => {
  async function* items(): AsyncGenerator<ImportedItem> {
    yield { kind: 'skipped', key: '1', title: '甲', skipped: '' };
    yield { kind: 'skipped', key: '1', title: '乙', skipped: '' };
    yield { kind: 'skipped', key: '2', skipped: '' };
  }
  expect(await Array.fromAsync(distinctItems(items()))).toMatchObject([
    { key: '1', skipped: '' },
    { key: '1#2', title: '乙', skipped: '与压缩包里的另一项编号相同，没有导入' },
    { key: '2', skipped: '' },
  ]);
});

test('a list that follows a line of text of the classic editor is a list', () => {
  const html = addParagraphs('要点：\n<ul>\n\t<li>甲</li>\n\t<li>乙</li>\n</ul>\n后文\n第二行');
  expect(htmlToMarkdown(html).content).toBe('要点：\n\n- 甲\n- 乙\n\n后文\\\n第二行');
});

test('unknown shortcodes with attributes are reported', () => {
  const files = { findAttachment: () => undefined, listOwn: () => [] };
  expect(convertShortCodes('[wpvideo abc w=680] 参见 [1] 与 [注 二]', files)).toEqual({
    html: '[wpvideo abc w=680] 参见 [1] 与 [注 二]',
    notes: ['不认识的短代码「wpvideo」原样留在正文里'],
  });
});

test('a picture that is neither in the archive nor on the old site becomes a link with its words', async () => {
  const { essays } = await readAll(
    markdown,
    createArchive({ 'a.md': '---\ntitle: 甲\n---\n\n![湖 [一]](/upload/lake.png) 与 ![](x.png)' }),
  );
  expect(essays.get('a.md')).toMatchObject({
    content: '[湖  一](/upload/lake.png "图片没有找到") 与 [图片](x.png "图片没有找到")',
    notes: ['原文没有日期，用了文件的时间', '没有找到图片 /upload/lake.png', '没有找到图片 x.png'],
  });
});

test('the first heading is the title, also if it is underlined, and is not repeated', async () => {
  const { essays } = await readAll(
    markdown,
    createArchive({
      'a.md': '组件化之路\n====\n\n正文。',
      'b.md': '---\ntitle: 乙\n---\n\n# 乙 #\n\n正文。',
      'c.md': '---\ntitle: 丙\n---\n\n# 另一个\n\n正文。',
    }),
  );
  const found = [...essays.values()].map(({ title, content }) => [title, content]);
  expect(found).toEqual([
    ['组件化之路', '正文。'],
    ['乙', '正文。'],
    ['丙', '# 另一个\n\n正文。'],
  ]);
});

test('files of the own site are found in the archive, also if they are named by full addresses', async () => {
  const { essays } = await readAll(
    hexo,
    createArchive({
      '_config.yml': 'url: https://a.test/blog\nroot: /blog/\n',
      'source/_posts/a.md':
        '---\ntitle: 甲\ndate: 2020-01-02\n---\n\n![](https://a.test/blog/img/1.png) ![](//www.a.test/img/2.png) ![](https://b.test/img/1.png)',
      'source/img/1.png': '',
      'source/img/2.png': '',
    }),
  );
  expect(essays.get('source/_posts/a.md')).toMatchObject({
    pictures: ['source/img/1.png', 'source/img/2.png'],
    remotePictures: ['https://b.test/img/1.png'],
  });
});

test('names in the front matter of Hugo have any case', async () => {
  const { essays } = await readAll(
    hugo,
    createArchive({
      'hugo.toml': 'baseURL = "https://a.test/"\n',
      'content/post/a.md': '---\nTitle: 甲\nDate: 2020-01-02\nURL: /2020/01/02/arts/a\n---\n\n正文。',
      'content/post/b.md': '---\ntitle: 乙\ndate: 2020-01-02\nDraft: true\n---\n\n正文。',
    }),
  );
  expect(essays.get('content/post/a.md')).toMatchObject({ title: '甲', oldUrls: ['/2020/01/02/arts/a'] });
  expect(essays.get('content/post/b.md')).toMatchObject({ status: 'draft' });
});
