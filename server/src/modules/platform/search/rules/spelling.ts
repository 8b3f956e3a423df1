import { type Readings, spellingsOf } from './pinyin.ts';
import { hash32 } from './tokens.ts';

/** Length of the prefix in which letters are deleted to build keys. */
const KEY_PREFIX_LENGTH = 7;

/** Maximum edit distance. A word of three letters is only corrected by a missing letter; see `rankCorrections`. */
export const maxDistance = (word: string): number => (word.length < 3 ? 0 : word.length < 8 ? 1 : 2);

/**
 * Hashes of the word's prefix and of the prefix without one or two letters (symmetric delete). Two words within the
 * maximum edit distance share at least one key.
 */
export function spellingKeys(word: string): number[] {
  const keys = new Set([word.slice(0, KEY_PREFIX_LENGTH)]);
  for (let round = word.length < 4 ? 0 : maxDistance(word); round > 0; round--) {
    for (const key of [...keys]) {
      for (let at = 0; at < key.length; at++) keys.add(key.slice(0, at) + key.slice(at + 1));
    }
  }
  return [...keys].map(hash32);
}

/** The key of all Chinese words with this pinyin, written without spaces. */
export const pinyinKey = (spelling: string): number => hash32(`P:${spelling}`);

/** Shorter words have too many neighbours. */
const MIN_DELETION_LENGTH = 3;

/** Longer words that differ by one character share a key. */
export function deletionKeys(word: string): number[] {
  if (word.length < MIN_DELETION_LENGTH) return [];
  const shorter = Array.from(word, (_, at) => word.slice(0, at) + word.slice(at + 1));
  return [word, ...new Set(shorter)].map((text) => hash32(`D:${text}`));
}

/** Chinese words with the same pinyin share a key, and longer ones that differ by one character. */
export const chineseKeys = (readings: Readings, word: string): number[] => [
  ...spellingsOf(readings, word).map(pinyinKey),
  ...deletionKeys(word),
];

/** For longer words, the distance is infinite. */
const MAX_COMPARED_LENGTH = 100;
const rows = [0, 1, 2].map(() => new Uint8Array(MAX_COMPARED_LENGTH + 2)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
];

/**
 * Damerau-Levenshtein distance (optimal string alignment), up to `max`; a larger one is infinite. Only the cells near
 * the diagonal are calculated, in the same memory, because a search compares a thousand words.
 */
export function editDistance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max || b.length > MAX_COMPARED_LENGTH) return Number.POSITIVE_INFINITY;
  const far = max + 1;
  let [before, previous, current] = rows;
  for (let j = 0; j <= max + 1; j++) previous[j] = j;
  for (let i = 1; i <= a.length; i++) {
    const first = Math.max(1, i - max);
    const last = Math.min(b.length, i + max);
    current[first - 1] = first === 1 ? Math.min(i, far) : far;
    for (let j = first; j <= last; j++) {
      const isSame = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
      let min = (previous[j - 1] ?? far) + (isSame ? 0 : 1);
      min = Math.min(min, (previous[j] ?? far) + 1, (current[j - 1] ?? far) + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        min = Math.min(min, (before[j - 2] ?? far) + 1);
      current[j] = Math.min(min, far);
    }
    current[last + 1] = far;
    [before, previous, current] = [previous, current, before];
  }
  const distance = previous[b.length] ?? far;
  return distance > max ? Number.POSITIVE_INFINITY : distance;
}

function countExtraLetters(typed: string, word: string): number {
  const left = [...word];
  let stray = 0;
  for (const letter of typed) {
    const at = left.indexOf(letter);
    if (at < 0) stray += 1;
    else left.splice(at, 1);
  }
  return stray;
}

/**
 * Returns likely corrections, the best first: by distance; then words that differ only by missing or swapped letters;
 * then by length; then by use.
 */
export function rankCorrections(typed: string, words: { word: string; uses: number }[]): string[] {
  return words
    .filter(({ word }) => Math.abs(word.length - typed.length) <= maxDistance(typed))
    .map(({ word, uses }) => ({ word, uses, distance: editDistance(typed, word, maxDistance(typed)) }))
    .filter((each) => each.word !== typed && each.distance <= maxDistance(typed))
    .map((each) => ({ ...each, stray: countExtraLetters(typed, each.word) }))
    .filter((each) => typed.length > 3 || each.stray === 0)
    .sort(
      (a, b) =>
        a.distance - b.distance ||
        a.stray - b.stray ||
        b.word.length - a.word.length ||
        b.uses - a.uses ||
        (a.word < b.word ? -1 : 1),
    )
    .map((each) => each.word);
}
