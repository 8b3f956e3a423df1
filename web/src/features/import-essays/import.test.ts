import { expect, test } from 'vitest';
import {
  listRelativePictures,
  replacePictureLinks,
  resolvePath,
  toRelativeSitePictures,
} from './picture-links.ts';
import { readMarkdown } from './read-markdown.ts';

const categories = [{ id: 'a'.repeat(32), slug: 'coding', name: '编程' }];

test('reads the front matter of Hexo, Hugo and others', () => {
  const text = `---\ntitle: "归档：让任务表不长大"\ndate: 2024-01-02\ntags: [PostgreSQL, 分区]\ncategories:\n  - 编程\ndescription: 两种旧。\ndeclaration: reprint\n---\n\n正文\r\n第二行\n`;
  const { draft, skipped } = readMarkdown(text, 'posts/a.md', categories);
  expect(draft).toMatchObject({
    title: '归档：让任务表不长大',
    content: '正文\n第二行',
    tags: ['PostgreSQL', '分区'],
    categoryId: 'a'.repeat(32),
    summary: '两种旧。',
    declaration: 'reprint',
  });
  expect(skipped).toEqual([]);
});

test('reads price, preview percentage and source from the front matter of a download', () => {
  const read = (head: string) => readMarkdown(`---\n${head}\n---\n文`, 'a.md', []);
  expect(
    read(
      'price: 9.9\nmemberFree: true\npreviewPercent: 10\ndeclaration: reprint\nsource: https://a.example/b',
    ).draft,
  ).toMatchObject({
    price: 990,
    memberFree: true,
    previewPercent: 10,
    source: 'https://a.example/b',
    summary: '',
  });
  expect(read('title: 题').draft).toMatchObject({
    price: 0,
    memberFree: false,
    previewPercent: 30,
    source: '',
  });
  expect(read('price: 0').skipped).toEqual([]);
  for (const price of ['很贵', '-1', '0.5', '100000']) {
    const { draft, skipped } = read(`price: ${price}`);
    expect([draft.price, skipped]).toEqual([0, ['价格不对，没有读取']]);
  }
  expect(read('previewPercent: 200\nsource: "javascript:x"').draft).toMatchObject({
    previewPercent: 30,
    source: '',
  });
});

test('makes links to pictures of this site relative, but not those to other sites', () => {
  const path = `/files/ab/${'c'.repeat(62)}.webp`;
  const text = `![一](https://site.example/blog${path}) ![二](https://other.example/blog${path})`;
  expect(toRelativeSitePictures(text, 'https://site.example/blog')).toBe(
    `![一](${path}) ![二](https://other.example/blog${path})`,
  );
});

test('uses the first heading as title, or else the file name', () => {
  expect(readMarkdown('# 标题\n\n正文', 'a.md', []).draft).toMatchObject({ title: '标题', content: '正文' });
  expect(readMarkdown('正文', '目录/我的文章.md', []).draft.title).toBe('我的文章');
});

test('reports front matter values that cannot be used', () => {
  const { draft, skipped } = readMarkdown(
    '---\ncategory: 没有\ntags: a b c d e f\n---\n文',
    'a.md',
    categories,
  );
  expect(draft.categoryId).toBeNull();
  expect(draft.tags).toHaveLength(5);
  expect(skipped).toEqual(['没有「没有」这个分类', '标签最多 5 个，去掉了 f']);
  expect(readMarkdown('---\n: [\n---\n文', 'a.md', []).skipped).toEqual(['文件头的格式不对，没有读取']);
});

test('resolves relative pictures from the folder of the text and replaces their links', () => {
  const text =
    '![图](../img/a%20b.png "题") ![](<c d.png>) ![](https://x/y.png) ![](/files/z.png) <img src="e.gif">';
  expect(listRelativePictures(text)).toEqual(['../img/a%20b.png', '<c d.png>', 'e.gif']);
  expect(resolvePath('posts/2024/a.md', '../img/a%20b.png')).toBe('posts/img/a b.png');
  expect(resolvePath('a.md', '<c d.png>')).toBe('c d.png');
  const moved = replacePictureLinks(
    text,
    new Map([
      ['../img/a%20b.png', '/files/1.png'],
      ['e.gif', '/files/2.gif'],
    ]),
  );
  expect(moved).toContain('![图](/files/1.png "题")');
  expect(moved).toContain('<img src="/files/2.gif">');
});
