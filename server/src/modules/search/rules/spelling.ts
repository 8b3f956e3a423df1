import { hash } from './tokens.ts';

/** Letters from the beginning that deletions are made in; the rest is compared afterwards. */
const BEGINNING = 7;

/** Letters that may be wrong. */
export const allowance = (word: string): number => (word.length < 4 ? 0 : word.length < 8 ? 1 : 2);

/**
 * A word and what is left of its beginning without one or two letters. Two words that differ by that much have one of
 * these in common, whether a letter is missing, too many, another, or in the wrong place.
 */
export function spellingKeys(word: string): number[] {
  const keys = new Set([word.slice(0, BEGINNING)]);
  for (let round = allowance(word); round > 0; round--) {
    for (const key of [...keys]) {
      for (let at = 0; at < key.length; at++) keys.add(key.slice(0, at) + key.slice(at + 1));
    }
  }
  return [...keys].map(hash);
}

/** Letters to change, add, drop, or swap with the next to come from one word to the other. */
export function distance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let least = Math.min(
        (previous[j] ?? 0) + 1,
        (current[j - 1] ?? 0) + 1,
        (previous[j - 1] ?? 0) + (isSame ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, (before[j - 2] ?? 0) + 1);
      }
      current.push(least);
    }
    before = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}

/** The word that was probably meant: the nearest, of those the most used. */
export function chooseWord(typed: string, words: { word: string; uses: number }[]): string | null {
  const near = words
    .map(({ word, uses }) => ({ word, uses, distance: distance(typed, word) }))
    .filter((each) => each.word !== typed && each.distance <= allowance(typed))
    .sort((a, b) => a.distance - b.distance || b.uses - a.uses || (a.word < b.word ? -1 : 1));
  return near[0]?.word ?? null;
}
