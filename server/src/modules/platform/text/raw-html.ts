import { HTML_COMMENT, replaceSections, replaceTags, splitTags } from '@mozhan/contract/text-scan.ts';
import rehypeRaw from 'rehype-raw';
import { sanitizeSchema } from './schema.ts';
import { type Child, type Element, isElement, type Root } from './tree.ts';

const allowedTagNames = new Set(sanitizeSchema.tagNames);
const TAG_NAME = /^<\/?([a-z][^\s/>]*)/i;
const nameOf = (tag: string): string => TAG_NAME.exec(tag)?.[1]?.toLowerCase() ?? '';
const HIDDEN_SECTION = /<(script|style)\b/gi;
const closeOf = { script: /<\/script\s*>/gi, style: /<\/style\s*>/gi };

const removeHiddenSections = (html: string): string =>
  replaceSections(html, {
    open: HIDDEN_SECTION,
    close: ([, given = '']) => {
      const name = given.toLowerCase() === 'script' ? 'script' : 'style';
      return { name, pattern: closeOf[name] };
    },
    replace: () => '',
    unclosed: 'section',
  });

/**
 * Removes disallowed tags before the HTML parser sees them, because an unclosed `<title>` would swallow the text after
 * it. The sanitiser removes what is missed here.
 */
const removeDisallowedTags = (html: string): string =>
  replaceTags(removeHiddenSections(html), (tag) => (allowedTagNames.has(nameOf(tag)) ? tag : ''));

/** Removes comments. `<!--` in the value of an attribute is not one. */
const removeComments = (html: string): string =>
  [...splitTags(html)]
    .map((part) => ('tag' in part ? part.tag : part.text.replace(HTML_COMMENT, '')))
    .join('');

/** Blocks of inline content, each parsed on its own so that an unclosed tag ends with its block. */
const INLINE_BLOCKS = ['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'li'];
const CELLS = ['td', 'th'];
/** Blocks of blocks: users may open a tag in one child and close it in a later one. */
const CONTAINERS = ['blockquote', 'section'];
const VOID = ['br', 'hr', 'img', 'input'];
/** The HTML parser reopens these in the following elements until they are closed. */
const FORMATTING = ['a', 'b', 'code', 'em', 'i', 's', 'small', 'strong', 'u'];

/** The HTML parser closes these where the next one begins or their parent ends. */
const AUTO_CLOSED = ['li', 'dt', 'dd', 'tr', 'td', 'th', 'thead', 'tbody', 'tfoot'];

/** If unclosed, these extend to the end of their parent, as in CommonMark; this is invisible. */
const INVISIBLE_CONTAINERS = ['div', 'section'];

interface Raw {
  type: 'raw';
  value: string;
}

/** The parser adds words between parts of a table only when something follows. The sanitiser removes it. */
const END: Child = { type: 'comment', value: '' };

const isRaw = (node: unknown): node is Raw => (node as { type: string }).type === 'raw';

interface OpenTag {
  name: string;
  /** Index of the raw node that contains it. */
  at: number;
}

/**
 * Groups sibling raw nodes that belong together, such as `<details>` and `</details>`, and repairs the others: a tag
 * that no sibling closes is closed in its own node, and a closing tag without an opening one is removed.
 */
function groupRaw(children: Child[]): Child[][] {
  const open: OpenTag[] = [];
  const openCounts = new Map<string, number>();
  const count = (name: string, by: number) => openCounts.set(name, (openCounts.get(name) ?? 0) + by);
  const unclosed = new Map<number, string[]>();
  /** For each node the index of the last node of its group. */
  const lastOf = children.map((_, at) => at);

  function closeInOwnNode({ name, at }: OpenTag): void {
    if (INVISIBLE_CONTAINERS.includes(name)) return;
    const closers = unclosed.get(at) ?? [];
    closers.push(`</${name}>`);
    unclosed.set(at, closers);
  }

  function close(name: string, at: number): boolean {
    // Without this count, searching `open` for every unmatched closing tag takes quadratic time.
    if (!openCounts.get(name)) return false;
    const [opened, ...inside] = open.splice(open.findLastIndex((each) => each.name === name));
    for (const each of [opened, ...inside]) if (each) count(each.name, -1);
    if (opened !== undefined) lastOf[opened.at] = Math.max(at, lastOf[opened.at] ?? 0);
    for (const each of inside.reverse()) {
      if (AUTO_CLOSED.includes(each.name)) continue;
      if (each.at < at || FORMATTING.includes(each.name)) closeInOwnNode(each);
    }
    return true;
  }

  const repaired = children.map((child, at) => {
    if (!isRaw(child)) return child;
    const value = replaceTags(child.value, (tag) => {
      const name = nameOf(tag);
      // The parser closes paragraphs by itself.
      if (VOID.includes(name) || name === 'p') return tag;
      if (tag.startsWith('</')) return close(name, at) ? tag : '';
      open.push({ name, at });
      count(name, 1);
      return tag;
    });
    return { ...child, value };
  });
  for (const each of open.reverse()) {
    closeInOwnNode(each);
    if (INVISIBLE_CONTAINERS.includes(each.name)) lastOf[each.at] = children.length - 1;
  }

  const groups: Child[][] = [];
  let end = -1;
  for (const [at, child] of repaired.entries()) {
    const closers = unclosed.get(at)?.join('') ?? '';
    const closed = isRaw(child) ? ({ ...child, value: child.value + closers } as Child) : child;
    if (at > end) groups.push([closed]);
    else groups.at(-1)?.push(closed);
    end = Math.max(end, lastOf[at] ?? at);
  }
  return groups;
}

/** Parses raw HTML as a browser does, but each block on its own, so that unclosed tags end with their block. */
export function parseRawHtml() {
  const parse = rehypeRaw();
  return (tree: Root, file: Parameters<typeof parse>[1]) => {
    const parseAlone = (children: Child[]): Child[] =>
      (parse({ type: 'root', children: [...children, END] }, file) as Root).children as Child[];

    /** Returns whether raw nodes remain that the parent block must parse. */
    function prepare(parent: Root | Element): boolean {
      const withRaw = new Set<Child>();
      const children = (parent.children as Child[]).flatMap((child) => {
        if (isRaw(child)) {
          const raw = { ...child, value: removeDisallowedTags(removeComments(child.value)) } as Child;
          withRaw.add(raw);
          return [raw];
        }
        if (!isElement(child) || !prepare(child)) return [child];
        if (INLINE_BLOCKS.includes(child.tagName)) return parseAlone([child]);
        withRaw.add(child);
        return [child];
      });
      const isCell = isElement(parent as Child, ...CELLS);
      const isContainer = parent.type === 'root' || CONTAINERS.includes(parent.tagName);
      if (withRaw.size > 0 && isCell) parent.children = parseAlone(children);
      else if (withRaw.size > 0 && isContainer) {
        parent.children = groupRaw(children).flatMap((group) =>
          group.some((each) => isRaw(each) || withRaw.has(each)) ? parseAlone(group) : group,
        );
      } else parent.children = children;
      return withRaw.size > 0 && !isCell && !isContainer;
    }

    prepare(tree);
    return tree;
  };
}
