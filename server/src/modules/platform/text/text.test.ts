import { expect, test } from 'vitest';
import { SYSTEM_CALLER } from '../../../threads/fair-queue.ts';
import { listPictures, renderEssay, renderMarkdown, toPlainText } from './index.ts';
import { essayToHtml, markdownToHtml } from './pipeline.ts';

/** The URL of an uploaded file without the leading slash. */
const file = (digit: string) => `files/ab/${digit.repeat(62)}.webp`;
const html = async (markdown: string) => (await markdownToHtml(markdown)).html;
const essay = (markdown: string, pictures = {}) => essayToHtml(markdown, { previewPercent: null, pictures });
const picture = { width: 1600, height: 900, thumb: '/files/ab/small.webp', middle: '/files/ab/middle.webp' };

test('headings get unique readable ids and anchors, and form the table of contents', async () => {
  const { html, toc } = await markdownToHtml(
    [
      '## 开始写作',
      '## 开始写作',
      '### 用 **代码** 与 `npm`[^1]',
      '#### 再下面',
      '## cookie',
      '[^1]: 注',
    ].join('\n\n'),
  );
  expect(toc).toEqual([
    { id: 'h-开始写作', text: '开始写作', level: 2 },
    { id: 'h-开始写作-1', text: '开始写作', level: 2 },
    { id: 'h-用-代码-与-npm1', text: '用 代码 与 npm', level: 3 },
    { id: 'h-cookie', text: 'cookie', level: 2 },
  ]);
  for (const { id } of toc) expect(html).toContain(` id="${id}"`);
  expect(html).toContain(
    '<h4 id="h-再下面">再下面<a class="anchor" href="#h-再下面" aria-hidden="true" tabindex="-1"></a></h4>',
  );
});

test('demotes all headings by one level if the text uses the first level', async () => {
  const { html, toc } = await markdownToHtml('# 一\n\n## 二\n\n###### 六\n\n脚注[^1]\n\n[^1]: 注');
  expect(toc.map(({ text, level }) => [text, level])).toEqual([
    ['一', 2],
    ['二', 3],
  ]);
  expect(html).toContain('<h6 id="h-六">');
  expect(html).toContain('<h2 id="footnote-label">');
  expect((await markdownToHtml('## 二\n\n### 三')).toc.map(({ level }) => level)).toEqual([2, 3]);
});

test('heading ids do not depend on previously rendered texts', async () => {
  expect((await markdownToHtml('## 甲')).toc).toEqual((await markdownToHtml('## 甲')).toc);
});

test('adds rel="nofollow ugc noopener" to external links only', async () => {
  expect(await html('[帮助](/help.html) [下面](#h-a) [旁边](b?c=1)')).toBe(
    '<p><a href="/help.html">帮助</a> <a href="#h-a">下面</a> <a href="b?c=1">旁边</a></p>',
  );
  for (const address of ['https://example.com/a', 'http://example.com', '//example.com/a']) {
    expect(await html(`[x](${address})`)).toBe(
      `<p><a href="${address}" rel="nofollow ugc noopener">x</a></p>`,
    );
  }
  expect(await html('https://example.com')).toContain('rel="nofollow ugc noopener"');
  expect(await html('[写信](mailto:a@example.com)')).toBe('<p><a href="mailto:a@example.com">写信</a></p>');
});

test('removes a footnote link inside another link', async () => {
  expect(await html('[甲[^1]](/a)\n\n[^1]: 注')).toContain('<p><a href="/a">甲<sup>1</sup></a></p>');
});

test('renders a picture alone in a paragraph as a figure with sizes, srcset and caption', async () => {
  const pictures = { '/files/ab/c.webp': picture };
  expect((await essay('一\n\n二\n\n![墨](/files/ab/c.webp "题")', pictures)).html).toContain(
    '<figure class="picture"><img src="/files/ab/c.webp" alt="墨" width="1600" height="900" ' +
      'srcset="/files/ab/small.webp 320w, /files/ab/middle.webp 1080w, /files/ab/c.webp 1600w" ' +
      'sizes="(min-width: 768px) 714px, calc(100vw - 32px)" loading="lazy" decoding="async" data-zoom>' +
      '<figcaption>题</figcaption></figure>',
  );
  expect((await essay('[![墨](/files/ab/c.webp)](/b)', pictures)).html).toMatch(
    /^<figure class="picture"><a href="\/b"><img [^>]*decoding="async"><\/a><\/figure>$/,
  );
  const inline = (await essay('看 ![墨](/files/ab/c.webp "题") 这里', pictures)).html;
  expect(inline).toContain('alt="墨" title="题" width="1600"');
  expect(inline).not.toContain('figure');
});

