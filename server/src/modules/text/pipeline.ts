import rehypeSanitize, { type Options as Schema } from 'rehype-sanitize';
import rehypeSlug from 'rehype-slug';
import rehypeStringify from 'rehype-stringify';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { invalid } from '#contract/errors.ts';

type Root = Parameters<ReturnType<typeof rehypeSanitize>>[0];
type Node = Root['children'][number];
type Element = Extract<Node, { type: 'element' }>;

export interface TocEntry {
  id: string;
  text: string;
  level: number;
}

/** No id may be the name of a property of `document` or `window`, which it would hide from scripts. */
const HEADING_PREFIX = 'h-';

/** What Markdown can say, and nothing else. */
const schema: Schema = {
  tagNames: [
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'blockquote', 'pre', 'hr', 'ul', 'ol', 'li', 'section'],
    ...['table', 'thead', 'tbody', 'tr', 'th', 'td'],
    ...['a', 'img', 'em', 'strong', 'del', 'code', 'br', 'sup', 'input'],
  ],
  attributes: {
    a: [
      ...['href', 'title', 'id', 'ariaLabel', 'ariaDescribedBy', 'dataFootnoteRef', 'dataFootnoteBackref'],
      ['className', 'data-footnote-backref'],
    ],
    code: [['className', /^language-./]],
    h2: ['id'],
    img: ['src', 'alt', 'title'],
    input: [
      ['type', 'checkbox'],
      ['disabled', true],
      ['checked', true],
    ],
    li: ['id', ['className', 'task-list-item']],
    ol: ['start', ['className', 'contains-task-list']],
    section: ['dataFootnotes', ['className', 'footnotes']],
    td: [['align', 'left', 'center', 'right']],
    th: [['align', 'left', 'center', 'right']],
    ul: [['className', 'contains-task-list']],
  },
  protocols: { href: ['http', 'https', 'mailto'], src: ['http', 'https'] },
  required: { input: { type: 'checkbox', disabled: true } },
  // Footnotes bring their own prefix, and HTML that could carry other ids is dropped before.
  clobber: [],
};

function* elementsOf(parent: Root | Element): Generator<Element> {
  for (const child of parent.children) {
    if (child.type !== 'element') continue;
    yield child;
    yield* elementsOf(child);
  }
}

const textOf = (node: Node): string =>
  node.type === 'text' ? node.value : 'children' in node ? node.children.map(textOf).join('') : '';

/** On another host. What is no web address, or none at all, is not. */
function isForeign(address: unknown): boolean {
  const here = 'http://here.invalid';
  const url = URL.parse(String(address), here);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin !== here;
}

/** The content policy lets pictures come from this site only: any other becomes a link to it. */
function linkForeignImages() {
  return (tree: Root) => replaceForeignImages(tree, false);
}

function replaceForeignImages(parent: Root | Element, isInLink: boolean): void {
  for (const [i, child] of parent.children.entries()) {
    if (child.type !== 'element') continue;
    const { src, alt } = child.properties;
    if (child.tagName === 'img' && isForeign(src)) {
      const text = { type: 'text' as const, value: String(alt || src) };
      parent.children[i] = isInLink
        ? text
        : { ...child, tagName: 'a', properties: { href: src }, children: [text] };
    } else {
      replaceForeignImages(child, isInLink || child.tagName === 'a');
    }
  }
}

function markForeignLinks() {
  return (tree: Root) => {
    for (const { tagName, properties } of elementsOf(tree))
      if (tagName === 'a' && isForeign(properties.href)) properties.rel = ['nofollow', 'noopener'];
  };
}

/** For those who hear the page. */
function nameCheckboxes() {
  return (tree: Root) => {
    for (const { tagName, properties } of elementsOf(tree))
      if (tagName === 'input') properties.ariaLabel = properties.checked ? '已完成' : '未完成';
  };
}

/** What comes after the sanitising is our own work on what passed it. */
const pipeline = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype, {
    footnoteLabel: '脚注',
    footnoteLabelProperties: {},
    footnoteBackLabel: (reference, again) => `回到引用 ${reference + 1}${again > 1 ? `-${again}` : ''}`,
  })
  .use(rehypeSanitize, schema)
  .use(linkForeignImages)
  .use(markForeignLinks)
  .use(nameCheckboxes)
  .use(rehypeSlug, { prefix: HEADING_PREFIX })
  .use(rehypeStringify)
  .freeze();

const isTocEntry = ({ tagName, properties: { id } }: Element): boolean =>
  // The heading of the footnotes has an id of its own.
  (tagName === 'h2' || tagName === 'h3') && String(id).startsWith(HEADING_PREFIX);

export interface Rendered {
  html: string;
  /** Headings of the second and third level. */
  toc: TocEntry[];
}

/** For the worker: some texts take a time that grows with the square of their length. */
export function layOut(markdown: string): Rendered {
  try {
    const tree = pipeline.runSync(pipeline.parse(markdown));
    const toc = [...elementsOf(tree)].filter(isTocEntry).map((heading) => ({
      id: String(heading.properties.id),
      text: textOf(heading).trim(),
      level: Number(heading.tagName.slice(1)),
    }));
    return { html: pipeline.stringify(tree), toc };
  } catch (error) {
    // Thousands of quotes or lists inside each other exhaust the stack.
    if (error instanceof RangeError) throw invalid('content', '内容的层次太深，无法排版');
    throw error;
  }
}

/** The words of what `layOut` made, on one line. */
export const toPlainText = (html: string): string =>
  html
    .replace(/<(?:"[^"]*"|[^">])*>/g, '')
    .replace(/&#x([0-9a-f]+);/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/\s+/g, ' ')
    .trim();
