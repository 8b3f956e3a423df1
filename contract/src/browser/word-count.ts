import { createFinder } from '../scan.ts';

const OTHER = 1;
/** Begins what may be no word: a picture, an address, a formula, a tag. */
const MARK = 2;
/** Goes on with a word, but begins none. */
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

/** Below every longest length; such a line may be searched again and again. */
const SHORT = 100;

interface Prose {
  text: string;
  /** Made when it is first needed, and the line is long: most lines need none. */
  find: ReturnType<typeof createFinder> | null;
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

function behindTag(prose: Prose, at: number): number {
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

function countProse(text: string): number {
  if (text === '') return 0;
  const prose: Prose = { text, find: null };
  let count = 0;
  const onWord = () => {
    count += 1;
  };
  eachWord(text, onWord, (at) => behindNoWord(prose, at));
  return count;
}

/** Inline code is text as it stands, so nothing in it is taken for syntax. */
function countInline(line: string): number {
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
    count += countProse(line.slice(done, begins[run])) + countWords(line.slice(ends[run], begins[partner]));
    done = ends[partner] ?? line.length;
    run = partner;
  }
  return count + countProse(line.slice(done));
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
  /** What ends the block that is open, if one is. */
  let fence: { mark: string; isCode: boolean } | null = null;
  let inComment = false;

  function addProse(line: string): void {
    let rest = line;
    while (rest !== '') {
      const edge = rest.indexOf(inComment ? '-->' : '<!--');
      if (!inComment) words += countInline(edge < 0 ? rest : rest.slice(0, edge));
      if (edge < 0) return;
      rest = rest.slice(edge + (inComment ? 3 : 4));
      inComment = !inComment;
    }
  }

  function addFenced(line: string, { mark, isCode }: { mark: string; isCode: boolean }): void {
    const inner = line.includes(mark) ? line.trim().replace(/^[>\s]+/, '') : '';
    const isEnd = isCode
      ? inner.startsWith(mark) && inner.replaceAll(mark.charAt(0), '') === ''
      : inner.endsWith(mark);
    if (isEnd) fence = null;
    else if (isCode) codeWords += countWords(line);
  }

  return {
    add(line: string): void {
      if (line === '') return;
      if (fence !== null) {
        addFenced(line, fence);
        return;
      }
      if (inComment || beginsWithWord(line)) {
        addProse(line);
        return;
      }
      const bare = line.replace(LINE_START, '');
      const mark = fenceOf(bare);
      if (mark !== null) {
        const isCode = !mark.startsWith('$');
        // `$$ x $$` on one line is over where it ends.
        if (isCode || !bare.includes(mark, mark.length)) fence = { mark, isCode };
        return;
      }
      if (!DEFINITION.test(line)) addProse(bare);
    },
    result: (): Length => ({
      wordCount: words,
      readMinutes: Math.max(1, Math.round(words / WORDS_A_MINUTE + codeWords / CODE_WORDS_A_MINUTE)),
    }),
  };
}

export function countMarkdown(markdown: string): Length {
  const counter = createWordCounter();
  for (const line of markdown.replaceAll('\r\n', '\n').replaceAll('\r', '\n').split('\n')) counter.add(line);
  return counter.result();
}
