import { normalizeSearchText } from './normalize.ts';

export interface Excerpt {
  text: string;
  /** Ranges of the found terms within `text`. */
  marks: [start: number, end: number][];
}

const CONTEXT_BEFORE = 24;
const MAX_SCANNED_LENGTH = 50_000;
const MAX_MATCHES_PER_TERM = 200;
const SENTENCE_END = /[。！？；!?;\n]/;

/** Selects the passage with the most different terms, or the beginning if none is found. */
export function createExcerpt(
  text: string,
  terms: string[],
  length = 140,
  normalized = normalizeSearchText(text.slice(0, MAX_SCANNED_LENGTH)),
): Excerpt {
  const found = findTerms(normalized, terms);
  // Uses the full length, so that a short text is not truncated.
  const begin = Math.min(chooseStart(normalized, found, length), Math.max(0, text.length - length));
  const end = Math.min(text.length, begin + length);
  const from = isInsideSurrogatePair(text, begin) ? begin + 1 : begin;
  const to = isInsideSurrogatePair(text, end) ? end - 1 : end;
  return {
    text: text.slice(from, to),
    marks: mergeRanges(found.filter((each) => each.start >= from && each.end <= to)).map(({ start, end }) => [
      start - from,
      end - from,
    ]),
  };
}

interface TermMatch {
  start: number;
  end: number;
  term: number;
}

function findTerms(normalized: string, terms: string[]): TermMatch[] {
  const found: TermMatch[] = [];
  for (const [term, word] of terms.entries()) {
    let count = 0;
    for (let at = findWord(normalized, word, 0); at >= 0 && count < MAX_MATCHES_PER_TERM; count++) {
      found.push({ start: at, end: at + word.length, term });
      at = findWord(normalized, word, at + word.length);
    }
  }
  return found.sort((a, b) => a.start - b.start || b.end - a.end);
}

/** Latin words match as complete words only: `java` does not match in `javascript`. */
function findWord(normalized: string, word: string, from: number): number {
  if (word === '') return -1;
  for (let at = normalized.indexOf(word, from); at >= 0; at = normalized.indexOf(word, at + 1)) {
    const isWhole =
      !/^[a-z\d]/.test(word) ||
      (!/[a-z\d]/.test(normalized.charAt(at - 1)) && !/[a-z\d]/.test(normalized.charAt(at + word.length)));
    if (isWhole) return at;
  }
  return -1;
}

function chooseStart(normalized: string, found: TermMatch[], length: number): number {
  let best = { begin: 0, score: 0 };
  for (const [index, first] of found.entries()) {
    const inside = new Set<number>();
    let count = 0;
    for (let at = index; at < found.length; at++) {
      const match = found[at];
      if (match === undefined || match.end > first.start + length - CONTEXT_BEFORE) break;
      inside.add(match.term);
      count += 1;
    }
    const score = inside.size * 10 + Math.min(count, 9);
    if (score > best.score) best = { begin: first.start, score };
  }
  if (best.begin <= CONTEXT_BEFORE) return 0;
  // Starts at the beginning of the sentence if that is near.
  const earliest = best.begin - CONTEXT_BEFORE;
  for (let at = best.begin - 1; at >= earliest; at--) {
    if (SENTENCE_END.test(normalized.charAt(at))) return at + 1;
  }
  return earliest;
}

function mergeRanges(matches: TermMatch[]): { start: number; end: number }[] {
  const result: { start: number; end: number }[] = [];
  for (const { start, end } of matches) {
    const last = result.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else result.push({ start, end });
  }
  return result;
}

const isInsideSurrogatePair = (text: string, at: number): boolean =>
  at > 0 && at < text.length && /[\udc00-\udfff]/.test(text.charAt(at));
