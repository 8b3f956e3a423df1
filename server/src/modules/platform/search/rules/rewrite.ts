import { findSyllables, type Readings, spellingsOf } from './pinyin.ts';
import { type Dictionary, segment } from './segment.ts';
import { deletionKeys, editDistance } from './spelling.ts';

/** Longer input is not read as pinyin, and only the beginning of longer Chinese text is corrected. */
export const MAX_PINYIN_LENGTH = 40;
export const MAX_CHINESE_LENGTH = 20;
const MAX_WORD_SYLLABLES = 6;

/** Returns every part of the typed letters that may be the pinyin of a word of at least two syllables. */
export function listPinyinParts(readings: Readings, typed: string): string[] {
  const ends = findSyllables(readings, typed);
  const reachable = new Set([0]);
  const parts = new Set<string>();
  for (let begin = 0; begin < typed.length; begin++) {
    if (!reachable.has(begin)) continue;
    let level = new Set([begin]);
    for (let syllables = 1; syllables <= MAX_WORD_SYLLABLES; syllables++) {
      level = new Set([...level].flatMap((at) => ends[at] ?? []));
      for (const end of level) {
        if (syllables === 1) reachable.add(end);
        else parts.add(typed.slice(begin, end));
      }
    }
  }
  return [...parts];
}

/** Words by their pinyin, the most likely first. */
export type WordsBySpelling = ReadonlyMap<string, readonly string[]>;

export function groupBySpelling(readings: Readings, words: readonly string[]): WordsBySpelling {
  const groups = new Map<string, string[]>();
  for (const word of words)
    for (const spelling of spellingsOf(readings, word)) {
      const group = groups.get(spelling);
      if (group === undefined) groups.set(spelling, [word]);
      else if (!group.includes(word)) group.push(word);
    }
  return groups;
}

interface Step {
  cost: number;
  begin: number;
  /** Null for a syllable that is in no word. */
  choices: readonly string[] | null;
}

const WORD_COST = 10;
const LOST_SYLLABLE_COST = 25;

/** Runs a shortest-path search over the positions of a text; null if the end cannot be reached. */
function findCheapestPath(
  length: number,
  steps: (begin: number) => (Step & { end: number })[],
): Step[] | null {
  const best: (Step | undefined)[] = [{ cost: 0, begin: -1, choices: null }];
  for (let begin = 0; begin < length; begin++) {
    const before = best[begin];
    if (before === undefined) continue;
    for (const { end, ...step } of steps(begin)) {
      const cost = before.cost + step.cost;
      if (cost < (best[end]?.cost ?? Number.POSITIVE_INFINITY)) best[end] = { ...step, cost };
    }
  }
  const path: Step[] = [];
  for (let at = length; at > 0; ) {
    const step = best[at];
    if (step === undefined) return null;
    path.unshift(step);
    at = step.begin;
  }
  return path;
}

/**
 * Reads letters as Chinese words. Returns the choices for each word, the most likely first; null if no word fits.
 * `worth` says how likely a word is, between 0 and 8.
 */
export function readPinyin(
  readings: Readings,
  typed: string,
  words: WordsBySpelling,
  worth: (word: string) => number,
): (readonly string[])[] | null {
  const ends = findSyllables(readings, typed);
  const path = findCheapestPath(typed.length, (begin) => [
    ...(ends[begin] ?? []).map((end) => ({ begin, end, cost: LOST_SYLLABLE_COST, choices: null })),
    ...Array.from({ length: typed.length - begin }, (_, at) => begin + at + 1).flatMap((end) => {
      const choices = words.get(typed.slice(begin, end));
      return choices === undefined
        ? []
        : [{ begin, end, cost: WORD_COST - worth(choices[0] ?? ''), choices }];
    }),
  ]);
  const found = path?.flatMap(({ choices }) => (choices === null ? [] : [choices])) ?? [];
  // Mostly lost syllables mean that the letters are no pinyin.
  return path !== null && found.length > 0 && found.length * 2 >= path.length ? found : null;
}

