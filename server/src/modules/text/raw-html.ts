import rehypeRaw from 'rehype-raw';
import { schema } from './schema.ts';
import { type Child, type Element, isElement, type Root } from './tree.ts';

const allowed = new Set(schema.tagNames);
const TAG = /<\/?([a-z][^\s/>]*)(?:"[^"]*"|'[^']*'|[^'"<>])*>/gi;
const UNSEEN = /<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)/gi;

/**
 * Tags that are not on the list never reach the HTML parser: an open `<title>` would swallow what follows. What
 * slips through is the sanitiser's.
 */
const dropTags = (html: string): string =>
  html.replace(UNSEEN, '').replace(TAG, (tag, name: string) => (allowed.has(name.toLowerCase()) ? tag : ''));

const COMMENT = /<!--(?:-?>|[\s\S]*?(?:--!?>|$))/g;

/** Blocks of one sentence: what is left open in one does not reach the next. */
const SENTENCE = ['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'li'];
const CELL = ['td', 'th'];
/** Blocks of blocks, which may stand between the tags that people wrote. */
const CONTAINER = ['blockquote', 'section'];
const VOID = ['br', 'hr', 'img', 'input'];
/** The parser opens these again in what follows until they are closed. */
const FORMATTING = ['a', 'b', 'code', 'em', 'i', 's', 'small', 'strong', 'u'];

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
    const found = open.findLastIndex((each) => each.name === name);
    if (found < 0) return false;
    const [opened, ...inside] = open.splice(found);
    if (opened !== undefined) lastOf[opened.at] = Math.max(at, lastOf[opened.at] ?? 0);
    for (const each of inside.reverse()) if (each.at < at || FORMATTING.includes(name)) leaveOpen(each);
    return true;
  }

  const repaired = children.map((child, at) => {
    if (!isRaw(child)) return child;
    const value = child.value.replace(TAG, (tag, given: string) => {
      const name = given.toLowerCase();
      // The parser closes paragraphs by itself.
      if (VOID.includes(name) || name === 'p') return tag;
      if (tag.startsWith('</')) return close(name, at) ? tag : '';
      open.push({ name, at });
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
          const raw = { ...child, value: dropTags(child.value.replace(COMMENT, '')) } as Child;
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
