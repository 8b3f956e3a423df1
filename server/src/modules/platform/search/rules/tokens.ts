import { setImmediate as pause } from 'node:timers/promises';
import { fold } from './fold.ts';
import { cut, type Dictionary, isHan, oddsOf } from './segment.ts';

/** `c++`, `c#`, `.net`, `node.js`, `gpt-4o` are words; a run of Chinese is cut further. */
const WORDS =
  /(?<han>[\u4e00-\u9fff]+)|(?<![a-z\d])\.net(?![a-z\d])|(?:(?!\p{sc=Han})[\p{L}\p{N}])+(?:[._'-](?:(?!\p{sc=Han})[\p{L}\p{N}])+)*(?:\+\+|#)?/gu;
const JOINTS = /[._'-]/;
const LONGEST = 40;
/** Together with a neighbour they are no word. */
const PARTICLES = new Set('的了是在和与或就也都而及着被把对从到吗呢吧啊我你他她它这那之其个很地得等');
/** Words of questions rather than of answers. */
const ASKING = new Set(
  '怎么 怎样 如何 什么 为什么 为何 是否 哪些 哪个 可以 能否 一个 一种 以及 或者 还是 这个 那个 我们 你们 他们 有没有 怎么办 多少 the a an of to in and or is for on with how what why'.split(
    ' ',
  ),
);
const MOST_UNITS = 8;

/** Gives what a folded text is found by; single characters for what is short and chosen with care. */
function readTerms(
  dictionary: Dictionary,
  text: string,
  { single }: { single: boolean },
  give: (term: string) => void,
): void {
  for (const { 0: word, groups } of text.matchAll(WORDS)) {
    if (groups?.han === undefined) {
      const { whole, parts } = readLatin(word);
      give(whole);
      for (const part of parts) give(part);
      continue;
    }
    const { bounds, words } = cut(dictionary, word);
    for (let at = 0; at < words.length; at += 2) give(word.slice(words[at], words[at + 1]));
    givePairs(word, bounds, give);
    if (single) for (const character of word) give(character);
  }
}

/** `node.js` is found as it is, without the dot, and by its parts. */
function readLatin(word: string): { whole: string; parts: string[] } {
  if (word === '.net') return { whole: word, parts: ['net'] };
  const parts = word.split(JOINTS).map((part) => part.slice(0, LONGEST));
  return { whole: parts.join('').slice(0, LONGEST), parts: parts.length > 1 ? parts : [] };
}

/** Where the dictionary knows only single characters there may be a name or a new word: pairs stand for it. */
function givePairs(word: string, bounds: number[], give: (term: string) => void): void {
  for (let index = 0; index + 1 < bounds.length; index++) {
    const at = bounds[index] ?? 0;
    if (bounds[index + 1] !== at + 1) continue;
    const isAfterAlone = index > 0 && bounds[index - 1] === at - 1;
    if (at > 0 && !isAfterAlone && isPair(word, at - 1)) give(word.slice(at - 1, at + 1));
    if (at + 1 < word.length && isPair(word, at)) give(word.slice(at, at + 2));
  }
}

const isPair = (word: string, at: number): boolean =>
  !PARTICLES.has(word.charAt(at)) && !PARTICLES.has(word.charAt(at + 1));

/** One word of a question. */
export interface Unit {
  term: string;
  /** Shorter words inside it, for when it is not found as a whole. */
  parts: string[];
  isLatin: boolean;
}

/** What is asked for: the longest words, each once, without those of asking as long as there are others. */
export function readUnits(dictionary: Dictionary, keyword: string): Unit[] {
  const units: Unit[] = [];
  const singles: string[] = [];
  for (const { 0: word, groups } of keyword.matchAll(WORDS)) {
    if (groups?.han === undefined) {
      const { whole, parts } = readLatin(word);
      units.push({ term: whole, parts, isLatin: true });
      continue;
    }
    const { bounds } = cut(dictionary, word);
    let unknown = '';
    for (const [index, begin] of bounds.entries()) {
      const part = word.slice(begin, bounds[index + 1] ?? begin);
      if (part.length === 1) unknown += part;
      else {
        units.push(...readUnknown(unknown));
        unknown = '';
        if (part.length > 1) units.push({ term: part, parts: readParts(dictionary, part), isLatin: false });
      }
    }
    singles.push(...word);
  }
  const known = [...new Map(units.map((unit) => [unit.term, unit])).values()];
  const asked = known.filter((unit) => !ASKING.has(unit.term));
  if (asked.length > 0) return asked.slice(0, MOST_UNITS);
  if (known.length > 0) return known.slice(0, MOST_UNITS);
  const rare = singles.filter((character) => !PARTICLES.has(character));
  return [...new Set(rare.length > 0 ? rare : singles)]
    .slice(0, MOST_UNITS)
    .map((term) => ({ term, parts: [], isLatin: false }));
}

const readUnknown = (characters: string): Unit[] =>
  Array.from({ length: Math.max(characters.length - 1, 0) }, (_, at) => characters.slice(at, at + 2))
    .filter((pair) => isPair(pair, 0))
    .map((term) => ({ term, parts: [], isLatin: false }));

function readParts(dictionary: Dictionary, word: string): string[] {
  if (word.length < 3) return [];
  const { words } = cut(dictionary, word);
  const parts = new Set<string>();
  for (let at = 0; at < words.length; at += 2) parts.add(word.slice(words[at], words[at + 1]));
  parts.delete(word);
  return [...parts];
}

export const plainToken = (term: string): number => hash(`:${term}`);
/** The term is in the title, a tag or the author's name. */
export const titleToken = (term: string): number => hash(`T:${term}`);
/** The term is one of those that the essay is about. */
export const strongToken = (term: string): number => hash(`S:${term}`);
export const categoryToken = (id: string): number => hash(`C:${id}`);

/** 32 bits as PostgreSQL's integer: FNV-1a with its bits mixed at the end. */
export function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  return (value ^ (value >>> 13)) | 0;
}

const TITLE_TIMES = 4;
const AUTHOR_TIMES = 2;
const STRONG = 20;
const MOST_TERMS = 2000;
/** Terms of an essay of usual length. */
const USUAL_LENGTH = 800;
/** Like a logarithm of probability: those outside the dictionary say more than most words in it. */
const LATIN_ODDS = -13;
const PAIR_ODDS = -11;

/** No term's. */
export const NO_TOKEN = 0;
/** PostgreSQL moves an array out of its row from two kilobytes on. */
const LEAST_TOKENS = 512;

/** Filled up, so that the rows of short essays are no longer than those of long ones. */
export const filledUp = (tokens: number[]): number[] => [
  ...tokens,
  ...Array.from({ length: Math.max(0, LEAST_TOKENS - tokens.length) }, () => NO_TOKEN),
];

export interface Entry {
  /** Plain tokens, in the order of `impacts`, then the marked ones. */
  tokens: number[];
  /** How much each plain token says about this essay, 1 to 255. */
  impacts: Buffer;
  /** Words that a typing error might have been meant for. */
  latin: string[];
}

/** Characters that are cut without a pause. */
const PIECE = 10_000;

/** In pieces that end with a line where there is one. */
function* pieces(text: string): Generator<string> {
  for (let begin = 0; begin < text.length; ) {
    const line = text.lastIndexOf('\n', begin + PIECE);
    const end = begin + PIECE < text.length && line > begin ? line : begin + PIECE;
    yield text.slice(begin, end);
    begin = end;
  }
}

/** Everything an essay is found by. A long one is read in pieces, so that others are served meanwhile. */
export async function readEntry(
  dictionary: Dictionary,
  doc: { title: string; tags: string[]; author: string; text: string; categoryId: string },
): Promise<Entry> {
  const counts = new Map<string, number>();
  const add = (term: string, times: number) => counts.set(term, (counts.get(term) ?? 0) + times);
  let length = 0;
  for (const piece of pieces(doc.text)) {
    if (length > 0) await pause();
    readTerms(dictionary, fold(piece), { single: false }, (term) => {
      add(term, 1);
      length += 1;
    });
  }
  const titled = new Set<string>();
  const readShort = (text: string, times: number) =>
    readTerms(dictionary, fold(text), { single: true }, (term) => {
      add(term, times);
      titled.add(term);
    });
  for (const text of [doc.title, ...doc.tags]) readShort(text, TITLE_TIMES);
  readShort(doc.author, AUTHOR_TIMES);
  const spread = 1.2 * (0.25 + (0.75 * length) / USUAL_LENGTH);
  const ranked = [...counts]
    .map(([term, count]) => {
      const impact = count / (count + spread);
      return { term, impact, worth: impact * -odds(dictionary, term) };
    })
    .sort((a, b) => b.worth - a.worth);
  const kept = ranked.filter(({ term }, index) => index < MOST_TERMS || titled.has(term));
  const plain = new Map(
    kept.map(({ term, impact }) => [plainToken(term), Math.max(1, Math.round(255 * impact))]),
  );
  const marked = [
    categoryToken(doc.categoryId),
    ...[...titled].map(titleToken),
    ...ranked.slice(0, STRONG).map(({ term }) => strongToken(term)),
  ];
  return {
    tokens: filledUp([...plain.keys(), ...marked]),
    impacts: Buffer.from([...plain.values()]),
    latin: kept.map(({ term }) => term).filter((term) => /^[a-z][a-z\d]{3,23}$/.test(term)),
  };
}

function odds(dictionary: Dictionary, term: string): number {
  if (!isHan(term.charCodeAt(0))) return ASKING.has(term) ? -1 : LATIN_ODDS;
  return Math.max(oddsOf(dictionary, term), PAIR_ODDS - (term.length > 2 ? 4 : 0));
}