test('renders the width of a picture as a class, and only the three widths', async () => {
  const pictures = { '/files/ab/c.webp': picture };
  const tag = (width: string) => `<img src="/files/ab/c.webp" alt="墨" title="题" width="${width}">`;
  const html = (await essay(`一\n\n二\n\n${tag('50%')}\n\n三`, pictures)).html;
  expect(html).toContain(
    '<figure class="picture w-50"><img src="/files/ab/c.webp" alt="墨" width="1600" height="900" ',
  );
  expect(html).toContain('sizes="(min-width: 768px) 357px, calc(100vw - 32px)"');
  expect(html).toContain('<figcaption>题</figcaption></figure>');
  expect((await essay(`看 ${tag('75%')} 这里`, pictures)).html).toMatch(
    /<p>看 <img [^>]*class="w-75"[^>]*> 这里<\/p>/,
  );
  for (const width of ['51%', '200%', '1e3%', '50%;x', '0%', '50vw', 'javascript:x']) {
    const { html } = await essay(tag(width), pictures);
    expect({ width, html }).toEqual({
      width,
      html: expect.stringMatching(/^<figure class="picture"><img [^>]*width="1600"/),
    });
  }
  expect((await essay(tag('300'), {})).html).toContain('width="300"');
});

test('renders pictures without a known size, and loads only the first one eagerly', async () => {
  expect(await html('![墨](/files/ab/c.webp)')).toBe(
    '<figure class="picture"><img src="/files/ab/c.webp" alt="墨" decoding="async" data-zoom></figure>',
  );
  const { html: two } = await essay('![](/files/a.webp)\n\n![](/files/b.webp)\n\n![](/files/c.webp)');
  expect(two.match(/loading="lazy"/g)).toHaveLength(2);
  const same = { '/files/a.webp': { ...picture, thumb: '/files/a.webp' } };
  expect((await essay('![](/files/a.webp)', same)).html).not.toContain('srcset');
});

test('replaces external pictures by links', async () => {
  expect(await html('![墨](https://example.com/a.png)')).toBe(
    '<p><a href="https://example.com/a.png" rel="nofollow ugc noopener">墨</a></p>',
  );
  expect(await html('[![墨](https://example.com/a.png)](/b)')).toBe('<p><a href="/b">墨</a></p>');
  expect(await html('![](//example.com/a.png)')).toContain('>//example.com/a.png</a>');
});

test('lists the uploaded pictures of a text without rendering it', () => {
  expect(
    listPictures(
      `![a](/${file('a')} "t") ![b](</${file('b')}>) [c]: /blog/${file('c')}\n` +
        `<img src="/${file('d')}"> ![e](${file('e')}) ![a](/${file('a')}) ![f](https://x.example/${file('f')})`,
    ),
  ).toEqual([`/${file('a')}`, `/${file('b')}`, `/blog/${file('c')}`, `/${file('d')}`, file('e')]);
});

test.each(['/~', '/files/', '/a', 'files/ab/', '~/files/ab', '/files/ab/c.'])(
  'lists pictures in linear time after many repetitions of %s',
  (part) => {
    const noise = part.repeat(200_000 / part.length);
    expect(listPictures(`${noise} ![a](/${file('a')}) ${noise}`)).toEqual([`/${file('a')}`]);
  },
);

test('tables keep their alignment and have a scroll container', async () => {
  const table = await html('| 甲 | 乙 |\n|:--|--:|\n| 1 | ~~2~~ |');
  expect(table).toMatch(/^<div class="table" tabindex="0" role="group" aria-label="表格"><table>/);
  expect(table).toContain('<th align="left">甲</th>');
  expect(table).toContain('<td align="right"><del>2</del></td>');
});

