import { createFinder } from './scan.ts';

const OTHER = 1;
/** Begins what may be no word: a picture, an address, a formula, a tag. */
const MARK = 2;
/** A mark such as a hyphen or an apostrophe: part of a word, but never its beginning. */
const JOINS = 3;
const SPACE = 4;
const LETTER = 5;
/** A Chinese character is a word. */
const EAST_ASIAN = 6;

function kindOfPoint(point: number): number {
  const letter = String.fromCodePoint(point);
  if ('![]<$&'.includes(letter)) return MARK;
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(letter))
    return EAST_ASIAN;
  if (/[\p{L}\p{N}]/u.test(letter)) return LETTER;
  if (/[\p{M}'’._-]/u.test(letter)) return JOINS;
  return /\s/.test(letter) ? SPACE : OTHER;
}

/** What was looked up once, by code point: a table is many times faster than an expression. */
const kinds = new Uint8Array(0x110000);

function kindOf(point: number): number {
  const known = kinds[point] ?? OTHER;
  if (known !== 0) return known;
  const kind = kindOfPoint(point);
  kinds[point] = kind;
  return kind;
}

const isSpaceAt = (text: string, at: number) => kindOf(text.charCodeAt(at)) === SPACE;
const isLatin = (code: number) => (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
const isDigit = (code: number) => code >= 48 && code <= 57;

/** The comma at `at` stands between thousands. */
const isInNumber = (text: string, at: number): boolean =>
  isDigit(text.charCodeAt(at - 1)) &&
  isDigit(text.charCodeAt(at + 1)) &&
  isDigit(text.charCodeAt(at + 2)) &&
  isDigit(text.charCodeAt(at + 3)) &&
  !isDigit(text.charCodeAt(at + 4));

const COMMA = 44;
const SMALL_H = 104;

/**
 * Tells where each word begins: each Chinese character, and letters and digits of other scripts that belong together.
 * `passOver` says where something that is no word ends; 0 when nothing of that kind begins there.
 */
export function eachWord(
  text: string,
  onWord: (at: number) => void,
  passOver?: (at: number) => number,
): void {
  let isInWord = false;
  for (let at = 0; at < text.length; ) {
    const point = text.codePointAt(at) ?? 0;
    const kind = kindOf(point);
    if (passOver !== undefined && (kind === MARK || point === SMALL_H)) {
      const end = passOver(at);
      if (end > at) {
        isInWord = false;
        at = end;
        continue;
      }
    }
    if (kind === EAST_ASIAN || (kind === LETTER && !isInWord)) onWord(at);
    if (kind === LETTER) isInWord = true;
    else if (kind !== JOINS) isInWord = isInWord && point === COMMA && isInNumber(text, at);
    at += point > 0xffff ? 2 : 1;
  }
}

/** In plain text, without Markdown. */
export function countWords(text: string): number {
  let count = 0;
  eachWord(text, () => {
    count += 1;
  });
  return count;
}

const ADDRESS = /https?:\/\/[^\s<>）】」》，。、；]+/y;
const REFERENCE = /&(?:[A-Za-z][A-Za-z\d]{1,31}|#\d{1,7}|#x[\dA-Fa-f]{1,6});/y;

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : 0;
}

/** A line of at most so many characters is searched directly: an index of its marks would cost more. */
const SHORT = 100;

interface Prose {
  text: string;
  /** Made when it is first needed, and the line is long: most lines need none. */
  find: ReturnType<typeof createFinder> | null;
  /** A comment begins in it that does not end in it. */
  isOpen: boolean;
}

/** Behind the `mark` that comes within `most` characters from `from`; 0 when none does. */
function behind(mark: string, prose: Prose, from: number, most: number): number {
  const { text } = prose;
  if (text.length <= SHORT) return text.indexOf(mark, from) + 1;
  prose.find ??= createFinder(text);
  const at = prose.find(mark, from);
  return at - from <= most ? at + 1 : 0;
}

/** What stands in parentheses or brackets at `at`, and is an address or the name of one. */
function behindAddress(prose: Prose, at: number): number {
  if (prose.text[at] === '(') return behind(')', prose, at + 1, 2000);
  return prose.text[at] === '[' ? behind(']', prose, at + 1, 500) : 0;
}

function behindPicture(prose: Prose, at: number): number {
  const end = prose.text[at + 1] === '[' ? behind(']', prose, at + 2, 500) : 0;
  return end && (behindAddress(prose, end) || end);
}

function behindFootnote(prose: Prose, at: number): number {
  const end = prose.text[at + 1] === '^' ? behind(']', prose, at + 2, 100) : 0;
  return end > at + 3 && !/\s/.test(prose.text.slice(at + 2, end)) ? end : 0;
}

function behindComment(prose: Prose, at: number): number {
  const { text } = prose;
  if (text[at - 1] === '\\') return 0;
  prose.find ??= createFinder(text);
  const end = prose.find('-->', at + 4);
  if (Number.isFinite(end)) return end + 3;
  prose.isOpen = true;
  return 0;
}

function behindTag(prose: Prose, at: number): number {
  if (prose.text.startsWith('<!--', at)) return behindComment(prose, at);
  const name = prose.text[at + 1] === '/' ? at + 2 : at + 1;
  const end = isLatin(prose.text.charCodeAt(name)) ? behind('>', prose, name + 1, 2000) : 0;
  if (end === 0) return 0;
  const next = behind('<', prose, name + 1, 2000);
  return next === 0 || end < next ? end : 0;
}

function behindFormula(prose: Prose, at: number): number {
  const { text } = prose;
  if (text[at - 1] === '\\' || isSpaceAt(text, at + 1)) return 0;
  const end = behind('$', prose, at + 1, 500);
  const isFormula = end > at + 2 && !isSpaceAt(text, end - 2) && !isDigit(text.charCodeAt(end));
  return isFormula ? end : 0;
}

/**
 * Behind a picture, an address, a footnote mark, a formula, a tag or a character reference. Each has a longest length,
 * so that a bracket that is never closed does not swallow a paragraph.
 */
function behindNoWord(prose: Prose, at: number): number {
  const { text } = prose;
  const letter = text[at];
  if (letter === 'h') return text.startsWith('http', at) ? endOf(ADDRESS, text, at) : 0;
  if (letter === '&') return endOf(REFERENCE, text, at);
  if (letter === '!') return behindPicture(prose, at);
  if (letter === ']') return behindAddress(prose, at + 1);
  if (letter === '[') return behindFootnote(prose, at);
  return letter === '<' ? behindTag(prose, at) : behindFormula(prose, at);
}

interface Counted {
  words: number;
  /** Of these, those in a comment, should it end further down. */
  inOpenComment: number;
}

function countProse(text: string): Counted {
  const prose: Prose = { text, find: null, isOpen: false };
  let words = 0;
  let inOpenComment = 0;
  const onWord = () => {
    words += 1;
    if (prose.isOpen) inOpenComment += 1;
  };
  if (text !== '') eachWord(text, onWord, (at) => behindNoWord(prose, at));
  return { words, inOpenComment };
}

/** Inline code is text as it stands, so nothing in it is taken for syntax. */
function countInline(line: string): Counted {
  if (!line.includes('`')) return countProse(line);
  const begins: number[] = [];
  const ends: number[] = [];
  for (let at = line.indexOf('`'); at >= 0; at = line.indexOf('`', at)) {
    begins.push(at);
    while (line[at] === '`') at += 1;
    ends.push(at);
  }
  /** For each run of marks the next one of the same length. */
  const partners: number[] = new Array(begins.length).fill(0);
  const seen = new Map<number, number>();
  for (let run = begins.length - 1; run >= 0; run -= 1) {
    const length = (ends[run] ?? 0) - (begins[run] ?? 0);
    partners[run] = seen.get(length) ?? 0;
    seen.set(length, run);
  }
  let count = 0;
  let done = 0;
  for (let run = 0; run < begins.length; run += 1) {
    const partner = partners[run] ?? 0;
    if (partner === 0) continue;
    count += countProse(line.slice(done, begins[run])).words;
    count += countWords(line.slice(ends[run], begins[partner]));
    done = ends[partner] ?? line.length;
    run = partner;
  }
  const rest = countProse(line.slice(done));
  return { ...rest, words: count + rest.words };
}

/** Quote marks, bullets, numbers and check boxes in front of a line, footnote names and alert kinds included. */
const LINE_START = /^(?:\s|>|[-*+](?=\s)|\d{1,9}[.)](?=\s)|\[[ xX]\](?=\s)|\[\^[^\]\s]+\]:|\[![A-Za-z]+\])+/;
const DEFINITION = /^ {0,3}\[[^\]^][^\]]*\]:\s*\S/;

