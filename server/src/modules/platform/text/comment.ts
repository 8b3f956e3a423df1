import { invalid } from '@mozhan/contract/errors.ts';
import rehypeSanitize from 'rehype-sanitize';
import rehypeStringify from 'rehype-stringify';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { type Processor, unified } from 'unified';
import type { MarkdownNode } from './markdown.ts';
import { dropControls, markForeignLinks, markLatin, unnestLinks } from './marks.ts';
import { shortenOwnAddresses } from './pictures.ts';
import { schema } from './schema.ts';
import { type Child, type Element, element, elementsOf, isElement, type Root, text } from './tree.ts';
import { proseOf } from './words.ts';

/** What a comment has no use for stays as it was typed. */
const UNREAD = [
  ...['headingAtx', 'setextUnderline', 'thematicBreak', 'codeIndented', 'definition', 'htmlFlow', 'htmlText'],
  ...['table', 'tasklistCheck', 'gfmFootnoteDefinition', 'gfmFootnoteCall', 'gfmPotentialFootnoteCall'],
];

function readLess(this: Processor): void {
  const data = this.data();
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), { disable: { null: UNREAD } }];
}

const parser = unified().use(remarkParse).use(remarkGfm).use(readLess).freeze();

const toTree = unified()
  .use(remarkRehype)
  .use(rehypeSanitize, {
    ...schema,
    tagNames: ['p', 'blockquote', 'pre', 'ul', 'ol', 'li', 'a', 'em', 'strong', 'del', 'code', 'br'],
    attributes: { a: ['href', 'title'], code: [['className', /^language-./]], ol: ['start'] },
  })
  .freeze();

const writer = unified().use(rehypeStringify).freeze();

export interface Mention {
  id: string;
  displayName: string;
}

export interface RenderedComment {
  html: string;
  /** Its words without code, a line for each block. */
  text: string;
  /** Where code stands in what was typed. */
  code: [start: number, end: number][];
  /** The ids of those who are named, each once. */
  mentioned: string[];
}

function* codeOf(node: MarkdownNode): Generator<[start: number, end: number]> {
  if (node.type === 'code' || node.type === 'inlineCode')
    yield [node.position?.start.offset ?? 0, node.position?.end.offset ?? 0];
  if ('children' in node) for (const child of node.children) yield* codeOf(child);
}

/** Lines end where they were ended, and pictures are links. */
function simplify(parent: MarkdownNode): void {
  if (!('children' in parent)) return;
  // What takes a node's place may stand wherever it stood.
  parent.children = (parent.children as MarkdownNode[]).flatMap((child): MarkdownNode[] => {
    if (child.type === 'text')
      return child.value
        .split(/\r?\n|\r/)
        .flatMap((line, at) => [
          ...(at === 0 ? [] : [{ type: 'break' as const }]),
          { type: 'text' as const, value: line },
        ]);
    if (child.type === 'image') {
      const { url, alt, title } = child;
      return [{ type: 'link', url, title: title ?? null, children: [{ type: 'text', value: alt || url }] }];
    }
    simplify(child);
    return [child];
  }) as typeof parent.children;
}

/** Of several with one name, each takes the next place where the name stands; the last one the rest. */
function nameFinder(mentions: Mention[]): (value: string) => Child[] {
  const waiting = Map.groupBy(mentions, ({ displayName }) => displayName);
  const names = [...waiting.keys()].sort((a, b) => b.length - a.length);
  return (value) => {
    const found: Child[] = [];
    let from = 0;
    for (let at = value.indexOf('@'); at !== -1; at = value.indexOf('@', at + 1)) {
      const name = names.find((each) => value.startsWith(each, at + 1));
      const people = name === undefined ? [] : (waiting.get(name) ?? []);
      const person = people.length > 1 ? people.shift() : people[0];
      if (name === undefined || person === undefined) continue;
      const link = { href: `/user/home/${person.id}.html`, className: ['mention'] };
      found.push(text(value.slice(from, at)), element('a', link, [text(`@${name}`)]));
      from = at + 1 + name.length;
      at = from - 1;
    }
    return [...found, text(value.slice(from))];
  };
}

function linkNames(parent: Root | Element, find: (value: string) => Child[]): void {
  parent.children = (parent.children as Child[]).flatMap((child) => {
    if (child.type === 'text') return find(child.value);
    if (isElement(child) && !['a', 'code'].includes(child.tagName)) linkNames(child, find);
    return [child];
  });
}

function listMentioned(tree: Root, mentions: Mention[]): string[] {
  const linked = new Set(
    elementsOf(tree).flatMap(({ properties: { className, href } }) =>
      className === undefined ? [] : [String(href)],
    ),
  );
  return [...new Set(mentions.map(({ id }) => id))].filter((id) => linked.has(`/user/home/${id}.html`));
}

/** Quotes and lists that begin inside each other on one line: deep ones take long, and nobody writes them. */
const TOO_DEEP = /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))){13}/m;

/** For the worker, as `layOut`: what a comment may say, through the same sanitiser. */
export function layOutComment(
  markdown: string,
  mentions: Mention[],
  siteUrl?: string | null,
): RenderedComment {
  if (TOO_DEEP.test(markdown)) throw invalid('content', '内容的层次太深，无法排版');
  const parsed = parser.parse(markdown.toWellFormed());
  const code = [...codeOf(parsed)];
  simplify(parsed);
  const tree = toTree.runSync(parsed);
  if (siteUrl) shortenOwnAddresses(tree, siteUrl);
  dropControls(tree);
  unnestLinks(tree);
  markForeignLinks(tree);
  linkNames(tree, nameFinder(mentions));
  markLatin(tree);
  for (const node of elementsOf(tree)) if (node.tagName === 'pre') node.properties.tabIndex = 0;
  return {
    html: writer.stringify(tree),
    text: proseOf(tree),
    code,
    mentioned: listMentioned(tree, mentions),
  };
}
