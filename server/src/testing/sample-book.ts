import { allowedTags } from '@mozhan/contract/allowed-tags.ts';
import { tests as commonmark } from 'commonmark-spec';
import fc from 'fast-check';
import { zipSync } from 'fflate';
import {
  type BookFile,
  bookStyle,
  containerXml,
  toDocument,
  toPackage,
} from '../modules/content/downloads/book-parts.ts';
import { toXhtml } from '../modules/content/downloads/xhtml.ts';
import {
  hostileFormulas,
  hostileHtml,
  hostileInfoStrings,
  hostileMarkdown,
  hostileUrls,
} from '../modules/platform/text/attacks-fixture.ts';
import { githubExamples } from '../modules/platform/text/github-fixture.ts';
import { markdownToHtml } from '../modules/platform/text/pipeline.ts';

export interface RenderedSample {
  file: string;
  html: string;
}

/** A fixed seed, so that every run has the same texts. */
const SEED = 20_261_116;
const RANDOM_TEXTS = 500;

const tagName = fc.constantFrom(...allowedTags, 'font', 'center', 'svg', 'math', 'style', 'button', 'x-y');
const attribute = fc.constantFrom(
  ...[
    '',
    '',
    '',
    ' title="a<b"',
    ' href=/x',
    ' href="https://a.example/?a=1&b=[2]|"',
    ' colspan=2',
    ' start=x',
  ],
  ...[
    ' id=a',
    ' align=center',
    ' class="language-ts"',
    ' open',
    ' width=1 height=2',
    " title='\"'",
    ' src=/a.png',
  ],
);
const word = fc.constantFrom(
  '文字',
  'word',
  '一 二',
  '&amp;',
  '&nbsp;',
  '&#1;',
  '\u0001',
  '\u000b',
  '\uffff',
  '🚀',
  '*',
  '_',
  '`',
);
const tag = fc.oneof(
  fc.tuple(tagName, attribute).map(([name, given]) => `<${name}${given}>`),
  tagName.map((name) => `</${name}>`),
  fc.tuple(tagName, word).map(([name, inside]) => `<${name}>${inside}</${name}>`),
);
const sentence = fc.array(
  fc.oneof(
    word,
    word,
    tag,
    fc.constantFrom('**粗**', '*斜*', '`码`', '[链](/a)', '$x<y$', '[^1]', '![图](/a.png)', '<!-- x -->'),
  ),
  { maxLength: 8 },
);
const block = fc.oneof(
  sentence.map((parts) => parts.join('')),
  sentence.map((parts) => parts.join(' ')),
  sentence.map((parts) => `> ${parts.join('')}`),
  sentence.map((parts) => `- ${parts.join('')}\n- 项`),
  sentence.map((parts) => `1. ${parts.join('')}\n\n   ${parts.join('')}`),
  sentence.map((parts) => `## ${parts.join('')}`),
  sentence.map((parts) => `| 甲 | 乙 |\n|--|:-:|\n| ${parts.join('')} | 丙 |`),
  fc.array(tag, { minLength: 1, maxLength: 5 }).map((tags) => tags.join('\n')),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '```ts\nlet a = "<b>";\n```',
    '```mermaid\ngraph TD\n```',
    '$$\n\\frac{1}{2}\n$$',
    '[^1]: 注',
    '---',
  ),
);
const randomText = fc.array(block, { minLength: 1, maxLength: 8 }).map((blocks) => blocks.join('\n\n'));

function listSources(): { file: string; markdown: string }[] {
  const files = (kind: string, texts: string[]) =>
    texts.map((markdown, index) => ({ file: `${kind}-${index + 1}.xhtml`, markdown }));
  return [
    ...files(
      'commonmark',
      commonmark.map(({ markdown }) => markdown.replaceAll('→', '\t')),
    ),
    ...files(
      'github',
      githubExamples.map(([, markdown]) => markdown),
    ),
    ...files(
      'address',
      hostileUrls.map((address) => `[x](<${address}>) <a href="${address}">y</a>\n\n<${address}>`),
    ),
    ...files('html', hostileHtml),
    ...files(
      'html-inside',
      hostileHtml.map(
        (html) =>
          `文字 ${html} 文字\n\n> ${html}\n\n- ${html}\n\n## ${html}\n\n| a |\n|--|\n| ${html} |\n\n[${html}](/x)`,
      ),
    ),
    ...files(
      'formula',
      hostileFormulas.map((formula) => `$${formula}$\n\n$$\n${formula}\n$$`),
    ),
    ...files(
      'code',
      hostileInfoStrings.map((info) => `\`\`\`${info}\n</code></pre>\0\n\`\`\``),
    ),
    ...files(
      'markdown',
      hostileMarkdown.map(([, markdown]) => markdown),
    ),
    ...files('random', fc.sample(randomText, { seed: SEED, numRuns: RANDOM_TEXTS })),
  ];
}

export async function renderSamples(): Promise<RenderedSample[]> {
  const samples: RenderedSample[] = [];
  for (const { file, markdown } of listSources())
    samples.push({ file, html: (await markdownToHtml(markdown)).html });
  return samples;
}

const XHTML = 'application/xhtml+xml';
const options = { siteUrl: 'http://site.test', pageUrl: 'http://site.test/essay/1', pictures: new Map() };

export function createSampleBook(samples: readonly RenderedSample[]): Buffer {
  const texts: [BookFile, string][] = [];
  for (const [index, { file, html }] of samples.entries()) {
    const { body } = toXhtml(html, options);
    const properties = body.includes('<math ') ? { properties: 'mathml' } : {};
    texts.push([
      { id: `text-${index}`, href: file, type: XHTML, ...properties },
      toDocument(file, `<h1>${file}</h1>\n${body}`),
    ]);
  }
  const links = samples.map(({ file }) => `<li><a href="${file}">${file}</a></li>`).join('');
  const files: [BookFile, string][] = [
    [
      { id: 'nav', href: 'nav.xhtml', type: XHTML, properties: 'nav' },
      toDocument('目录', `<nav epub:type="toc" id="toc"><h1>目录</h1><ol>${links}</ol></nav>`),
    ],
    ...texts,
    [{ id: 'style', href: 'style.css', type: 'text/css' }, bookStyle],
  ];
  const metadata = {
    id: '0123456789abcdef0123456789abcdef',
    title: '样书',
    author: '佚名',
    publisher: '墨栈',
    summary: '',
    tags: [],
    url: '',
    publishedAt: null,
    updatedAt: new Date('2026-01-01T00:00:00Z'),
  };
  const manifest = files.map(([file]) => file);
  const encode = (text: string) => new TextEncoder().encode(text);
  const zipped = zipSync({
    mimetype: [encode('application/epub+zip'), { level: 0 }],
    'META-INF/container.xml': encode(containerXml),
    'EPUB/package.opf': encode(
      toPackage(
        metadata,
        manifest,
        texts.map(([{ id }]) => id),
      ),
    ),
    ...Object.fromEntries(files.map(([{ href }, text]) => [`EPUB/${href}`, encode(text)])),
  });
  return Buffer.from(zipped);
}
