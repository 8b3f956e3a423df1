import type { BlockContext, InlineContext, Line, MarkdownConfig } from '@lezer/markdown';

const DOLLAR = 36;
const BACKSLASH = 92;
const isDigit = (code: number) => code >= 48 && code <= 57;
const isSpace = (code: number) => code === 32 || code === 9 || code === 10 || code === -1;

function isEscaped(cx: InlineContext, at: number): boolean {
  let slashes = 0;
  while (cx.char(at - 1 - slashes) === BACKSLASH) slashes += 1;
  return slashes % 2 === 1;
}

/** The next dollar sign that is not escaped, or -1. */
function nextDollar(cx: InlineContext, from: number): number {
  for (let at = from; at < cx.end; at++) {
    const code = cx.char(at);
    if (code === BACKSLASH) at += 1;
    else if (code === DOLLAR) return at;
  }
  return -1;
}

/** The end of a formula that begins here, or -1; the rules are those of the server, in `dollar-math.ts`. */
function formulaEnd(cx: InlineContext, from: number, marks: number): number {
  const close = nextDollar(cx, from + marks);
  if (close < 0) return -1;
  if (marks === 2) return close > from + 2 && cx.char(close + 1) === DOLLAR ? close + 2 : -1;
  if (isSpace(cx.char(from + 1)) || isSpace(cx.char(close - 1))) return -1;
  const after = cx.char(close + 1);
  return isDigit(after) || after === DOLLAR ? -1 : close + 1;
}

function parseInline(cx: InlineContext, next: number, from: number): number {
  if (next !== DOLLAR || (cx.char(from - 1) === DOLLAR && !isEscaped(cx, from - 1))) return -1;
  const marks = cx.char(from + 1) === DOLLAR ? 2 : 1;
  const end = formulaEnd(cx, from, marks);
  if (end < 0) return -1;
  return cx.addElement(
    cx.elt('InlineMath', from, end, [
      cx.elt('MathMark', from, from + marks),
      cx.elt('MathMark', end - marks, end),
    ]),
  );
}

/** The number of dollar signs that open a block, or 0. */
function fenceLength({ text, pos, next }: Line): number {
  if (next !== DOLLAR) return 0;
  let end = pos;
  while (text.charCodeAt(end) === DOLLAR) end += 1;
  return end - pos >= 2 && !text.includes('$', end) ? end - pos : 0;
}

function closingLength(line: Line): number {
  if (line.indent - line.baseIndent >= 4) return 0;
  const length = fenceLength(line);
  return line.skipSpace(line.pos + length) === line.text.length ? length : 0;
}

/** The number of lists and quotes that the line continues; exists at run time, but not in the types. */
const depthOf = (line: Line): number => (line as Line & { depth: number }).depth;

function parseBlock(cx: BlockContext, line: Line): boolean {
  const length = fenceLength(line);
  if (length === 0) return false;
  const from = cx.lineStart + line.pos;
  const marks = [cx.elt('MathMark', from, from + length)];
  while (cx.nextLine() && depthOf(line) >= cx.depth) {
    marks.push(...line.markers);
    const closing = closingLength(line);
    if (closing < length) continue;
    const at = cx.lineStart + line.pos;
    marks.push(cx.elt('MathMark', at, at + closing));
    cx.nextLine();
    break;
  }
  cx.addElement(cx.elt('BlockMath', from, cx.prevLineEnd(), marks));
  return true;
}

/** Formulas between dollar signs, within a line or as a block. */
export const mathSyntax: MarkdownConfig = {
  defineNodes: [{ name: 'InlineMath' }, { name: 'BlockMath', block: true }, { name: 'MathMark' }],
  parseInline: [{ name: 'InlineMath', parse: parseInline, after: 'Escape' }],
  parseBlock: [
    {
      name: 'BlockMath',
      parse: parseBlock,
      endLeaf: (_, line) => fenceLength(line) > 0,
      after: 'FencedCode',
    },
  ],
};