/** The mark that begins a block of code or a formula, if this line does. */
function fenceOf(line: string): string | null {
  const letter = line.charAt(0);
  if (letter !== '`' && letter !== '~' && letter !== '$') return null;
  let end = 1;
  while (line[end] === letter) end += 1;
  if (end < (letter === '$' ? 2 : 3)) return null;
  return letter === '`' && line.includes('`', end) ? null : line.slice(0, end);
}

/** The columns in front of a line, a tab being four. */
function indentOf(line: string): number {
  let columns = 0;
  for (let at = 0; at < line.length; at += 1) {
    const letter = line[at];
    if (letter === '\t') columns += 4 - (columns % 4);
    else if (letter === ' ') columns += 1;
    else return columns;
  }
  return columns;
}

/** In how many quotes a line stands. */
function quotesOf(line: string): number {
  let quotes = 0;
  for (let at = 0; at < line.length; at += 1) {
    const letter = line[at];
    if (letter === '>') quotes += 1;
    else if (letter !== ' ' && letter !== '\t') break;
  }
  return quotes;
}

const ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])(?=\s)/;
const CODE_INDENT = 4;

/** Such a line has no mark of Markdown in front. */
function beginsWithWord(line: string): boolean {
  const code = line.charCodeAt(0);
  return kindOf(code) >= LETTER && !isDigit(code);
}

