import type { InlineContext, LeafBlock, MarkdownConfig } from '@lezer/markdown';

/** Marks of emphasis and links in one block; every closing one is compared with those before it. */
const MAX_MARKS = 5000;
/** Characters that the parsers of links and tags read ahead or back in one block, in all. */
const MAX_SCANNED = 500_000;

interface Effort {
  marks: number;
  scanned: number;
  lastBracket: number;
}

const efforts = new WeakMap<InlineContext, Effort>();

function effortOf(cx: InlineContext): Effort {
  const known = efforts.get(cx);
  if (known !== undefined) return known;
  const effort = { marks: 0, scanned: 0, lastBracket: 0 };
  efforts.set(cx, effort);
  return effort;
}

const distanceTo = (text: string, end: string, from: number): number => {
  const found = text.indexOf(end, from);
  return (found < 0 ? text.length : found) - from;
};

/** How far the parser of HTML reads; null if the bracket begins no tag. */
function tagLength(text: string, at: number): number | null {
  const next = text.charAt(at + 1);
  if (next === '?') return distanceTo(text, '?>', at);
  if (text.startsWith('<!--', at)) return distanceTo(text, '-->', at);
  if (text.startsWith('<![CDATA[', at)) return distanceTo(text, ']]>', at);
  return /[a-z/!]/i.test(next) ? distanceTo(text, '>', at) : null;
}

const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13);

/** How far the parser of links reads after `](`: the address, and a title after it. */
function targetLength(text: string, from: number, max: number): number {
  let at = from;
  for (let depth = 0; at - from < max && at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isSpace(code)) break;
    if (code === 92) at += 1;
    else if (code === 40) depth += 1;
    else if (code === 41 && --depth < 0) break;
  }
  while (at - from < max && isSpace(text.charCodeAt(at))) at += 1;
  const mark = text.charAt(at);
  const close = mark === '(' ? ')' : mark === '"' || mark === "'" ? mark : null;
  return at - from + (close === null ? 0 : distanceTo(text, close, at + 1));
}

/** Returns false if the parsers would take too long with the mark at this position. */
function isAffordable(cx: InlineContext, next: string, at: number): boolean {
  const effort = effortOf(cx);
  const { text } = cx;
  if (next === '<') effort.scanned += tagLength(text, at) ?? 0;
  else if (next === ']') {
    effort.scanned += at - effort.lastBracket;
    if (text.charAt(at + 1) === '(' && effort.scanned <= MAX_SCANNED)
      effort.scanned += targetLength(text, at + 2, MAX_SCANNED - effort.scanned + 1);
  } else {
    effort.marks += 1;
    if (next === '[') effort.lastBracket = at;
  }
  return effort.scanned <= MAX_SCANNED && effort.marks <= MAX_MARKS;
}

const MARKS = '*_~^[]<';

/** A paragraph that may be the definition of a link is read again from its start with every line. */
const MAX_DEFINITION = 5000;
/** Lists and quotes within each other. */
const MAX_DEPTH = 100;

/** Read once, at the first lines: reading the start of a text that grows copies it every time. */
const definitions = new WeakMap<LeafBlock, boolean>();

function mayBeDefinition(leaf: LeafBlock): boolean {
  const known = definitions.get(leaf);
  if (known !== undefined) return known;
  const found = leaf.content.startsWith('[');
  definitions.set(leaf, found);
  return found;
}

/**
 * The parsers of emphasis, links and tags take time that grows with the square of the length of a block, and a block is
 * parsed without a pause. In a block with too many of them, the rest is plain text.
 */
export const boundedMarkdown: MarkdownConfig = {
  parseInline: [
    {
      name: 'TooManyMarks',
      parse(cx, code, at) {
        // The parser of pictures takes two characters.
        const next = code === 33 && cx.char(at + 1) === 91 ? '[' : String.fromCharCode(code);
        if (!MARKS.includes(next)) return -1;
        return isAffordable(cx, next, at - cx.offset) ? -1 : at + 1;
      },
      before: 'HTMLTag',
    },
  ],
  parseBlock: [
    {
      name: 'LongDefinition',
      endLeaf: (_cx, _line, leaf) => mayBeDefinition(leaf) && leaf.content.length > MAX_DEFINITION,
    },
    {
      name: 'TooDeep',
      parse(cx, line) {
        if (cx.depth <= MAX_DEPTH) return false;
        cx.addElement(cx.elt('Paragraph', cx.lineStart + line.pos, cx.lineStart + line.text.length));
        cx.nextLine();
        return true;
      },
      before: 'Blockquote',
    },
  ],
};
