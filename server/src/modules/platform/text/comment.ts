import { invalidField } from '@mozhan/contract/errors.ts';
import rehypeSanitize from 'rehype-sanitize';
import rehypeStringify from 'rehype-stringify';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { type Processor, unified } from 'unified';
import { extractProse } from './extract-text.ts';
import type { MarkdownNode } from './markdown.ts';
import { makeOwnUrlsRelative } from './pictures.ts';
import { sanitizeSchema } from './schema.ts';
import { markExternalLinks, removeControlCharacters, unnestLinks, wrapLatinText } from './transforms.ts';
import {
  type Child,
  createElement,
  createText,
  type Element,
  elementsOf,
  isElement,
  type Root,
} from './tree.ts';

/** Markdown that comments do not support is shown as typed. */
const DISABLED_CONSTRUCTS = [
  ...['headingAtx', 'setextUnderline', 'thematicBreak', 'codeIndented', 'definition', 'htmlFlow', 'htmlText'],
  ...['table', 'tasklistCheck', 'gfmFootnoteDefinition', 'gfmFootnoteCall', 'gfmPotentialFootnoteCall'],
];

function disableConstructs(this: Processor): void {
  const data = this.data();
  data.micromarkExtensions = [
    ...(data.micromarkExtensions ?? []),
    { disable: { null: DISABLED_CONSTRUCTS } },
  ];
}

const parser = unified().use(remarkParse).use(remarkGfm).use(disableConstructs).freeze();

const toTree = unified()
  .use(remarkRehype)
  .use(rehypeSanitize, {
    ...sanitizeSchema,
    tagNames: ['p', 'blockquote', 'pre', 'ul', 'ol', 'li', 'a', 'em', 'strong', 'del', 'code', 'br'],
    attributes: { a: ['href', 'title'], code: [['className', /^language-./]], ol: ['start'] },
  })
  .freeze();

const serializer = unified().use(rehypeStringify).freeze();

export interface Mention {
  id: string;
  displayName: string;
}

export interface RenderedComment {
  html: string;
  /** Text without code, one line per block. */
  text: string;
  /** Offsets of code in the Markdown source. */
  codeRanges: [start: number, end: number][];
  /** Without duplicates. */
  mentionedIds: string[];
}

function* codeRangesOf(node: MarkdownNode): Generator<[start: number, end: number]> {
  if (node.type === 'code' || node.type === 'inlineCode')
    yield [node.position?.start.offset ?? 0, node.position?.end.offset ?? 0];
  if ('children' in node) for (const child of node.children) yield* codeRangesOf(child);
}

/** Turns line ends into hard breaks and pictures into links. */
function simplify(parent: MarkdownNode): void {
  if (!('children' in parent)) return;
  // Cast: the replacements are valid wherever the replaced node was.
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

/** If several users share a name, its occurrences link to them in order, and all remaining ones to the last user. */
function createMentionLinker(mentions: Mention[]): (value: string) => Child[] {
  const waiting = Map.groupBy(mentions, ({ displayName }) => displayName);
  const names = [...waiting.keys()].sort((a, b) => b.length - a.length);
  return (value) => {
    const found: Child[] = [];
    let from = 0;
    for (let at = value.indexOf('@'); at !== -1; at = value.indexOf('@', at + 1)) {
      const name = names.find((each) => value.startsWith(each, at + 1));
      const users = name === undefined ? [] : (waiting.get(name) ?? []);
      const user = users.length > 1 ? users.shift() : users[0];
      if (name === undefined || user === undefined) continue;
      const link = { href: `/user/home/${user.id}.html`, className: ['mention'] };
      found.push(createText(value.slice(from, at)), createElement('a', link, [createText(`@${name}`)]));
      from = at + 1 + name.length;
      at = from - 1;
    }
    return [...found, createText(value.slice(from))];
  };
}

function linkMentions(parent: Root | Element, find: (value: string) => Child[]): void {
  parent.children = (parent.children as Child[]).flatMap((child) => {
    if (child.type === 'text') return find(child.value);
    if (isElement(child) && !['a', 'code'].includes(child.tagName)) linkMentions(child, find);
    return [child];
  });
}

function listMentionedIds(tree: Root, mentions: Mention[]): string[] {
  const linked = new Set(
    elementsOf(tree).flatMap(({ properties: { className, href } }) =>
      className === undefined ? [] : [String(href)],
    ),
  );
  return [...new Set(mentions.map(({ id }) => id))].filter((id) => linked.has(`/user/home/${id}.html`));
}

/** Quotes and lists that are nested on one line; parsing deep ones is slow. */
const TOO_DEEP = /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))){13}/m;

/** Blocks the thread: call it in the worker only. */
export function commentToHtml(
  markdown: string,
  mentions: Mention[],
  siteUrl?: string | null,
): RenderedComment {
  if (TOO_DEEP.test(markdown)) throw invalidField('content', '内容的层次太深，无法排版');
  const parsed = parser.parse(markdown.toWellFormed());
  const code = [...codeRangesOf(parsed)];
  simplify(parsed);
  const tree = toTree.runSync(parsed);
  if (siteUrl) makeOwnUrlsRelative(tree, siteUrl);
  removeControlCharacters(tree);
  unnestLinks(tree);
  markExternalLinks(tree);
  linkMentions(tree, createMentionLinker(mentions));
  wrapLatinText(tree);
  for (const node of elementsOf(tree)) if (node.tagName === 'pre') node.properties.tabIndex = 0;
  return {
    html: serializer.stringify(tree),
    text: extractProse(tree),
    codeRanges: code,
    mentionedIds: listMentionedIds(tree, mentions),
  };
}