/** The parts of a Chinese text that are compared with the vocabulary. */
export function listChineseParts(text: string): string[] {
  const parts = new Set<string>();
  for (let begin = 0; begin < Math.min(text.length, MAX_CHINESE_LENGTH); begin++)
    for (let length = 2; length <= MAX_WORD_SYLLABLES && begin + length <= text.length; length++)
      parts.add(text.slice(begin, begin + length));
  return [...parts];
}

const KEPT_WORD_COST = 2;
const KEPT_CHARACTER_COST = 6;
const ABSENT_WORD_COST = 14;
const REPLACEMENT_COST = 4;
const OTHER_SOUND_COST = 5;

const countDifferences = (a: string, b: string): number =>
  Array.from(a).filter((character, at) => character !== b[at]).length;

/** The words that a query may mean, by sound and by key. Made once for all parts of a query, because it takes time. */
export interface VocabularyIndex {
  byUsualSpelling: ReadonlyMap<string, readonly string[]>;
  byKey: ReadonlyMap<number, readonly string[]>;
}

export function indexVocabulary(readings: Readings, vocabulary: readonly string[]): VocabularyIndex {
  const byKey = new Map<number, string[]>();
  for (const word of vocabulary)
    for (const key of deletionKeys(word)) {
      const words = byKey.get(key);
      if (words === undefined) byKey.set(key, [word]);
      else words.push(word);
    }
  // Rare readings would make many more words sound the same.
  const byUsualSpelling = Map.groupBy(vocabulary, (word) => spellingsOf(readings, word)[0] ?? '');
  return { byUsualSpelling, byKey };
}

/**
 * Replaces words of a Chinese text by words with the same sound, and longer ones by words that differ by one character.
 * Null if keeping the text is better. `absent` are its words that no essay contains.
 */
export function correctChinese(
  { readings, dictionary }: { readings: Readings; dictionary: Dictionary },
  text: string,
  { byUsualSpelling, byKey }: VocabularyIndex,
  absent: ReadonlySet<string>,
): string | null {
  const { bounds } = segment(dictionary, text);
  const wordEnds = new Map(
    bounds.slice(0, -1).map((begin, index) => [begin, bounds[index + 1] ?? begin + 1]),
  );
  const isWord = (begin: number, end: number) => wordEnds.get(begin) === end;
  const path = findCheapestPath(text.length, (begin) => {
    const steps = [{ begin, end: begin + 1, cost: KEPT_CHARACTER_COST, choices: [text.charAt(begin)] }];
    const wordEnd = wordEnds.get(begin) ?? begin + 1;
    const kept = text.slice(begin, wordEnd);
    if (kept.length > 1)
      steps.push({
        begin,
        end: wordEnd,
        cost: absent.has(kept) ? ABSENT_WORD_COST : KEPT_WORD_COST,
        choices: [kept],
      });
    const lastEnd = begin < MAX_CHINESE_LENGTH ? Math.min(text.length, begin + MAX_WORD_SYLLABLES) : begin;
    for (let end = begin + 2; end <= lastEnd; end++) {
      // A word of the dictionary is not a typing error of its own.
      if (isWord(begin, end)) continue;
      const typed = text.slice(begin, end);
      const sounds = byUsualSpelling.get(spellingsOf(readings, typed)[0] ?? '') ?? [];
      const near = new Set(deletionKeys(typed).flatMap((key) => byKey.get(key) ?? []));
      const others = [...near].filter((word) => !sounds.includes(word) && editDistance(typed, word, 1) === 1);
      for (const word of sounds)
        steps.push({ begin, end, cost: REPLACEMENT_COST * countDifferences(typed, word), choices: [word] });
      for (const word of others)
        steps.push({ begin, end, cost: REPLACEMENT_COST + OTHER_SOUND_COST, choices: [word] });
    }
    return steps;
  });
  const corrected = path?.map(({ choices }) => choices?.[0] ?? '').join('') ?? text;
  return corrected === text ? null : corrected;
}
