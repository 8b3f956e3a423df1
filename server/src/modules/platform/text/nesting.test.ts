import { expect, test } from 'vitest';
import { markdownToHtml } from './pipeline.ts';

const html = async (markdown: string) => (await markdownToHtml(markdown)).html;

test.each([
  ['an unclosed tag in its own block', '<b>\n\n甲\n\n乙', '<b></b>\n<p>甲</p>\n<p>乙</p>'],
  ['an unclosed tag in a paragraph', '<b>甲\n\n乙', '<p><b>甲</b></p>\n<p>乙</p>'],
  ['an unclosed tag in a quote', '> <b>\n\n乙', '<blockquote>\n<b></b>\n</blockquote>\n<p>乙</p>'],
  [
    'an unclosed tag in emphasised text',
    '**一 <i>二**\n\n乙',
    '<p><strong>一 <i>二</i></strong></p>\n<p>乙</p>',
  ],
  [
    'an unclosed tag that would hide the following text',
    '<details>\n\n乙',
    '<details><summary>详情</summary></details>\n<p>乙</p>',
  ],
  [
    'an unclosed heading',
    '<h4>题\n\n乙',
    '<h4 id="h-题">题<a class="anchor" href="#h-题" aria-hidden="true" tabindex="-1"></a></h4>\n<p>乙</p>',
  ],
  [
    'a closing tag without an opening one',
    '<div>\n\n> </div>\n\n乙',
    '<div>\n<blockquote>\n\n</blockquote>\n<p>乙</p></div>',
  ],
  ['a closing tag inside a comment', '<b>甲<!-- </b> -->\n\n乙', '<p><b>甲</b></p>\n<p>乙</p>'],
  [
    'an unclosed tag inside a div',
    '<div><b>\n\n甲\n\n</div>\n\n乙',
    '<div><b></b>\n<p>甲</p>\n</div>\n<p>乙</p>',
  ],
])('%s does not affect the next block', async (_name, markdown, expected) => {
  expect(await html(markdown)).toBe(expected);
});

test.each([
  ['<details>\n\n甲\n\n乙\n\n</details>', '<summary>详情</summary>\n<p>甲</p>\n<p>乙</p>'],
  ['<details>\n<p>甲</p>\n<summary>题</summary>\n</details>', '<summary>题</summary><p>甲</p>'],
  ['<details>\n<summary>题</summary>\n\n甲\n\n</details>', '<summary>题</summary>\n<p>甲</p>'],
])('details have one summary, and their content once: %s', async (markdown, expected) => {
  expect(await html(markdown)).toBe(`<details>\n${expected}\n</details>`);
});

test('an unclosed tag in a table cell does not affect the next cell', async () => {
  const table = await html('| <b>甲 | 乙 |\n|--|--|\n| <i>丙 | 丁 |\n\n戊');
  expect(table).toContain('<th><b>甲</b></th>\n<th>乙</th>');
  expect(table).toContain('<td><i>丙</i></td>\n<td>丁</td>');
  expect(table).toContain('<p>戊</p>');
});

test('tags around blocks apply to these blocks', async () => {
  expect(await html('<details>\n\n<summary>题</summary>\n\n甲\n\n</details>\n\n乙')).toBe(
    '<details>\n<summary>题</summary>\n<p>甲</p>\n</details>\n<p>乙</p>',
  );
  expect(await html('<b>\n\n甲\n\n- 乙\n\n</b>\n\n丙')).toBe(
    '\n<p><b>甲</b></p>\n<ul>\n<li><b>乙</b></li>\n</ul>\n\n<p>丙</p>',
  );
});

test.each([
  ['blocks inside del', '<del>\n\n甲\n\n</del>', '<del>\n<p>甲</p>\n</del>'],
  ['text directly in a list', '<ul>甲<li>乙</li></ul>', '<ul><li>甲</li><li>乙</li></ul>'],
  [
    'a list item inside a paragraph',
    '<div><ul><li>甲<p><li>乙</ul></div>',
    '<div><ul><li>甲<p></p></li><li>乙</li></ul></div>',
  ],
  [
    'a block in a heading',
    '<h4><div>甲</div><ul><li>乙</ul></h4>',
    expect.stringMatching(/^<h4 id="[^"]*"> 甲 {3}乙 {2}<a /),
  ],
  ['a dd without a dt', '<dl><dd>甲</dl>', '<div><div>甲</div></div>'],
  ['a dt and its dd', '<dl><dt>甲<dd>乙</dl>', '<dl><dt>甲</dt><dd>乙</dd></dl>'],
  [
    'a summary that is not the first child',
    '<details>甲<summary>乙</summary>丙</details>',
    '<details><summary>乙</summary>甲丙</details>',
  ],
  [
    'two captions',
    '<figure><figcaption>甲</figcaption>乙<figcaption>丙</figcaption>丁</figure>',
    '<figure><figcaption>甲</figcaption>乙<div>丙</div>丁</figure>',
  ],
  ['a ruby annotation without a base', '<p><ruby><rt>甲</rt>乙</ruby></p>', '<p><span>甲</span>乙</p>'],
  ['a start attribute that is not a number', '<ol start="x"><li>甲</ol>', '<ol><li>甲</li></ol>'],
])('repairs %s to valid HTML', async (_name, markdown, expected) => {
  expect(await html(markdown)).toEqual(expected);
});

test('orders the parts of a table', async () => {
  const table = await html(
    '<table><tfoot><tr><td>尾</table>\n\n<table><tr><td>一<thead><tr><th>头<caption>甲</caption><caption>乙</table>',
  );
  expect(table).toContain('<table><tfoot><tr><td>尾</td></tr></tfoot></table>');
  expect(table).toMatch(
    /^[\s\S]*乙<div class="table".*><table><caption>甲<\/caption><thead>.*头.*<\/thead><tbody>.*一/,
  );
});

test('unclosed list items and cells contain the blocks after them', async () => {
  const list = await html('<ul>\n<li>\n\n甲\n\n<li>\n\n乙\n\n</ul>\n\n丙');
  expect(list.replaceAll('\n', '')).toBe('<ul><li><p>甲</p></li><li><p>乙</p></li></ul><p>丙</p>');
  const table = await html('<table>\n<tr><td>\n\n**甲**\n\n<tr><td>\n\n乙\n\n</table>');
  expect(table.replaceAll('\n', '')).toContain(
    '<tr><td><p><strong>甲</strong></p></td></tr><tr><td><p>乙</p></td></tr>',
  );
});

test('does not treat <!-- in an attribute as a comment', async () => {
  expect(await html('<img alt="<!-- a" src="/files/a.webp">')).toContain('/files/a.webp');
  expect(await html('<div title="<!-- a">\n里面的话\n</div>')).toContain('里面的话');
  expect(await html('甲 <!-- <b title="-->乙')).toBe('<p>甲 乙</p>');
});

test('removes characters that HTML and XML do not allow, in text and attributes', async () => {
  expect(await html('甲\u0001乙\u000b丙\u0085 `a\u0008b\ufffe` [丁](/x "\u001f题")')).toBe(
    '<p>甲乙丙 <code>ab</code> <a href="/x" title="题">丁</a></p>',
  );
  expect(await html('```\na\u0002\tb\n```')).toContain('a\tb');
});

test('renders formulas in emphasised text, and a bare reference as an error', async () => {
  expect(await html('*$x$*')).toBe('<p><em><span class="math"><math><mi>x</mi></math></span></em></p>');
  expect(await html('$\\ref{x}$')).toBe(
    '<p><span class="math"><code class="math-error">\\ref{x}</code></span></p>',
  );
});
