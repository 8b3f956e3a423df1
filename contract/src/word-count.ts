import { createForwardFinder } from './text-scan.ts';

const OTHER = 1;
/** May start something that is not counted: an image, URL, formula or tag. */
const SYNTAX_START = 2;
/** A hyphen, apostrophe or similar: continues a word, but never starts one. */
const JOINER = 3;
const SPACE = 4;
const LETTER = 5;
/** Each such character counts as a word. */
const EAST_ASIAN = 6;

function classifyCodePoint(point: number): number {
  const letter = String.fromCodePoint(point);
  if ('![]<$&'.includes(letter)) return SYNTAX_START;
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(letter))
    return EAST_ASIAN;
  if (/[\p{L}\p{N}]/u.test(letter)) return LETTER;
  if (/[\p{M}'’._-]/u.test(letter)) return JOINER;
  return /\s/.test(letter) ? SPACE : OTHER;
}

/** Class by code point: a table lookup is many times faster than a regular expression. */
const classCache = new Uint8Array(0x110000);

function cachedClassOf(point: number): number {
  const known = classCache[point] ?? OTHER;
  if (known !== 0) return known;
  const kind = classifyCodePoint(point);
  classCache[point] = kind;
  return kind;
}

const isSpaceAt = (text: string, at: number) => cachedClassOf(text.charCodeAt(at)) === SPACE;
const isLatin = (code: number) => (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
const isDigit = (code: number) => code >= 48 && code <= 57;

const isThousandsSeparator = (text: string, at: number): boolean =>
  isDigit(text.charCodeAt(at - 1)) &&
  isDigit(text.charCodeAt(at + 1)) &&
  isDigit(text.charCodeAt(at + 2)) &&
  isDigit(text.charCodeAt(at + 3)) &&
  !isDigit(text.charCodeAt(at + 4));

const COMMA = 44;
const SMALL_H = 104;

/**
 * Calls `onWord` at the start of each word: each Chinese character, and each run of letters and digits of other
 * scripts.
 * `skipNonWord` returns the end of something that is not counted, or 0 when nothing of that kind starts there.
 */
export function forEachWord(
  text: string,
  onWord: (at: number) => void,
  skipNonWord?: (at: number) => number,
): void {
  let isInWord = false;
  for (let at = 0; at < text.length; ) {
    const point = text.codePointAt(at) ?? 0;
    const kind = cachedClassOf(point);
    if (skipNonWord !== undefined && (kind === SYNTAX_START || point === SMALL_H)) {
      const end = skipNonWord(at);
      if (end > at) {
        isInWord = false;
        at = end;
        continue;
      }
    }
    if (kind === EAST_ASIAN || (kind === LETTER && !isInWord)) onWord(at);
    if (kind === LETTER) isInWord = true;
    else if (kind !== JOINER) isInWord = isInWord && point === COMMA && isThousandsSeparator(text, at);
    at += point > 0xffff ? 2 : 1;
  }
}

/** Counts the words of plain text, without Markdown. */
export function countWords(text: string): number {
  let count = 0;
  forEachWord(text, () => {
    count += 1;
  });
  return count;
}

const ADDRESS = /https?:\/\/[^\s<>）】」》，。、；]+/y;
const REFERENCE = /&(?:[A-Za-z][A-Za-z\d]{1,31}|#\d{1,7}|#x[\dA-Fa-f]{1,6});/y;

function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : 0;
}

/** Shorter lines are searched directly, because an index would cost more. */
const SHORT_LINE_LENGTH = 100;

interface Prose {
  text: string;
  /** Created on first use, because most lines do not need it. */
  find: ReturnType<typeof createForwardFinder> | null;
  /** A comment starts in this text and does not end in it. */
  hasOpenComment: boolean;
}

/** Index after the next `mark` within `maxDistance` characters; 0 when there is none. */
function findEnd(mark: string, prose: Prose, from: number, maxDistance: number): number {
  const { text } = prose;
  if (text.length <= SHORT_LINE_LENGTH) return text.indexOf(mark, from) + 1;
  prose.find ??= createForwardFinder(text);
  const at = prose.find(mark, from);
  return at - from <= maxDistance ? at + 1 : 0;
}

/** End of the URL in parentheses, or of the reference name in brackets. */
function findAddressEnd(prose: Prose, at: number): number {
  if (prose.text[at] === '(') return findEnd(')', prose, at + 1, 2000);
  return prose.text[at] === '[' ? findEnd(']', prose, at + 1, 500) : 0;
}

function findPictureEnd(prose: Prose, at: number): number {
  const end = prose.text[at + 1] === '[' ? findEnd(']', prose, at + 2, 500) : 0;
  return end && (findAddressEnd(prose, end) || end);
}

function findFootnoteEnd(prose: Prose, at: number): number {
  const end = prose.text[at + 1] === '^' ? findEnd(']', prose, at + 2, 100) : 0;
  return end > at + 3 && !/\s/.test(prose.text.slice(at + 2, end)) ? end : 0;
}

function findCommentEnd(prose: Prose, at: number): number {
  const { text } = prose;
  if (text[at - 1] === '\\') return 0;
  prose.find ??= createForwardFinder(text);
  const end = prose.find('-->', at + 4);
  if (Number.isFinite(end)) return end + 3;
  prose.hasOpenComment = true;
  return 0;
}

function findTagEnd(prose: Prose, at: number): number {
  if (prose.text.startsWith('<!--', at)) return findCommentEnd(prose, at);
  const name = prose.text[at + 1] === '/' ? at + 2 : at + 1;
  const end = isLatin(prose.text.charCodeAt(name)) ? findEnd('>', prose, name + 1, 2000) : 0;
  if (end === 0) return 0;
  const next = findEnd('<', prose, name + 1, 2000);
  return next === 0 || end < next ? end : 0;
}

function findFormulaEnd(prose: Prose, at: number): number {
  const { text } = prose;
  if (text[at - 1] === '\\' || isSpaceAt(text, at + 1)) return 0;
  const end = findEnd('$', prose, at + 1, 500);
  const isFormula = end > at + 2 && !isSpaceAt(text, end - 2) && !isDigit(text.charCodeAt(end));
  return isFormula ? end : 0;
}

/**
 * End of an image, URL, footnote reference, formula, tag or character reference; 0 when there is none. Each has a
 * maximum length, so that an unclosed bracket does not hide a whole paragraph.
 */
function findNonWordEnd(prose: Prose, at: number): number {
  const { text } = prose;
  const letter = text[at];
  if (letter === 'h') return text.startsWith('http', at) ? matchEnd(ADDRESS, text, at) : 0;
  if (letter === '&') return matchEnd(REFERENCE, text, at);
  if (letter === '!') return findPictureEnd(prose, at);
  if (letter === ']') return findAddressEnd(prose, at + 1);
  if (letter === '[') return findFootnoteEnd(prose, at);
  return letter === '<' ? findTagEnd(prose, at) : findFormulaEnd(prose, at);
}

interface WordTally {
  words: number;
  /** Words after an unclosed comment start; they do not count if a later line closes the comment. */
  inOpenComment: number;
}

function countProse(text: string): WordTally {
  const prose: Prose = { text, find: null, hasOpenComment: false };
  let words = 0;
  let inOpenComment = 0;
  const onWord = () => {
    words += 1;
    if (prose.hasOpenComment) inOpenComment += 1;
  };
  if (text !== '') forEachWord(text, onWord, (at) => findNonWordEnd(prose, at));
  return { words, inOpenComment };
}

/** Inline code is plain text, so Markdown syntax in it is ignored. */
function countInline(line: string): WordTally {
  if (!line.includes('`')) return countProse(line);
  const begins: number[] = [];
  const ends: number[] = [];
  for (let at = line.indexOf('`'); at >= 0; at = line.indexOf('`', at)) {
    begins.push(at);
    while (line[at] === '`') at += 1;
    ends.push(at);
  }
  /** For each run of backticks, the index of the next run of the same length. */
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

/** Quote marks, bullets, numbers, checkboxes, footnote names and alert types at the start of a line. */
const LINE_START = /^(?:\s|>|[-*+](?=\s)|\d{1,9}[.)](?=\s)|\[[ xX]\](?=\s)|\[\^[^\]\s]+\]:|\[![A-Za-z]+\])+/;
const DEFINITION = /^ {0,3}\[[^\]^][^\]]*\]:\s*\S/;

