import { setImmediate as pause } from 'node:timers/promises';
import { normalizeSearchText } from './normalize.ts';
import { type Dictionary, isHan, logProbabilityOf, segment } from './segment.ts';

/** Matches words such as `c++`, `c#`, `.net`, `node.js`, `gpt-4o`, and runs of Chinese, which are segmented further. */
const WORDS =
  /(?<han>[\u4e00-\u9fff]+)|(?<![a-z\d])\.net(?![a-z\d])|(?:(?!\p{sc=Han})[\p{L}\p{N}])+(?:[._'-](?:(?!\p{sc=Han})[\p{L}\p{N}])+)*(?:\+\+|#)?/gu;
const JOINTS = /[._'-]/;
const MAX_TERM_LENGTH = 40;
/** Characters that do not form a word with their neighbour. */
const PARTICLES = new Set('的了是在和与或就也都而及着被把对从到吗呢吧啊我你他她它这那之其个很地得等');
const MAX_UNITS = 8;

const STOP_WORDS =
  '怎么 怎样 如何 什么 为什么 为何 是否 哪些 哪个 可以 能否 一个 一种 以及 或者 还是 这个 那个 我们 你们 他们 有没有 怎么办 多少 the a an of to in and or is for on with how what why';
let stopWords: Set<string> | undefined;

/** Takes a normalised term. The words are normalised when needed, because the first use builds a map of characters. */
function isStopWord(term: string): boolean {
  stopWords ??= new Set(normalizeSearchText(STOP_WORDS).split(' '));
  return stopWords.has(term);
}

/** Called for each term; `isWord` means that it is a Chinese word of the dictionary. */
type Emit = (term: string, isWord?: boolean) => void;

/** Emits the terms of a normalised text; `single` adds single characters, for titles and tags. */
function emitTerms(dictionary: Dictionary, text: string, { single }: { single: boolean }, emit: Emit): void {
  for (const { 0: word, groups } of text.matchAll(WORDS)) {
    if (groups?.han === undefined) {
      const { whole, parts } = splitLatin(word);
      emit(whole);
      for (const part of parts) emit(part);
      continue;
    }
    const { bounds, words } = segment(dictionary, word);
    for (let at = 0; at < words.length; at += 2) emit(word.slice(words[at], words[at + 1]), true);
    emitPairs(word, bounds, emit);
    if (single) for (const character of word) emit(character);
  }
}

/** `node.js` yields `nodejs` and its parts. */
function splitLatin(word: string): { whole: string; parts: string[] } {
  if (word === '.net') return { whole: word, parts: ['net'] };
  const parts = word.split(JOINTS).map((part) => part.slice(0, MAX_TERM_LENGTH));
  return { whole: parts.join('').slice(0, MAX_TERM_LENGTH), parts: parts.length > 1 ? parts : [] };
}

/** Emits pairs of characters where the dictionary has only single ones, because these may be a name or a new word. */
function emitPairs(word: string, bounds: number[], emit: Emit): void {
  for (let index = 0; index + 1 < bounds.length; index++) {
    const at = bounds[index] ?? 0;
    if (bounds[index + 1] !== at + 1) continue;
    const isAfterAlone = index > 0 && bounds[index - 1] === at - 1;
    if (at > 0 && !isAfterAlone && isPair(word, at - 1)) emit(word.slice(at - 1, at + 1));
    if (at + 1 < word.length && isPair(word, at)) emit(word.slice(at, at + 2));
  }
}

const isPair = (word: string, at: number): boolean =>
  !PARTICLES.has(word.charAt(at)) && !PARTICLES.has(word.charAt(at + 1));

export interface QueryUnit {
  term: string;
  /** Shorter words inside it, used if the complete word is not found. */
  parts: string[];
  isLatin: boolean;
  /** Pairs with a single character beside it, which raise the score: 堆快 for 快照 in 「堆快照」. */
  pairs?: string[];
}

/** Returns the distinct words of a query, without stop words unless there are no others. */
export function parseQueryUnits(dictionary: Dictionary, keyword: string): QueryUnit[] {
  const units: QueryUnit[] = [];
  const singles: string[] = [];
  for (const { 0: word, groups } of keyword.matchAll(WORDS)) {
    if (groups?.han === undefined) {
      const { whole, parts } = splitLatin(word);
      units.push({ term: whole, parts, isLatin: true });
      continue;
    }
    const { bounds } = segment(dictionary, word);
    let unknown = '';
    for (const [index, begin] of bounds.entries()) {
      const part = word.slice(begin, bounds[index + 1] ?? begin);
      if (part.length === 1) unknown += part;
      else {
        units.push(...pairUnknown(unknown));
        unknown = '';
        if (part.length > 1)
          units.push({
            term: part,
            parts: partsOf(dictionary, part),
            isLatin: false,
            pairs: pairsBeside(word, begin, begin + part.length, bounds),
          });
      }
    }
    singles.push(...word);
  }
  const known = [...new Map(units.map((unit) => [unit.term, unit])).values()];
  const meaningful = known.filter((unit) => !isStopWord(unit.term));
  if (meaningful.length > 0) return meaningful.slice(0, MAX_UNITS);
  if (known.length > 0) return known.slice(0, MAX_UNITS);
  const rare = singles.filter((character) => !PARTICLES.has(character));
  return [...new Set(rare.length > 0 ? rare : singles)]
    .slice(0, MAX_UNITS)
    .map((term) => ({ term, parts: [], isLatin: false }));
}

const pairUnknown = (characters: string): QueryUnit[] =>
  Array.from({ length: Math.max(characters.length - 1, 0) }, (_, at) => characters.slice(at, at + 2))
    .filter((pair) => isPair(pair, 0))
    .map((term) => ({ term, parts: [], isLatin: false }));

/** The index has a pair for a character that is no part of a word, together with its neighbour. */
function pairsBeside(text: string, begin: number, end: number, bounds: number[]): string[] {
  const pairs: string[] = [];
  if (begin > 0 && bounds.includes(begin - 1) && isPair(text, begin - 1))
    pairs.push(text.slice(begin - 1, begin + 1));
  if (end < text.length && bounds.includes(end + 1) && isPair(text, end - 1))
    pairs.push(text.slice(end - 1, end + 1));
  return pairs;
}

function partsOf(dictionary: Dictionary, word: string): string[] {
  if (word.length < 3) return [];
  const { words } = segment(dictionary, word);
  const parts = new Set<string>();
  for (let at = 0; at < words.length; at += 2) parts.add(word.slice(words[at], words[at + 1]));
  parts.delete(word);
  return [...parts];
}

export const plainToken = (term: string): number => hash32(`:${term}`);
/** The term is in the title, a tag or the author's name. */
export const titleToken = (term: string): number => hash32(`T:${term}`);
/** The term is one of the most characteristic ones of the essay. */
export const strongToken = (term: string): number => hash32(`S:${term}`);
/** The whole text is the name of the author, a tag or the column. */
export const nameToken = (name: string): number => hash32(`N:${normalizeSearchText(name).trim()}`);
export const categoryToken = (id: string): number => hash32(`C:${id}`);
export const authorToken = (id: string): number => hash32(`A:${id}`);
export const columnToken = (id: string): number => hash32(`K:${id}`);
export const tagToken = (name: string): number => hash32(`G:${normalizeSearchText(name).trim()}`);
export const priceToken = (isPaid: boolean): number => hash32(isPaid ? 'P:paid' : 'P:free');
/** The month in UTC, such as `2026-01`. */
export const monthToken = (month: string): number => hash32(`M:${month}`);

/** FNV-1a with a final mix, as a signed 32-bit integer for PostgreSQL. */
export function hash32(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  return (value ^ (value >>> 13)) | 0;
}

const TITLE_WEIGHT = 4;
/** The names of the author and of the column. */
const NAME_WEIGHT = 2;
const STRONG_TERMS = 20;
/** Longer words are whole sentences, which nobody misspells. */
const MAX_CHINESE_WORD = 8;
const MAX_TERMS = 2000;
/** Average number of terms of an essay, for BM25. */
const AVERAGE_LENGTH = 800;
/** Assumed log probability of terms outside the dictionary. */
const LATIN_LOG_PROBABILITY = -13;
const PAIR_LOG_PROBABILITY = -11;

/** Pads token arrays; no term has this hash. */
export const PADDING_TOKEN = 0;
/** PostgreSQL stores arrays of two kilobytes and more outside the row (TOAST). */
const MIN_TOKENS = 512;

/** Pads the array so that it is stored out of line for short essays too, which keeps all rows small. */
export const padTokens = (tokens: number[]): number[] => [
  ...tokens,
  ...Array.from({ length: Math.max(0, MIN_TOKENS - tokens.length) }, () => PADDING_TOKEN),
];

export interface IndexEntry {
  /** Plain tokens in the order of `impacts`, then the prefixed tokens. */
  tokens: number[];
  /** BM25 impact of each plain token, 1 to 255. */
  impacts: Buffer;
  /** Latin words, and Chinese words of the dictionary or of names and titles, for the vocabulary. */
  words: string[];
}

/** What is indexed of an essay; `SearchDocument` adds what its rank needs. */
export interface IndexedText {
  title: string;
  tags: string[];
  author: string;
  authorId: string;
  column: { id: string; name: string } | null;
  categoryId: string;
  isPaid: boolean;
  /** Must not contain locked text, because search results would reveal its words. */
  text: string;
  publishedAt: Date;
}

/** Characters that are segmented without yielding to the event loop. */
const CHUNK_LENGTH = 10_000;

/** Splits at line ends where possible. */
function* splitChunks(text: string): Generator<string> {
  for (let begin = 0; begin < text.length; ) {
    const line = text.lastIndexOf('\n', begin + CHUNK_LENGTH);
    const end = begin + CHUNK_LENGTH < text.length && line > begin ? line : begin + CHUNK_LENGTH;
    yield text.slice(begin, end);
    begin = end;
  }
}

/** Builds the index entry of an essay, in chunks that do not block the event loop. */
export async function buildIndexEntry(dictionary: Dictionary, doc: IndexedText): Promise<IndexEntry> {
  const counts = new Map<string, number>();
  const chineseWords = new Set<string>();
  const add = (term: string, times: number) => counts.set(term, (counts.get(term) ?? 0) + times);
  let length = 0;
  for (const piece of splitChunks(doc.text)) {
    if (length > 0) await pause();
    emitTerms(dictionary, normalizeSearchText(piece), { single: false }, (term, isWord = false) => {
      add(term, 1);
      if (isWord) chineseWords.add(term);
      length += 1;
    });
  }
  const titled = new Set<string>();
  const readShort = (text: string, times: number) =>
    emitTerms(dictionary, normalizeSearchText(text), { single: true }, (term) => {
      add(term, times);
      titled.add(term);
      // Also pairs, because names and new words are not in the dictionary.
      if (term.length > 1 && isHan(term.charCodeAt(0))) chineseWords.add(term);
    });
  for (const text of [doc.title, ...doc.tags]) readShort(text, TITLE_WEIGHT);
  readShort(doc.author, NAME_WEIGHT);
  if (doc.column !== null) readShort(doc.column.name, NAME_WEIGHT);
  const spread = 1.2 * (0.25 + (0.75 * length) / AVERAGE_LENGTH);
  const ranked = [...counts]
    .map(([term, count]) => {
      const impact = count / (count + spread);
      return { term, impact, worth: impact * -termLogProbability(dictionary, term) };
    })
    .sort((a, b) => b.worth - a.worth);
  const selected = ranked.filter(({ term }, index) => index < MAX_TERMS || titled.has(term));
  const plain = new Map(
    selected.map(({ term, impact }) => [plainToken(term), Math.max(1, Math.round(255 * impact))]),
  );
  const marked = [
    ...listFilterTokens(doc),
    ...[...titled].map(titleToken),
    ...ranked.slice(0, STRONG_TERMS).map(({ term }) => strongToken(term)),
  ];
  return {
    tokens: padTokens([...plain.keys(), ...marked]),
    impacts: Buffer.from([...plain.values()]),
    words: selected
      .map(({ term }) => term)
      .filter(
        (term) =>
          /^[a-z][a-z\d]{3,23}$/.test(term) || (chineseWords.has(term) && term.length <= MAX_CHINESE_WORD),
      ),
  };
}

/** Tokens that do not come from words: what a search is limited by, and names that are searched for as a whole. */
const listFilterTokens = ({
  author,
  authorId,
  column,
  tags,
  categoryId,
  isPaid,
  publishedAt,
}: IndexedText): number[] => [
  categoryToken(categoryId),
  authorToken(authorId),
  priceToken(isPaid),
  monthToken(publishedAt.toISOString().slice(0, 7)),
  ...(column === null ? [] : [columnToken(column.id), nameToken(column.name)]),
  ...tags.flatMap((tag) => [tagToken(tag), nameToken(tag)]),
  nameToken(author),
];

function termLogProbability(dictionary: Dictionary, term: string): number {
  if (!isHan(term.charCodeAt(0))) return isStopWord(term) ? -1 : LATIN_LOG_PROBABILITY;
  return Math.max(logProbabilityOf(dictionary, term), PAIR_LOG_PROBABILITY - (term.length > 2 ? 4 : 0));
}