export interface Length {
  wordCount: number;
  readMinutes: number;
}

const WORDS_A_MINUTE = 400;
/** Code is looked over more than read. */
const CODE_WORDS_A_MINUTE = 1000;

/**
 * The one word count of the product: Chinese characters, and words and numbers of other scripts, in the prose of a
 * Markdown text. Code blocks, formulas, pictures, addresses and marks of Markdown are not counted. It takes a line at
 * a time, so that a long text can be counted in pieces.
 */
export function createWordCounter() {
  let words = 0;
  let codeWords = 0;
  /** The block that is open, if one is: what ends it, and where it stands. */
  let fence: { mark: string; isCode: boolean; quotes: number; indent: number } | null = null;
  /** An open comment: a block runs to its end, others no further than their paragraph, and then are words. */
  let comment: { isBlock: boolean; words: number } | null = null;
  /** Where the text of the last list item begins; 0 outside of lists. */
  let itemIndent = 0;
  /** Lines that are indented far enough are code. */
  let mayBeCode = true;

  function endParagraph(): void {
    mayBeCode = true;
    if (comment === null || comment.isBlock) return;
    words += comment.words;
    comment = null;
  }

  function addProse(line: string): void {
    let rest = line;
    if (comment === null && rest.startsWith('<!--')) comment = { isBlock: true, words: 0 };
    if (comment !== null) {
      const end = rest.indexOf('-->');
      if (end < 0) {
        if (!comment.isBlock) comment.words += countInline(rest).words;
        return;
      }
      comment = null;
      rest = rest.slice(end + 3);
    }
    const { words: found, inOpenComment } = countInline(rest);
    words += found - inOpenComment;
    if (inOpenComment > 0) comment = { isBlock: false, words: inOpenComment };
  }

  /** False: the line is no longer in the block, whose quote or list item has ended. */
  function addFenced(line: string, { mark, isCode, quotes, indent }: NonNullable<typeof fence>): boolean {
    if (quotes > 0 ? quotesOf(line) < quotes : indent > 0 && line.trim() !== '' && indentOf(line) < indent)
      return false;
    const inner = line.includes(mark) ? line.trim().replace(/^[>\s]+/, '') : '';
    const isEnd = isCode
      ? inner.startsWith(mark) && inner.replaceAll(mark.charAt(0), '') === ''
      : inner.endsWith(mark);
    if (isEnd) fence = null;
    else if (isCode) codeWords += countWords(line);
    return true;
  }

  /** Opens a block of code or formulas, if the line does. */
  function addFence(line: string, bare: string): boolean {
    const mark = fenceOf(bare);
    if (mark === null) return false;
    const isCode = !mark.startsWith('$');
    // `$$ x $$` on one line is over where it ends.
    if (isCode || !bare.includes(mark, mark.length))
      fence = { mark, isCode, quotes: quotesOf(line), indent: itemIndent };
    return true;
  }

  /** Whether an indented line is code; notes where the text of a list item begins. */
  function isIndentedCode(line: string): boolean {
    const indent = indentOf(line);
    if (mayBeCode && indent >= itemIndent + CODE_INDENT) return true;
    const marker = ITEM.exec(line)?.[0];
    if (marker !== undefined) itemIndent = indentOf(line) + marker.trimStart().length + 1;
    else if (indent < itemIndent) itemIndent = 0;
    return false;
  }

  return {
    add(line: string): void {
      if (fence !== null) {
        if (addFenced(line, fence)) return;
        fence = null;
      }
      if (line.trim() === '') {
        endParagraph();
        return;
      }
      if (beginsWithWord(line)) {
        itemIndent = 0;
        mayBeCode = false;
        addProse(line);
        return;
      }
      if (comment === null && isIndentedCode(line)) {
        codeWords += countWords(line);
        return;
      }
      mayBeCode = false;
      const bare = line.replace(LINE_START, '');
      if (comment === null && (addFence(line, bare) || DEFINITION.test(line))) return;
      addProse(bare);
    },
    result(): Length {
      endParagraph();
      const minutes = words / WORDS_A_MINUTE + codeWords / CODE_WORDS_A_MINUTE;
      return { wordCount: words, readMinutes: Math.max(1, Math.round(minutes)) };
    },
  };
}

export function countMarkdown(markdown: string): Length {
  const counter = createWordCounter();
  for (const line of markdown.replaceAll('\r\n', '\n').replaceAll('\r', '\n').split('\n')) counter.add(line);
  return counter.result();
}
