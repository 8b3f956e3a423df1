import type { Text } from '@codemirror/state';

const EAST_ASIAN = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}]';
/** A Chinese character is a word; so are letters and digits that belong together. */
const WORD = new RegExp(
  `${EAST_ASIAN}|(?:(?!${EAST_ASIAN})[\\p{L}\\p{N}])(?:(?!${EAST_ASIAN})[\\p{L}\\p{N}\\p{M}'’._-])*`,
  'gu',
);
const FENCE = /^\s*(```|~~~)/;
const ADDRESS = /\]\([^()\s]*\)|https?:\/\/\S+/g;
const A_MINUTE = 400;

export interface Counts {
  words: number;
  minutes: number;
  characters: number;
}

const LINES_AT_ONCE = 400;

/**
 * As the page will say it, near enough: code blocks and addresses are not counted. A long text is counted a piece at
 * a time, so that a key never waits for it.
 */
export function countText(doc: Text, onCounted: (counts: Counts) => void): () => void {
  const lines = doc.iterLines();
  let words = 0;
  let inCode = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function countSome(): void {
    for (let turn = 0; turn < LINES_AT_ONCE; turn += 1) {
      const { value: line, done } = lines.next();
      if (done) {
        onCounted({ words, minutes: Math.max(1, Math.round(words / A_MINUTE)), characters: doc.length });
        return;
      }
      if (FENCE.test(line)) inCode = !inCode;
      else if (!inCode) words += line.replace(ADDRESS, ']').match(WORD)?.length ?? 0;
    }
    timer = setTimeout(countSome);
  }

  countSome();
  return () => clearTimeout(timer);
}
