/** A word of Latin letters, or one Chinese character or mark: what is never divided. */
export interface Piece {
  text: string;
  /** In parts of the size of the letters. */
  width: number;
  isSpace: boolean;
}

export interface Placed {
  piece: Piece;
  x: number;
  /** Whether the line may be stretched before it. */
  isLoose: boolean;
}

export interface Line {
  pieces: Placed[];
  width: number;
}

const WIDE =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u2014\u2018-\u201f\u2026\u3000-\u303f\uff00-\uffef]/u;
const NO_START = /^[，。、；：！？）》」』】〕〉”’…·％℃々ー,.;:!?)\]}%]/;
const NO_END = /[（《「『【〔〈“‘([{￥¥$]$/;
/** Marks that are half empty: behind the mark, and before it. */
const CLOSING = /^[，。、）》」』】〕〉”’]$/;
const OPENING = /^[（《「『【〔〈“‘]$/;
const PAIRED = /^[—…]$/;
const HAN = /^\p{Script=Han}$/u;
const LETTER_START = /^[\p{Script=Latin}\p{Script=Greek}\d]/u;
const LETTER_END = /[\p{Script=Latin}\p{Script=Greek}\d]$/u;

const HALF = 0.5;
/** Between Chinese and Latin, where no space was written. */
const THIN = 0.125;

const graphemes = new Intl.Segmenter('zh', { granularity: 'grapheme' });
const words = new Intl.Segmenter('zh', { granularity: 'word' });

/** One line of plain words; an apostrophe within a word is one of its letters. */
export const toPlain = (text: string): string =>
  text
    .normalize()
    .replace(/(?<=\p{Script=Latin})’(?=\p{Script=Latin})/gu, "'")
    .replace(/\s+/g, ' ')
    .trim();

/** Into what is never divided. */
export function divide(text: string): string[] {
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

export const lettersOf = (text: string): string[] =>
  [...graphemes.segment(text)].map(({ segment }) => segment);

const isFull = ({ width }: Piece) => width > 0.9;
const FULL_MARK = /^[，。、；：！？（）《》「」『』【】〔〕〈〉“”‘’]$/;
const isFullMark = (piece: Piece) => isFull(piece) && FULL_MARK.test(piece.text);
const isOpening = (piece: Piece) => isFull(piece) && OPENING.test(piece.text);
const isClosing = (piece: Piece) => isFull(piece) && CLOSING.test(piece.text);

/** Marks of Chinese bring their own room; what no font had left two spaces in a row. */
export function dropSpaces(pieces: readonly Piece[]): Piece[] {
  const shown: Piece[] = [];
  for (const piece of pieces.filter(({ width }) => width > 0)) {
    const last = shown.at(-1);
    if (piece.isSpace && (last === undefined || last.isSpace || isFullMark(last))) continue;
    if (last?.isSpace === true && isFullMark(piece)) shown.pop();
    shown.push(piece);
  }
  return shown;
}

/** What is added between two neighbours, or taken away. */
function gapBetween(one: Piece | undefined, other: Piece): number {
  if (one === undefined) return isOpening(other) ? -HALF : 0;
  if (isClosing(one) && (isClosing(other) || isOpening(other))) return -HALF;
  if (isOpening(one) && isOpening(other)) return -HALF;
  const isMixed =
    (HAN.test(one.text) && LETTER_START.test(other.text)) ||
    (LETTER_END.test(one.text) && HAN.test(other.text));
  return isMixed ? THIN : 0;
}

function mayBreak(one: Piece, other: Piece): boolean {
  if (one.isSpace) return true;
  if (other.isSpace || NO_START.test(other.text) || NO_END.test(one.text)) return false;
  return !(PAIRED.test(one.text) && one.text === other.text);
}

/** Words of Chinese stay whole as well. */
function wordEnds(pieces: readonly Piece[]): Set<number> {
  const ends = new Set<number>();
  let at = 0;
  for (const { segment } of words.segment(pieces.map((piece) => piece.text).join(''))) {
    at += segment.length;
    ends.add(at);
  }
  return ends;
}

/** Neighbours that stay on one line, whatever its length. */
function gather(pieces: readonly Piece[], keepsWords: boolean): Piece[][] {
  const ends = keepsWords ? wordEnds(pieces) : null;
  const groups: Piece[][] = [];
  let at = 0;
  let last: Piece | undefined;
  for (const piece of pieces) {
    const isFree = last === undefined || (mayBreak(last, piece) && (ends === null || ends.has(at)));
    if (isFree) groups.push([piece]);
    else groups.at(-1)?.push(piece);
    at += piece.text.length;
    last = piece;
  }
  return groups;
}

function place(pieces: readonly Piece[]): Line {
  const shown = pieces.slice(
    pieces.findIndex((piece) => !piece.isSpace),
    pieces.findLastIndex((piece) => !piece.isSpace) + 1,
  );
  let x = 0;
  const placed = shown.map((piece, index) => {
    const before = shown[index - 1];
    x += gapBetween(before, piece);
    const at = { piece, x, isLoose: before !== undefined && (piece.isSpace || mayBreak(before, piece)) };
    x += piece.width;
    return at;
  });
  const last = shown.at(-1);
  return { pieces: placed, width: x - (last !== undefined && isClosing(last) ? HALF : 0) };
}

/** As many to a line as it holds; a group that no line holds is divided after all. */
export function breakLines(pieces: readonly Piece[], width: number, keepsWords = false): Line[] {
  const lines: Line[] = [];
  let current: Piece[] = [];
  const end = () => {
    const line = place(current);
    if (line.pieces.length > 0) lines.push(line);
    current = [];
  };
  for (const group of gather(pieces, keepsWords)) {
    if (place([...current, ...group]).width <= width) {
      current.push(...group);
      continue;
    }
    if (place(group).width <= width) {
      end();
      current = [...group];
      continue;
    }
    for (const piece of group) {
      if (place([...current, piece]).width > width) end();
      current.push(piece);
    }
  }
  end();
  return lines;
}

/** The same number of lines, as even as can be, and Chinese words whole where that costs no line. */
export function balanceLines(pieces: readonly Piece[], width: number): Line[] {
  const plain = breakLines(pieces, width);
  const whole = breakLines(pieces, width, true);
  const keepsWords = whole.length <= plain.length;
  const best = keepsWords ? whole : plain;
  const longest = Math.max(0, ...gather(pieces, keepsWords).map((group) => place(group).width));
  let [narrow, wide] = [Math.min(width, Math.max(width / 2, longest)), width];
  while (best.length > 1 && wide - narrow > 0.25) {
    const middle = (narrow + wide) / 2;
    if (breakLines(pieces, middle, keepsWords).length > best.length) narrow = middle;
    else wide = middle;
  }
  return breakLines(pieces, wide, keepsWords);
}

const DOTS: Piece = { text: '…', width: 1, isSpace: false };

/** The last line ends in an ellipsis, with room for it. */
export function cutLines(lines: readonly Line[], most: number, width: number): Line[] {
  const kept = lines.slice(0, most);
  const last = kept.pop();
  if (last === undefined || lines.length <= most) return [...lines];
  const pieces = last.pieces.map(({ piece }) => piece);
  const isLoose = (piece: Piece | undefined) =>
    piece !== undefined &&
    (piece.isSpace || NO_START.test(piece.text) || NO_END.test(piece.text) || PAIRED.test(piece.text));
  while (pieces.length > 1 && (place([...pieces, DOTS]).width > width || isLoose(pieces.at(-1))))
    pieces.pop();
  return [...kept, place([...pieces, DOTS])];
}

/** Spreads what is left of the line over it; a line that would be torn apart stays as it is. */
export function stretch(line: Line, width: number): Line {
  const left = width - line.width;
  const places = line.pieces.filter((each) => each.isLoose).length;
  if (left <= 0 || places === 0 || left > places * 0.3) return line;
  let passed = 0;
  const pieces = line.pieces.map((each) => {
    if (each.isLoose) passed += 1;
    return { ...each, x: each.x + (left * passed) / places };
  });
  return { pieces, width };
}
