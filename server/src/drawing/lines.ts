/** A Latin word, or one Chinese character or punctuation mark; never broken across lines. */
export interface TextPiece {
  text: string;
  /** In units of the font size. */
  width: number;
  isSpace: boolean;
}

export interface PlacedPiece {
  piece: TextPiece;
  x: number;
  /** Whether justification may add space before it. */
  isStretchable: boolean;
}

export interface Line {
  pieces: PlacedPiece[];
  width: number;
}

const WIDE =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u2014\u2018-\u201f\u2026\u3000-\u303f\uff00-\uffef]/u;
const NO_START = /^[，。、；：！？）》」』】〕〉”’…·％℃々ー,.;:!?)\]}%]/;
const NO_END = /[（《「『【〔〈“‘([{￥¥$]$/;
/** Punctuation whose right (closing) or left (opening) half is empty. */
const CLOSING = /^[，。、）》」』】〕〉”’]$/;
const OPENING = /^[（《「『【〔〈“‘]$/;
const PAIRED = /^[—…]$/;
const HAN = /^\p{Script=Han}$/u;
const LETTER_START = /^[\p{Script=Latin}\p{Script=Greek}\d]/u;
const LETTER_END = /[\p{Script=Latin}\p{Script=Greek}\d]$/u;

const HALF = 0.5;
const THIN = 0.125;

const graphemes = new Intl.Segmenter('zh', { granularity: 'grapheme' });
const wordSegmenter = new Intl.Segmenter('zh', { granularity: 'word' });

/** Collapses white space; an apostrophe within a Latin word becomes a letter of it. */
export const toSingleLine = (text: string): string =>
  text
    .normalize()
    .replace(/(?<=\p{Script=Latin})’(?=\p{Script=Latin})/gu, "'")
    .replace(/\s+/g, ' ')
    .trim();

export function splitPieces(text: string): string[] {
  const parts: string[] = [];
  let isWord = false;
  for (const { segment } of graphemes.segment(text)) {
    const isLetter = segment !== ' ' && !WIDE.test(segment);
    if (isLetter && isWord) parts.push(`${parts.pop() ?? ''}${segment}`);
    else parts.push(segment);
    isWord = isLetter;
  }
  return parts;
}

export const graphemesOf = (text: string): string[] =>
  [...graphemes.segment(text)].map(({ segment }) => segment);

const isFull = ({ width }: TextPiece) => width > 0.9;
const FULL_MARK = /^[，。、；：！？（）《》「」『』【】〔〕〈〉“”‘’]$/;
const isFullMark = (piece: TextPiece) => isFull(piece) && FULL_MARK.test(piece.text);
const isOpening = (piece: TextPiece) => isFull(piece) && OPENING.test(piece.text);
const isClosing = (piece: TextPiece) => isFull(piece) && CLOSING.test(piece.text);

/** Full-width punctuation contains its own space; characters without a glyph may leave two spaces in a row. */
export function removeRedundantSpaces(pieces: readonly TextPiece[]): TextPiece[] {
  const visible: TextPiece[] = [];
  for (const piece of pieces.filter(({ width }) => width > 0)) {
    const last = visible.at(-1);
    if (piece.isSpace && (last === undefined || last.isSpace || isFullMark(last))) continue;
    if (last?.isSpace === true && isFullMark(piece)) visible.pop();
    visible.push(piece);
  }
  return visible;
}

/** Space to add (or remove, if negative) between two adjacent pieces. */
function gapBetween(one: TextPiece | undefined, other: TextPiece): number {
  if (one === undefined) return isOpening(other) ? -HALF : 0;
  if (isClosing(one) && (isClosing(other) || isOpening(other))) return -HALF;
  if (isOpening(one) && isOpening(other)) return -HALF;
  const isMixed =
    (HAN.test(one.text) && LETTER_START.test(other.text)) ||
    (LETTER_END.test(one.text) && HAN.test(other.text));
  return isMixed ? THIN : 0;
}

function mayBreak(one: TextPiece, other: TextPiece): boolean {
  if (one.isSpace) return true;
  if (other.isSpace || NO_START.test(other.text) || NO_END.test(one.text)) return false;
  return !(PAIRED.test(one.text) && one.text === other.text);
}

/** Offsets at which words end, including Chinese words. */
function wordEnds(pieces: readonly TextPiece[]): Set<number> {
  const ends = new Set<number>();
  let at = 0;
  for (const { segment } of wordSegmenter.segment(pieces.map((piece) => piece.text).join(''))) {
    at += segment.length;
    ends.add(at);
  }
  return ends;
}

function groupUnbreakable(pieces: readonly TextPiece[], keepWords: boolean): TextPiece[][] {
  const ends = keepWords ? wordEnds(pieces) : null;
  const groups: TextPiece[][] = [];
  let at = 0;
  let last: TextPiece | undefined;
  for (const piece of pieces) {
    const isFree = last === undefined || (mayBreak(last, piece) && (ends === null || ends.has(at)));
    if (isFree) groups.push([piece]);
    else groups.at(-1)?.push(piece);
    at += piece.text.length;
    last = piece;
  }
  return groups;
}

function layoutLine(pieces: readonly TextPiece[]): Line {
  const visible = pieces.slice(
    pieces.findIndex((piece) => !piece.isSpace),
    pieces.findLastIndex((piece) => !piece.isSpace) + 1,
  );
  let x = 0;
  const placed = visible.map((piece, index) => {
    const before = visible[index - 1];
    x += gapBetween(before, piece);
    const at = {
      piece,
      x,
      isStretchable: before !== undefined && (piece.isSpace || mayBreak(before, piece)),
    };
    x += piece.width;
    return at;
  });
  const last = visible.at(-1);
  return { pieces: placed, width: x - (last !== undefined && isClosing(last) ? HALF : 0) };
}

/** Fills lines greedily; a group wider than a line is broken. */
export function breakLines(pieces: readonly TextPiece[], width: number, keepWords = false): Line[] {
  const lines: Line[] = [];
  let current: TextPiece[] = [];
  const end = () => {
    const line = layoutLine(current);
    if (line.pieces.length > 0) lines.push(line);
    current = [];
  };
  for (const group of groupUnbreakable(pieces, keepWords)) {
    if (layoutLine([...current, ...group]).width <= width) {
      current.push(...group);
      continue;
    }
    if (layoutLine(group).width <= width) {
      end();
      current = [...group];
      continue;
    }
    for (const piece of group) {
      if (layoutLine([...current, piece]).width > width) end();
      current.push(piece);
    }
  }
  end();
  return lines;
}

/** Balances the line lengths without adding lines, and keeps Chinese words together if that adds no line. */
export function balanceLines(pieces: readonly TextPiece[], width: number): Line[] {
  const plain = breakLines(pieces, width);
  const withWords = breakLines(pieces, width, true);
  const keepWords = withWords.length <= plain.length;
  const best = keepWords ? withWords : plain;
  const longest = Math.max(0, ...groupUnbreakable(pieces, keepWords).map((group) => layoutLine(group).width));
  let [narrow, wide] = [Math.min(width, Math.max(width / 2, longest)), width];
  while (best.length > 1 && wide - narrow > 0.25) {
    const middle = (narrow + wide) / 2;
    if (breakLines(pieces, middle, keepWords).length > best.length) narrow = middle;
    else wide = middle;
  }
  return breakLines(pieces, wide, keepWords);
}

const ELLIPSIS: TextPiece = { text: '…', width: 1, isSpace: false };

/** Truncates to `maxLines`, with an ellipsis that fits in the last line. */
export function truncateLines(lines: readonly Line[], maxLines: number, width: number): Line[] {
  const fullLines = lines.slice(0, maxLines);
  const last = fullLines.pop();
  if (last === undefined || lines.length <= maxLines) return [...lines];
  const pieces = last.pieces.map(({ piece }) => piece);
  const isBadEnd = (piece: TextPiece | undefined) =>
    piece !== undefined &&
    (piece.isSpace || NO_START.test(piece.text) || NO_END.test(piece.text) || PAIRED.test(piece.text));
  while (pieces.length > 1 && (layoutLine([...pieces, ELLIPSIS]).width > width || isBadEnd(pieces.at(-1))))
    pieces.pop();
  return [...fullLines, layoutLine([...pieces, ELLIPSIS])];
}

/** Distributes the remaining space over the line; a line that would need too much space stays as it is. */
export function justify(line: Line, width: number): Line {
  const left = width - line.width;
  const gaps = line.pieces.filter((each) => each.isStretchable).length;
  if (left <= 0 || gaps === 0 || left > gaps * 0.3) return line;
  let passed = 0;
  const pieces = line.pieces.map((each) => {
    if (each.isStretchable) passed += 1;
    return { ...each, x: each.x + (left * passed) / gaps };
  });
  return { pieces, width };
}