/** The fence that opens a block of code or formulas, or null. */
function fenceOf(line: string): string | null {
  const letter = line.charAt(0);
  if (letter !== '`' && letter !== '~' && letter !== '$') return null;
  let end = 1;
  while (line[end] === letter) end += 1;
  if (end < (letter === '$' ? 2 : 3)) return null;
  return letter === '`' && line.includes('`', end) ? null : line.slice(0, end);
}

/** Width of the indentation; tab stops are four columns apart. */
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

/** Fast check for lines without Markdown syntax at the start. */
function beginsWithWord(line: string): boolean {
  const code = line.charCodeAt(0);
  return cachedClassOf(code) >= LETTER && !isDigit(code);
}

export interface TextLength {
  wordCount: number;
  readMinutes: number;
}

const WORDS_PER_MINUTE = 400;
const CODE_WORDS_PER_MINUTE = 1000;

/**
 * Counts Chinese characters, and words and numbers of other scripts, in the prose of a Markdown text. Code blocks,
 * formulas, images, URLs and Markdown syntax are not counted. Lines are added one at a time, so that a long text can
 * be counted in chunks.
 */
export function createWordCounter() {
  let words = 0;
  let codeWords = 0;
  let fence: { mark: string; isCode: boolean; quotes: number; indent: number } | null = null;
  /** An unclosed comment. A block extends to `-->`; an inline one must close in its paragraph, or its words count. */
  let comment: { isBlock: boolean; words: number } | null = null;
  /** Column where the text of the last list item starts; 0 outside of lists. */
  let itemIndent = 0;
  /** Whether a sufficiently indented line would be a code block. */
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

  /** Returns false when the quote or list item of the block has ended, so that the line is outside it. */
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

  function openFence(line: string, bare: string): boolean {
    const mark = fenceOf(bare);
    if (mark === null) return false;
    const isCode = !mark.startsWith('$');
    // `$$ x $$` opens and closes on the same line.
    if (isCode || !bare.includes(mark, mark.length))
      fence = { mark, isCode, quotes: quotesOf(line), indent: itemIndent };
    return true;
  }

  /** Returns whether the line is indented code; also updates `itemIndent`. */
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
      if (comment === null && (openFence(line, bare) || DEFINITION.test(line))) return;
      addProse(bare);
    },
    result(): TextLength {
      endParagraph();
      const minutes = words / WORDS_PER_MINUTE + codeWords / CODE_WORDS_PER_MINUTE;
      return { wordCount: words, readMinutes: Math.max(1, Math.round(minutes)) };
    },
  };
}

export function countMarkdown(markdown: string): TextLength {
  const counter = createWordCounter();
  for (const line of markdown.replaceAll('\r\n', '\n').replaceAll('\r', '\n').split('\n')) counter.add(line);
  return counter.result();
}
