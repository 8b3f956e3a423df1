import { hash } from './tokens.ts';

/** Letters from the beginning that deletions are made in; the rest is compared afterwards. */
const BEGINNING = 7;

/** Letters that may be wrong. A word of three letters is one of four with a letter missing; see `chooseWords`. */
export const allowance = (word: string): number => (word.length < 3 ? 0 : word.length < 8 ? 1 : 2);

/**
 * A word and what is left of its beginning without one or two letters. Two words that differ by that much have one of
 * these in common, whether a letter is missing, too many, another, or in the wrong place.
 */
export function spellingKeys(word: string): number[] {
  const keys = new Set([word.slice(0, BEGINNING)]);
  for (let round = word.length < 4 ? 0 : allowance(word); round > 0; round--) {
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

/** Letters of `typed` that `word` does not have. */
function strayLetters(typed: string, word: string): number {
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
 * The words that were probably meant, best first: the nearest; of those, words that only lack a letter or have two
 * swapped before words with another letter; the longest; the most used.
 */
export function chooseWords(typed: string, words: { word: string; uses: number }[]): string[] {
  return words
    .map(({ word, uses }) => ({
      word,
      uses,
      distance: distance(typed, word),
      stray: strayLetters(typed, word),
    }))
    .filter((each) => each.word !== typed && each.distance <= allowance(typed))
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
