import { expect, test } from 'vitest';
import { renderMarkdown, toPlainText } from './index.ts';
import { layOut } from './pipeline.ts';

const html = (markdown: string) => layOut(markdown).html;

test.each([
  ['a script', '<script>alert(1)</script>'],
  ['a script that Markdown looks into', '<script>\n\n**x**\n\n</script>'],
  ['an image that fails', '<img src=x onerror=alert(1)>'],
  ['a vector image', '<svg><script>alert(1)</script></svg>'],
  ['a frame', '<iframe srcdoc="<script>alert(1)</script>"></iframe>'],
  ['a style', '<style>*{display:none}</style>\n\n<p style="position:fixed">x</p>'],
  ['a form', '<form action="https://evil.example"><input name="password"></form>'],
  ['an id that hides a property', '<a id="getElementById" name="cookie">x</a>'],
  ['a link that runs', '[x](javascript:alert(1))'],
  [
    'the same in disguise',
    '[x](JaVaScRiPt&#58;alert(1)) [y](java&#10;script:alert(1)) [z](\u0001javascript:alert(1))',
  ],
  ['the same as an address', '<javascript:alert(1)>'],
  ['the same by reference', '[x][a]\n\n[a]: javascript:alert(1)'],
  ['a link with its own page', '[x](data:text/html;base64,PHNjcmlwdD4=)'],
  ['another old one', '[x](vbscript:msgbox(1))'],
  ['an image with its own content', '![x](data:image/svg+xml;base64,PHN2Zz4=) ![y](javascript:alert(1))'],
  ['a title that leaves its quotes', '[x](/a "\\" onmouseover=\\"alert(1)")'],
  ['a language that leaves its quotes', '```x"onclick="alert(1)\ncode\n```'],
  ['a footnote with markup for a name', '[^<img src=x>]\n\n[^<img src=x>]: x'],
])('%s does no harm', (_name, markdown) => {
  const tags = html(markdown).match(/<(?:"[^"]*"|[^">])*>/g) ?? [];
  for (const tag of tags) {
    const attributes = tag.replace(/"[^"]*"/g, '""');
    expect(attributes).toMatch(/^<\/?(p|a|img|pre|code|strong|sup|section|h2|ol|li)\b/);
    expect(attributes).not.toMatch(/\b(on\w+|style|name|action|srcdoc)\s*=/i);
    expect(tag).not.toMatch(/(href|src)="\s*(javascript|data|vbscript)/i);
  }
  expect(html(markdown)).not.toContain('id="getElementById"');
});

test('headings get readable ids that are nobody else’s, and are the table of contents', () => {
  const { html, toc } = layOut(
    ['# 总题', '## 开始写作', '## 开始写作', '### 用 **代码** 与 `npm`', '#### 再下面', '## cookie'].join(
      '\n\n',
    ),
  );
  expect(toc).toEqual([
    { id: 'h-开始写作', text: '开始写作', level: 2 },
    { id: 'h-开始写作-1', text: '开始写作', level: 2 },
    { id: 'h-用-代码-与-npm', text: '用 代码 与 npm', level: 3 },
    { id: 'h-cookie', text: 'cookie', level: 2 },
  ]);
  for (const { id } of toc) expect(html).toContain(` id="${id}"`);
  expect(html).toContain('<h4 id="h-再下面">');
});

test('one text’s headings do not number another’s', () => {
  expect(layOut('## 甲').toc).toEqual(layOut('## 甲').toc);
});

test('links of the site stay as they are, others are told not to trust', () => {
  expect(html('[帮助](/help.html) [下面](#h-a) [旁边](b?c=1)')).toBe(
    '<p><a href="/help.html">帮助</a> <a href="#h-a">下面</a> <a href="b?c=1">旁边</a></p>',
  );
  for (const address of ['https://example.com/a', 'http://example.com', '//example.com/a']) {
    expect(html(`[x](${address})`)).toBe(`<p><a href="${address}" rel="nofollow noopener">x</a></p>`);
  }
  expect(html('https://example.com')).toContain('rel="nofollow noopener"');
  expect(html('[写信](mailto:a@example.com)')).toBe('<p><a href="mailto:a@example.com">写信</a></p>');
});

test('pictures of the site are shown, others linked', () => {
  expect(html('![墨](/files/ab/c.webp "题")')).toBe(
    '<p><img src="/files/ab/c.webp" alt="墨" title="题"></p>',
  );
  expect(html('![墨](https://example.com/a.png)')).toBe(
    '<p><a href="https://example.com/a.png" rel="nofollow noopener">墨</a></p>',
  );
  expect(html('[![墨](https://example.com/a.png)](/b)')).toBe('<p><a href="/b">墨</a></p>');
  expect(html('![](//example.com/a.png)')).toContain('>//example.com/a.png</a>');
});

test('tables keep their alignment', () => {
  const table = html('| 甲 | 乙 |\n|:--|--:|\n| 1 | ~~2~~ |');
  expect(table).toContain('<th align="left">甲</th>');
  expect(table).toContain('<td align="right"><del>2</del></td>');
});

test('task lists are boxes that nobody can tick, each with a name', () => {
  const list = html('- [ ] 写\n- [x] 读');
  expect(list).toContain('<ul class="contains-task-list">');
  expect(list).toContain('<input type="checkbox" disabled aria-label="未完成"> 写');
  expect(list).toContain('<input type="checkbox" checked disabled aria-label="已完成"> 读');
});

test('footnotes lead there and back, in Chinese, and are no part of the contents', () => {
  const { html, toc } = layOut('一句话[^1]，再引一次[^1]。\n\n## 题\n\n[^1]: 出处');
  expect(html).toContain('href="#user-content-fn-1"');
  expect(html).toContain('<li id="user-content-fn-1">');
  expect(html).toContain('<h2 id="footnote-label">脚注</h2>');
  expect(html).toContain('aria-label="回到引用 1"');
  expect(html).toContain('aria-label="回到引用 1-2"');
  expect(toc.map((entry) => entry.text)).toEqual(['题']);
});

test('code keeps its language and its characters', () => {
  expect(html('```ts\nif (a < b && c) {}\n```')).toBe(
    '<pre><code class="language-ts">if (a &#x3C; b &#x26;&#x26; c) {}\n</code></pre>',
  );
});

test('what is nested beyond all measure is refused, not a crash', () => {
  expect(() => layOut('> '.repeat(10_000))).toThrow('内容的层次太深');
});

test('plain text is what a reader sees', () => {
  const { html } = layOut('## 一 & 二\n\n**三** <b>四</b> [五](/a "> 题") `<六>`\n\n- 七');
  expect(toPlainText(html)).toBe('一 & 二 三 四 五 <六> 七');
});

test('a text that would take minutes is refused, others are answered meanwhile and after', async () => {
  const hard = renderMarkdown('*a_'.repeat(33_000));
  const other = new Promise((resolve) => setTimeout(() => resolve('the process itself goes on'), 50));
  expect(await Promise.race([hard.catch(() => 'stuck'), other])).toBe('the process itself goes on');
  await expect(hard).rejects.toMatchObject({ code: 'INVALID', fields: { content: /太复杂/ } });
  for (const title of ['甲', '乙', '丙']) expect((await renderMarkdown(`## ${title}`)).toc).toHaveLength(1);
});

test('what cannot be laid out is refused in words by the worker too', async () => {
  await expect(renderMarkdown('>'.repeat(20_000))).rejects.toMatchObject({ code: 'INVALID' });
});
