import { expect, test } from 'vitest';
import { layOut } from './pipeline.ts';

const html = async (markdown: string) => (await layOut(markdown)).html;

test.each([
  ['an open tag in a block of its own', '<b>\n\n甲\n\n乙', '<b></b>\n<p>甲</p>\n<p>乙</p>'],
  ['an open tag in a sentence', '<b>甲\n\n乙', '<p><b>甲</b></p>\n<p>乙</p>'],
  ['an open tag in a quote', '> <b>\n\n乙', '<blockquote>\n<b></b>\n</blockquote>\n<p>乙</p>'],
  ['an open tag in stressed words', '**一 <i>二**\n\n乙', '<p><strong>一 <i>二</i></strong></p>\n<p>乙</p>'],
  [
    'an open tag that hides what follows',
    '<details>\n\n乙',
    '<details><summary>详情</summary></details>\n<p>乙</p>',
  ],
  [
    'an open heading',
    '<h4>题\n\n乙',
    '<h4 id="h-题">题<a class="anchor" href="#h-题" aria-hidden="true" tabindex="-1"></a></h4>\n<p>乙</p>',
  ],
  [
    'a tag that closes nothing',
    '<div>\n\n> </div>\n\n乙',
    '<div>\n<blockquote>\n\n</blockquote>\n<p>乙</p></div>',
  ],
  ['a close within a comment', '<b>甲<!-- </b> -->\n\n乙', '<p><b>甲</b></p>\n<p>乙</p>'],
  [
    'an open tag between those of a box',
    '<div><b>\n\n甲\n\n</div>\n\n乙',
    '<div><b></b>\n<p>甲</p>\n</div>\n<p>乙</p>',
  ],
])('%s does not reach the next block', async (_name, markdown, expected) => {
  expect(await html(markdown)).toBe(expected);
});

test('an open tag in a cell does not reach the next one', async () => {
  const table = await html('| <b>甲 | 乙 |\n|--|--|\n| <i>丙 | 丁 |\n\n戊');
  expect(table).toContain('<th><b>甲</b></th>\n<th>乙</th>');
  expect(table).toContain('<td><i>丙</i></td>\n<td>丁</td>');
  expect(table).toContain('<p>戊</p>');
});

test('tags around blocks act on what they hold', async () => {
  expect(await html('<details>\n\n<summary>题</summary>\n\n甲\n\n</details>\n\n乙')).toBe(
    '<details>\n<summary>题</summary>\n<p>甲</p>\n</details>\n<p>乙</p>',
  );
  expect(await html('<b>\n\n甲\n\n- 乙\n\n</b>\n\n丙')).toBe(
    '\n<p><b>甲</b></p>\n<ul>\n<li><b>乙</b></li>\n</ul>\n\n<p>丙</p>',
  );
});

test.each([
  ['blocks that are struck out', '<del>\n\n甲\n\n</del>', '<del>\n<p>甲</p>\n</del>'],
  ['words in a list', '<ul>甲<li>乙</li></ul>', '<ul><li>甲</li><li>乙</li></ul>'],
  [
    'an item without a list',
    '<div><ul><li>甲<p><li>乙</ul></div>',
    '<div><ul><li>甲<p></p></li><li>乙</li></ul></div>',
  ],
  [
    'a block in a heading',
    '<h4><div>甲</div><ul><li>乙</ul></h4>',
    expect.stringMatching(/^<h4 id="[^"]*"> 甲 {3}乙 {2}<a /),
  ],
  ['a meaning without a term', '<dl><dd>甲</dl>', '<div><div>甲</div></div>'],
  ['a term and its meaning', '<dl><dt>甲<dd>乙</dl>', '<dl><dt>甲</dt><dd>乙</dd></dl>'],
  [
    'a late summary',
    '<details>甲<summary>乙</summary>丙</details>',
    '<details><summary>乙</summary>甲丙</details>',
  ],
  [
    'two captions',
    '<figure><figcaption>甲</figcaption>乙<figcaption>丙</figcaption>丁</figure>',
    '<figure><figcaption>甲</figcaption>乙<div>丙</div>丁</figure>',
  ],
  ['a reading without a base', '<p><ruby><rt>甲</rt>乙</ruby></p>', '<p><span>甲</span>乙</p>'],
  ['a start that is no number', '<ol start="x"><li>甲</ol>', '<ol><li>甲</li></ol>'],
])('%s is put where HTML allows it', async (_name, markdown, expected) => {
  expect(await html(markdown)).toEqual(expected);
});

test('the parts of a table are put in order', async () => {
  const table = await html(
    '<table><tfoot><tr><td>尾</table>\n\n<table><tr><td>一<thead><tr><th>头<caption>甲</caption><caption>乙</table>',
  );
  expect(table).toContain('<table><tfoot><tr><td>尾</td></tr></tfoot></table>');
  expect(table).toMatch(
    /^[\s\S]*乙<div class="table".*><table><caption>甲<\/caption><thead>.*头.*<\/thead><tbody>.*一/,
  );
});

test('items and cells that nobody closed hold what stands in them', async () => {
  const list = await html('<ul>\n<li>\n\n甲\n\n<li>\n\n乙\n\n</ul>\n\n丙');
  expect(list.replaceAll('\n', '')).toBe('<ul><li><p>甲</p></li><li><p>乙</p></li></ul><p>丙</p>');
  const table = await html('<table>\n<tr><td>\n\n**甲**\n\n<tr><td>\n\n乙\n\n</table>');
  expect(table.replaceAll('\n', '')).toContain(
    '<tr><td><p><strong>甲</strong></p></td></tr><tr><td><p>乙</p></td></tr>',
  );
});

test('what looks like a comment in an attribute is none', async () => {
  expect(await html('<img alt="<!-- a" src="/files/a.webp">')).toContain('/files/a.webp');
  expect(await html('<div title="<!-- a">\n里面的话\n</div>')).toContain('里面的话');
  expect(await html('甲 <!-- <b title="-->乙')).toBe('<p>甲 乙</p>');
});

test('characters that HTML and XML do not allow are dropped, everywhere', async () => {
  expect(await html('甲\u0001乙\u000b丙\u0085 `a\u0008b\ufffe` [丁](/x "\u001f题")')).toBe(
    '<p>甲乙丙 <code>ab</code> <a href="/x" title="题">丁</a></p>',
  );
  expect(await html('```\na\u0002\tb\n```')).toContain('a\tb');
});

test('formulas in stressed words stay formulas, and a reference alone is none', async () => {
  expect(await html('*$x$*')).toBe('<p><em><span class="math"><math><mi>x</mi></math></span></em></p>');
  expect(await html('$\\ref{x}$')).toBe(
    '<p><span class="math"><code class="math-error">\\ref{x}</code></span></p>',
  );
});
