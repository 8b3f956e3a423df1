import { fold } from './fold.ts';

export interface Excerpt {
  text: string;
  /** Begin and end of what was found, within `text`. */
  marks: [start: number, end: number][];
}

const BEFORE = 24;
/** Further in than this nobody misses a better place. */
const LOOKED_AT = 50_000;
const MOST_MARKS = 200;
const SENTENCE_END = /[。！？；!?;\n]/;

/** Where the most different terms stand close together; the beginning when there are none. */
export function excerpt(
  text: string,
  terms: string[],
  length = 140,
  folded = fold(text.slice(0, LOOKED_AT)),
): Excerpt {
  const found = findTerms(folded, terms);
  // As much as there is room for: a short text stays whole.
  const begin = Math.min(chooseBegin(folded, found, length), Math.max(0, text.length - length));
  const end = Math.min(text.length, begin + length);
  const from = isInsidePair(text, begin) ? begin + 1 : begin;
  const to = isInsidePair(text, end) ? end - 1 : end;
  return {
    text: text.slice(from, to),
    marks: merged(found.filter((each) => each.start >= from && each.end <= to)).map(({ start, end }) => [
      start - from,
      end - from,
    ]),
  };
}

interface Place {
  start: number;
  end: number;
  term: number;
}

function findTerms(folded: string, terms: string[]): Place[] {
  const found: Place[] = [];
  for (const [term, word] of terms.entries()) {
    let count = 0;
    for (let at = findWord(folded, word, 0); at >= 0 && count < MOST_MARKS; count++) {
      found.push({ start: at, end: at + word.length, term });
      at = findWord(folded, word, at + word.length);
    }
  }
  return found.sort((a, b) => a.start - b.start || b.end - a.end);
}

/** A Latin word is no part of another one: `java` is not found in `javascript`. */
function findWord(folded: string, word: string, from: number): number {
  if (word === '') return -1;
  for (let at = folded.indexOf(word, from); at >= 0; at = folded.indexOf(word, at + 1)) {
    const isWhole =
      !/^[a-z\d]/.test(word) ||
      (!/[a-z\d]/.test(folded.charAt(at - 1)) && !/[a-z\d]/.test(folded.charAt(at + word.length)));
    if (isWhole) return at;
  }
  return -1;
}

function chooseBegin(folded: string, found: Place[], length: number): number {
  let best = { begin: 0, score: 0 };
  for (const [index, first] of found.entries()) {
    const inside = new Set<number>();
    let count = 0;
    for (let at = index; at < found.length; at++) {
      const place = found[at];
      if (place === undefined || place.end > first.start + length - BEFORE) break;
      inside.add(place.term);
      count += 1;
    }
    const score = inside.size * 10 + Math.min(count, 9);
    if (score > best.score) best = { begin: first.start, score };
  }
  if (best.begin <= BEFORE) return 0;
  // From the beginning of the sentence when it is near.
  const earliest = best.begin - BEFORE;
  for (let at = best.begin - 1; at >= earliest; at--) {
    if (SENTENCE_END.test(folded.charAt(at))) return at + 1;
  }
  return earliest;
}

function merged(places: Place[]): { start: number; end: number }[] {
  const result: { start: number; end: number }[] = [];
  for (const { start, end } of places) {
    const last = result.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else result.push({ start, end });
  }
  return result;
}

const isInsidePair = (text: string, at: number): boolean =>
  at > 0 && at < text.length && /[\udc00-\udfff]/.test(text.charAt(at));
