import { COMMENT, replaceSections, replaceTags, splitTags } from '@mozhan/contract/scan.ts';
import rehypeRaw from 'rehype-raw';
import { schema } from './schema.ts';
import { type Child, type Element, isElement, type Root } from './tree.ts';

const allowed = new Set(schema.tagNames);
const TAG_NAME = /^<\/?([a-z][^\s/>]*)/i;
const nameOf = (tag: string): string => TAG_NAME.exec(tag)?.[1]?.toLowerCase() ?? '';
const UNSEEN = /<(script|style)\b/gi;
const closeOf = { script: /<\/script\s*>/gi, style: /<\/style\s*>/gi };

const dropUnseen = (html: string): string =>
  replaceSections(html, {
    open: UNSEEN,
    close: ([, given = '']) => {
      const name = given.toLowerCase() === 'script' ? 'script' : 'style';
      return { name, pattern: closeOf[name] };
    },
    replace: () => '',
    unclosed: 'section',
  });

/**
 * Tags that are not on the list never reach the HTML parser: an open `<title>` would swallow what follows. What
 * slips through is the sanitiser's.
 */
const dropTags = (html: string): string =>
  replaceTags(dropUnseen(html), (tag) => (allowed.has(nameOf(tag)) ? tag : ''));

/** Removes comments. `<!--` in the value of an attribute is not one. */
const dropComments = (html: string): string =>
  [...splitTags(html)].map((part) => ('tag' in part ? part.tag : part.text.replace(COMMENT, ''))).join('');

/** Blocks of one sentence: what is left open in one does not reach the next. */
const SENTENCE = ['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'li'];
const CELL = ['td', 'th'];
/** Blocks of blocks, which may stand between the tags that people wrote. */
const CONTAINER = ['blockquote', 'section'];
const VOID = ['br', 'hr', 'img', 'input'];
/** The parser opens these again in what follows until they are closed. */
const FORMATTING = ['a', 'b', 'code', 'em', 'i', 's', 'small', 'strong', 'u'];

/** The parser closes these by itself where the next one begins, or what they are in ends. */
const CLOSED_BY_THE_NEXT = ['li', 'dt', 'dd', 'tr', 'td', 'th', 'thead', 'tbody', 'tfoot'];

/** Left open, these reach to the end of what they are in: nobody sees it, and CommonMark has it so. */
const PLAIN = ['div', 'section'];

interface Raw {
  type: 'raw';
  value: string;
}

const isRaw = (node: unknown): node is Raw => (node as { type: string }).type === 'raw';

interface OpenTag {
  name: string;
  /** Of the raw node it is in. */
  at: number;
}

/**
 * Finds which raw nodes among siblings belong together, as `<details>` and `</details>` do, and repairs the others: a
 * tag that no sibling closes ends with its own node, one that closes nothing is dropped. Returns the nodes in groups.
 */
function groupRaw(children: Child[]): Child[][] {
  const open: OpenTag[] = [];
  const openCounts = new Map<string, number>();
  const count = (name: string, by: number) => openCounts.set(name, (openCounts.get(name) ?? 0) + by);
  const unclosed = new Map<number, string[]>();
  /** For each node the last one that belongs to it. */
  const lastOf = children.map((_, at) => at);

  function leaveOpen({ name, at }: OpenTag): void {
    if (PLAIN.includes(name)) return;
    const closers = unclosed.get(at) ?? [];
    closers.push(`</${name}>`);
    unclosed.set(at, closers);
  }

  function close(name: string, at: number): boolean {
    // Looking through all that is open for every tag that closes nothing would take quadratic time.
    if (!openCounts.get(name)) return false;
    const [opened, ...inside] = open.splice(open.findLastIndex((each) => each.name === name));
    for (const each of [opened, ...inside]) if (each) count(each.name, -1);
    if (opened !== undefined) lastOf[opened.at] = Math.max(at, lastOf[opened.at] ?? 0);
    for (const each of inside.reverse()) {
      if (CLOSED_BY_THE_NEXT.includes(each.name)) continue;
      if (each.at < at || FORMATTING.includes(each.name)) leaveOpen(each);
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
    leaveOpen(each);
    if (PLAIN.includes(each.name)) lastOf[each.at] = children.length - 1;
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

/** HTML that people wrote is read as a browser would, each block on its own: nothing reaches further than its block. */
export function parseHtml() {
  const parse = rehypeRaw();
  return (tree: Root, file: Parameters<typeof parse>[1]) => {
    const parseAlone = (children: Child[]): Child[] =>
      (parse({ type: 'root', children }, file) as Root).children as Child[];

    /** Whether raw nodes are left for the block around it. */
    function prepare(parent: Root | Element): boolean {
      const withRaw = new Set<Child>();
      const children = (parent.children as Child[]).flatMap((child) => {
        if (isRaw(child)) {
          const raw = { ...child, value: dropTags(dropComments(child.value)) } as Child;
          withRaw.add(raw);
          return [raw];
        }
        if (!isElement(child) || !prepare(child)) return [child];
        if (SENTENCE.includes(child.tagName)) return parseAlone([child]);
        withRaw.add(child);
        return [child];
      });
      const isCell = isElement(parent as Child, ...CELL);
      const isContainer = parent.type === 'root' || CONTAINER.includes(parent.tagName);
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