test('renders task lists as disabled checkboxes with labels', async () => {
  const list = await html('- [ ] 写\n- [x] 读');
  expect(list).toContain('<ul class="contains-task-list">');
  expect(list).toContain('<input type="checkbox" disabled aria-label="未完成"> 写');
  expect(list).toContain('<input type="checkbox" checked disabled aria-label="已完成"> 读');
});

test('footnotes have back links with Chinese labels and are not in the table of contents', async () => {
  const { html, toc } = await markdownToHtml('一句话[^1]，再引一次[^1]。\n\n## 题\n\n[^1]: 出处');
  expect(html).toContain('href="#user-content-fn-1"');
  expect(html).toContain('<li id="user-content-fn-1">');
  expect(html).toContain('<h2 id="footnote-label">脚注</h2>');
  expect(html).toContain('aria-label="回到引用 1"');
  expect(html).toContain('aria-label="回到引用 1-2"');
  expect(toc.map((entry) => entry.text)).toEqual(['题']);
});

test('renders code with language, lines, copy button and token classes', async () => {
  expect(await html('```ts\nconst a = b < 1;\n\n// 注\n```')).toBe(
    '<figure class="code" data-lang="ts"><figcaption><span class="code-name">TypeScript</span>' +
      '<button type="button" class="code-copy" data-copy>复制</button></figcaption><pre tabindex="0"><code>' +
      '<span class="line"><span class="tk-keyword">const</span> a = b &#x3C; <span class="tk-constant">1</span>;</span>\n' +
      '<span class="line"></span>\n<span class="line"><span class="tk-comment">// 注</span></span></code></pre></figure>',
  );
});

test.each([
  ['```ts {2,4-5} title="a b.ts"', 'a b.ts', 'ts', [2, 4, 5]],
  ['```ts{1}', 'TypeScript', 'ts', [1]],
  ['```js title=x.js {3-}', 'x.js', 'js', []],
  ['```', '代码', 'text', []],
  ['```txt', '纯文本', 'txt', []],
  ['```墨语 {1-99999999}', '墨语', '墨语', [1, 2, 3, 4, 5]],
  ['~~~Rust', 'Rust', 'Rust', []],
])('reads title, language and highlighted lines from %s', async (fence, name, language, marked) => {
  const code = await html(`${fence}\n1\n2\n3\n4\n5\n${fence.slice(0, 3)}`);
  expect(code).toContain(`<span class="code-name">${name}</span>`);
  expect(code).toContain(`data-lang="${language}"`);
  const lines = [...code.matchAll(/class="(line[^"]*)"/g)].map(([, names]) => names);
  expect(lines.flatMap((names, i) => (names === 'line lit' ? i + 1 : []))).toEqual(marked);
});

test('does not highlight code beyond the size limit', async () => {
  const code = await html(
    `\`\`\`ts\n${'const a = 1;\n'.repeat(6000)}\`\`\`\n\n\`\`\`ts\nconst b = 2;\n\`\`\``,
  );
  expect(code).not.toContain('tk-keyword');
  expect(code).toContain('>const b = 2;</span>');
});

test('keeps the source of diagrams for the browser', async () => {
  const { html, hasDiagrams, text } = await essay('```mermaid\ngraph TD; A-->B\n```');
  expect(html).toBe('<figure class="diagram" data-diagram><pre><code>graph TD; A-->B</code></pre></figure>');
  expect({ hasDiagrams, text }).toEqual({ hasDiagrams: true, text: '' });
});

test('renders inline and display formulas as MathML', async () => {
  expect(await html('面积 $x^2$。')).toBe(
    '<p>面积 <span class="math"><math><msup><mi>x</mi><mn class="tml-sml-pad">2</mn></msup></math></span>。</p>',
  );
  for (const markdown of ['$$\nx\n$$', '$$ x $$', '$$x$$', '```math\nx\n```', '- $$x$$', '> $$\n> x\n> $$']) {
    expect(await html(markdown)).toContain(
      '<div class="math math-display" tabindex="0"><math class="tml-display" display="block"><mi>x</mi></math></div>',
    );
  }
  expect(await essay('没有')).toMatchObject({ hasMath: false, hasDiagrams: false });
  expect(await essay('$x$')).toMatchObject({ hasMath: true });
});

