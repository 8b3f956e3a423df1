import { expect, test } from 'vitest';
import {
  hostileFormulas,
  hostileHtml,
  hostileInfoStrings,
  hostileMarkdown,
  hostileUrls,
} from './attacks-fixture.ts';
import { essayToHtml, markdownToHtml } from './pipeline.ts';
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
/** Classes that rendering adds to the texts of these tests. */
const CLASS = new RegExp(
  [
    '(tk|tml|language)-.+|upstrike',
    'data-footnote-backref|footnotes|contains-task-list|task-list-item',
    'anchor|latin|line|lit|table|picture|w-(50|75|100)|math(-display|-error)?',
    'code(-name|-copy)?|diagram',
  ]
    .map((line) => `^(${line})$`)
    .join('|'),
);

function expectHarmless(tree: Root): void {
  for (const { tagName, properties } of elementsOf(tree)) {
    expect(TAGS).toContain(tagName);
    for (const [name, value] of Object.entries(properties)) {
      expect(ATTRIBUTES).toContain(name);
      if (name === 'id') expect(String(value)).toMatch(ID);
      if (name === 'className') for (const each of [value].flat()) expect(String(each)).toMatch(CLASS);
      if (name === 'href' || name === 'src') {
        expect(String(value)).toMatch(ADDRESS);
        // An invalid URL is harmless.
        const { protocol } = URL.parse(String(value), 'https://here.invalid') ?? { protocol: 'https:' };
        expect(['https:', 'http:', 'mailto:']).toContain(protocol);
      }
      if (tagName === 'input') expect(properties).toMatchObject({ type: 'checkbox', disabled: true });
    }
  }
  expect(JSON.stringify(tree)).not.toMatch(/"type":"(comment|raw|doctype)"/);
}

/** Also checks the HTML after a round trip through a browser's parser and serialiser (mutation XSS). */
function expectSafe(html: string): void {
  const once = parseHtml(html);
  expectHarmless(once);
  const again = writeHtml(once);
  expectHarmless(parseHtml(again));
  expect(writeHtml(parseHtml(again))).toBe(again);
  expect(html).not.toMatch(/\0|[\u202a-\u202e\u2066-\u2069]/);
}

test.each(hostileUrls)('removes the URL %j in every syntax', async (address) => {
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
    expectSafe((await markdownToHtml(markdown)).html);
  }
});

test.each(hostileHtml)('renders the HTML %j safely', async (html) => {
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
    expectSafe((await markdownToHtml(markdown)).html);
  }
});

test.each(hostileFormulas)('renders the formula %j safely', async (formula) => {
  for (const markdown of [
    `文字 $${formula}$ 文字`,
    `$$\n${formula}\n$$`,
    `$$${formula}$$`,
    `\`\`\`math\n${formula}\n\`\`\``,
  ]) {
    expectSafe((await markdownToHtml(markdown)).html);
  }
});

test.each(hostileInfoStrings)('renders code with the info string %j safely', async (info) => {
  const code = '</code></pre><script>alert(1)</script>\n<!-- --> %%{init: {"securityLevel":"loose"}}%%\n\0';
  for (const fence of ['```', '~~~'])
    expectSafe((await markdownToHtml(`${fence}${info}\n${code}\n${fence}`)).html);
});

test.each(hostileMarkdown)('renders %s safely', async (_name, markdown) => {
  const essay = await essayToHtml(markdown, { previewPercent: 50, pictures: {} });
  expectSafe(essay.html);
  expectSafe(essay.preview?.html ?? '');
  const words = JSON.stringify([essay.toc, essay.text, essay.summary]);
  expect(words).not.toMatch(/\\u0000|\\ud[89a-f]/i);
});

test('recognises URLs of other hosts in every spelling', async () => {
  for (const address of [
    'https://evil.example',
    '//evil.example',
    'Https://evil.example/x',
    'HTTP://evil.example',
  ]) {
    expect((await markdownToHtml(`[x](${address})`)).html).toContain('rel="nofollow ugc noopener"');
    expect((await markdownToHtml(`![x](${address})`)).html).not.toContain('<img');
  }
  for (const address of [
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    'https:\\\\evil.example',
  ]) {
    expect((await markdownToHtml(`<a href="${address}">x</a>`)).html).toContain(
      'rel="nofollow ugc noopener"',
    );
    expect((await markdownToHtml(`<img src="${address}" alt=x>`)).html).not.toContain('<img');
  }
});

test('pictures named like object properties get no size', async () => {
  const { html } = await essayToHtml('![x](constructor) ![y](__proto__)', {
    previewPercent: null,
    pictures: {},
  });
  expect(html).not.toMatch(/width|srcset/);
});
