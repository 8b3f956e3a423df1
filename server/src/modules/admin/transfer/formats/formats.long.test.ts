import { expect, test } from 'vitest';
import { createArchive } from '../../../../testing/archive.ts';
import type { FormatName } from './formats.ts';
import { readFormat } from './read-format.ts';
import type { ImportedItem } from './types.ts';

const readAllItems = async (format: FormatName, files: Record<string, string>, timeoutMs?: number) => {
  const read: ImportedItem[] = [];
  for await (const item of readFormat(format, createArchive(files), timeoutMs)) read.push(item);
  return read;
};

test('stops reading a file that takes too long, and reports where', async () => {
  // Every paragraph reopens all these elements: twelve million nodes.
  const hostile = Array.from({ length: 60 }, (_, n) => `<b id=${n}>`).join('') + '<p>x'.repeat(200_000);
  const posts = [
    { id: 1, title: '好的', html: '<p>一段话</p>', status: 'published' },
    { id: 2, title: '坏的', html: hostile, status: 'published' },
  ];
  const json = JSON.stringify({ db: [{ data: { posts } }] });
  const read: ImportedItem[] = [];
  const reading = async () => {
    for await (const item of readFormat('ghost', createArchive({ 'ghost.json': json }), 8000))
      read.push(item);
  };
  await expect(reading()).rejects.toThrow('「好的」之后的内容太大或太复杂，无法读取');
  expect(read).toHaveLength(1);
});

const repeat = (text: string, length = 100_000): string => text.repeat(Math.ceil(length / text.length));
const HOSTILE_TEXTS = [
  '{% img ',
  '{{< figure src=',
  '{{< ref "',
  '[[',
  '![[a|',
  '<img data-src=',
  '<img srcset="a 1x,',
  '[gallery ids="1,',
  '[caption]<img ',
  '<!-- wp:a /',
  "\\'",
  "',(",
  '-- ',
  '/*',
  '`a` (',
  ' = ',
];

test.each(HOSTILE_TEXTS)('reads a text that repeats %j', async (text) => {
  const body = repeat(text);
  const head = '---\ntitle: 甲\ndate: 2024-01-02\n---\n';
  for (const [format, files] of [
    ['hexo', { 'source/_posts/a.md': head + body }],
    ['jekyll', { '_posts/2024-01-02-a.html': head + body }],
    ['hugo', { 'content/posts/a.md': head + body }],
    ['markdown', { 'a.md': body }],
    ['typecho', { 'a.sql': `INSERT INTO typecho_contents (cid, text) VALUES (1, ${body}` }],
    [
      'wordpress',
      {
        'a.xml': `<rss xmlns:wp="http://wordpress.org/export/1.2/" xmlns:content="c"><channel><item><title>甲</title><content:encoded><![CDATA[${body}]]></content:encoded><wp:post_id>1</wp:post_id><wp:status>publish</wp:status></item></channel></rss>`,
      },
    ],
  ] as [FormatName, Record<string, string>][]) {
    const items = await readAllItems(format, files);
    expect(items.length, format).toBeGreaterThan(0);
  }
});

test('reads many files and pictures without comparing each with all', async () => {
  const files: Record<string, string> = {};
  for (let n = 0; n < 3000; n += 1) {
    const pictures = Array.from({ length: 5 }, (_, each) => `![](/img/${n}-${each}.png)`).join('\n');
    files[`source/_posts/${n}.md`] =
      `---\ntitle: 第 ${n} 篇\ndate: 2024-01-02\n---\n${pictures}\n\n{% post_link ${n + 1} %}`;
    for (let each = 0; each < 5; each += 1) files[`source/img/${n}-${each}.png`] = '';
  }
  const items = await readAllItems('hexo', files);
  const essays = items.filter((item) => item.kind === 'essay');
  expect(essays).toHaveLength(3000);
  expect(essays.every(({ pictures }) => pictures.length === 5)).toBe(true);
  expect(essays.filter(({ internalLinks }) => internalLinks.length === 1)).toHaveLength(2999);
});