test('replaces inline styles of formulas by classes and attributes', async () => {
  const table = await html(
    '$$\\begin{array}{|c|c|}\\hline a&\\textcolor{#f00}{b}\\\\\\hline\\end{array} \\boxed{c}$$',
  );
  expect(table).toMatch(/<mtd class="[^"]*tml-bt tml-bb tml-bl tml-br[^"]*">/);
  expect(table).toContain('mathcolor="#f00"');
  expect(table).toContain('tml-box');
  expect(table).not.toContain(' style=');
});

test('shows the source of an invalid formula', async () => {
  expect(await html('坏 $\\foo{$ 的')).toContain(
    '<span class="math"><code class="math-error">\\foo{</code></span>',
  );
});

test.each([
  ['一个 $5，两个 $6，三个 US$7。', 0],
  ['$5 **和** $6', 0],
  ['$ x $ 与 $x $ 与 $ x$', 0],
  ['转义 \\$x$ 与 `$x$`', 0],
  ['没有完的 $x', 0],
  ['设$x$为$y$，$a\\$b$。', 3],
  ['($x$)', 1],
  ['$x\ny$', 1],
  ['$n$th, $k$-means', 2],
])('recognises formulas but not prices in %j', async (markdown, count) => {
  expect((await html(markdown)).match(/<span class="math">/g) ?? []).toHaveLength(count);
});

test('callouts have the default title or one of the writer', async () => {
  expect(await html('> [!NOTE]\n> 内容')).toBe(
    '<div class="callout note" role="note"><p class="callout-title">说明</p>\n<p>内容</p>\n</div>',
  );
  expect(await html('> [!tip] 先说结论\n>\n> - 一')).toContain(
    '<div class="callout tip" role="note"><p class="callout-title">先说结论</p>',
  );
  for (const quote of ['> [!NOTE] 看 **这里**', '> [!OTHER]\n> x', '> x [!NOTE]', '[!NOTE]']) {
    expect(await html(quote)).not.toContain('callout');
  }
});

test('wraps emphasised Latin text in span.latin', async () => {
  expect(await html('*不需要 a queue 的*，*only-this*，*用 `npm`*')).toBe(
    '<p><em>不需要 <span class="latin">a queue</span> 的</em>，<em><span class="latin">only-this</span></em>，' +
      '<em>用 <code>npm</code></em></p>',
  );
});

test('keeps harmless inline HTML and details, without disallowed attributes', async () => {
  expect(await html('按 <kbd class="x">Ctrl</kbd>，H<sub>2</sub>O，<mark>重点</mark>')).toBe(
    '<p>按 <kbd>Ctrl</kbd>，H<sub>2</sub>O，<mark>重点</mark></p>',
  );
  expect(await html('<details open>\n<summary>展开</summary>\n\n**内容**\n\n</details>\n\n后面')).toBe(
    '<details open>\n<summary>展开</summary>\n<p><strong>内容</strong></p>\n</details>\n<p>后面</p>',
  );
});

test('an unclosed tag ends with its block, and a disallowed tag does not swallow text', async () => {
  expect(await html('看 <a href="/x">这里\n\n下一段')).toBe('<p>看 <a href="/x">这里</a></p>\n<p>下一段</p>');
  expect(await html('用 <title> 与 <textarea>\n\n下一段')).toBe('<p>用  与 </p>\n<p>下一段</p>');
});

test('rejects too deep nesting instead of crashing', async () => {
  await expect(markdownToHtml('> '.repeat(10_000))).rejects.toThrow('内容的层次太深');
  await expect(markdownToHtml('<div>'.repeat(20_000))).rejects.toThrow('内容的层次太深');
});

test.each(['>', '> ', '1. ', '+ ', '>- ', '[^a]: ', '>\t', '- - * '])(
  'rejects a line that nests %j more than a hundred times, before parsing',
  async (start) => {
    await expect(markdownToHtml(`甲\n\n${start.repeat(101)}乙`)).rejects.toThrow('内容的层次太深');
    expect(await html(`甲\n\n${start.repeat(20)}乙`)).toMatch(/^<p>甲/);
  },
);

test('renders long rules and short quotes', async () => {
  expect(await html('- '.repeat(300))).toBe('<hr>');
  expect(await html(`  ${'*'.repeat(300)}`)).toBe('<hr>');
  expect(await html('`> > >` 与 >>>')).toBe('<p><code>> > ></code> 与 >>></p>');
});

test('toPlainText returns the visible text', async () => {
  const { html } = await markdownToHtml(
    '## 一 & 二\n\n**三** <b>四</b> [五](/a "> 题") `<六>`\n\n- 七\n\n```ts\n八\n```\n\n```mermaid\n九\n```',
  );
  expect(toPlainText(html)).toBe('一 & 二 三 四 五 <六> 七 八');
});

test('the text of an essay has one line per block, without generated labels', async () => {
  const { text } = await essay(
    [
      '## 题[^1]',
      '甲  *乙*\n丙 $\\lambda$ <ruby>漢<rt>han</rt></ruby>',
      '```ts\nconst a;\n  b\n```',
      '| 一 | 二 |\n|--|--|\n| 三 | 四 |',
      '![替](/files/a.webp "图说")',
      '$$\\sum_i$$',
      '> [!NOTE]\n> 丁',
      '- [x] 做',
      '[^1]: 注',
    ].join('\n\n'),
  );
  expect(text).toBe('题\n甲 乙 丙 λ 漢\nconst a;\nb\n一 二\n三 四\n图说\n丁\n做\n注');
});

test('counts words and estimates the reading time', async () => {
  expect(await essay('你好，world！第 2 版 don’t stop。')).toMatchObject({ wordCount: 8, readMinutes: 1 });
  expect(await essay('字'.repeat(2000))).toMatchObject({ wordCount: 2000, readMinutes: 5 });
  expect(await essay(`${'字'.repeat(400)}\n\n\`\`\`\n${'a b\n'.repeat(1000)}\`\`\``)).toMatchObject({
    wordCount: 400,
    readMinutes: 3,
  });
  expect(await essay('')).toMatchObject({
    wordCount: 0,
    readMinutes: 1,
    text: '',
    summary: '',
    toc: [],
    html: '',
  });
});

test('the summary is the first sentences of the prose, without headings and code', async () => {
  const { summary } = await essay(
    `# 标题\n\n![图](/files/a.webp "图说")\n\n第一句。\n\n\`\`\`\ncode\n\`\`\`\n\n${'第二句很长'.repeat(12)}。${'第三句更长'.repeat(20)}`,
  );
  expect(summary).toBe(`第一句。${'第二句很长'.repeat(12)}。`);
  expect((await essay('一句话')).summary).toBe('一句话');
  expect((await essay('字'.repeat(200))).summary).toBe(`${'字'.repeat(120)}…`);
  expect((await essay(`${'字'.repeat(80)}，${'字'.repeat(80)}`)).summary).toBe(`${'字'.repeat(80)}…`);
});

test('limits the table of contents to a thousand entries', async () => {
  const { toc } = await essay('## 题\n\n'.repeat(1001));
  expect([toc.length, toc.at(-1)?.id]).toEqual([1000, 'h-题-999']);
});

test('rendering is deterministic', async () => {
  const text = '# 题\n\n$x$ *a*\n\n```py\nprint(1)\n```\n\n<b>x</b>[^1]\n\n[^1]: y';
  expect(await essay(text)).toEqual(await essay(text));
});

test('renders essays in the worker thread', async () => {
  const { html, preview } = await renderEssay(SYSTEM_CALLER, '甲乙\n\n丙丁', {
    previewPercent: 50,
    pictures: {},
  });
  expect([html, preview?.html]).toEqual(['<p>甲乙</p>\n<p>丙丁</p>', '<p>甲乙</p>']);
});

test('rejects a request at once when the queue is full', async () => {
  const results = await Promise.allSettled(
    Array.from({ length: 40 }, (_, at) => renderMarkdown(SYSTEM_CALLER, `第 ${at}`, { lane: 'preview' })),
  );
  const refused = results.filter((answer) => answer.status === 'rejected');
  expect(refused).toEqual(results.slice(31));
  expect(refused[0]?.reason).toMatchObject({ code: 'UNAVAILABLE', retryAfter: 10 });
  expect((await renderMarkdown(SYSTEM_CALLER, '好了', { lane: 'preview' })).html).toBe('<p>好了</p>');
});

test('the worker reports a text that cannot be rendered as INVALID', async () => {
  await expect(renderMarkdown(SYSTEM_CALLER, '>'.repeat(20_000))).rejects.toMatchObject({ code: 'INVALID' });
});
