/**
 * Finds a quoted passage again in a text that may have changed since. Texts and positions are compact: whitespace is
 * removed and not counted, because it differs between the HTML, its elements in a browser and copied text.
 */

/** Characters kept before and after a quoted passage. */
export const CONTEXT_LENGTH = 32;
/** Occurrences of the same words that are compared, on each side of the last position. */
const MAX_OCCURRENCES = 200;
/** A passage with more changes than this share of its length is another passage. */
const MAX_CHANGED_SHARE = 0.4;
/** A changed passage that is shorter needs so many unchanged characters beside it, because similar words are frequent. */
const MIN_DISTINCT_LENGTH = 30;
const MIN_CONTEXT = 4;

export interface TextRange {
  start: number;
  end: number;
}

export interface TextQuote extends TextRange {
  exact: string;
  prefix: string;
  suffix: string;
}

export const compactText = (text: string): string => text.replace(/\s+/g, '');

export const quoteAt = (text: string, { start, end }: TextRange): TextQuote => ({
  start,
  end,
  exact: text.slice(start, end),
  prefix: text.slice(Math.max(0, start - CONTEXT_LENGTH), start),
  suffix: text.slice(end, end + CONTEXT_LENGTH),
});

/** How many characters of the context are the same, counted from the passage. An edge of the text is a full context. */
function contextScore(
  text: string,
  { start: at, end }: TextRange,
  { prefix, suffix }: Pick<TextQuote, 'prefix' | 'suffix'>,
): number {
  let before = 0;
  while (before < prefix.length && text[at - 1 - before] === prefix[prefix.length - 1 - before]) before += 1;
  let after = 0;
  while (after < suffix.length && text[end + after] === suffix[after]) after += 1;
  if (before === prefix.length && prefix.length < CONTEXT_LENGTH && at === before) before = CONTEXT_LENGTH;
  if (after === suffix.length && suffix.length < CONTEXT_LENGTH && end + after === text.length)
    after = CONTEXT_LENGTH;
  return before + after;
}

/** For each beginning of the words: how many of its first characters are also its last ones. */
function repeatedLengths(words: string): Uint16Array {
  const lengths = new Uint16Array(words.length);
  for (let at = 1, same = 0; at < words.length; at += 1) {
    while (same > 0 && words.charCodeAt(at) !== words.charCodeAt(same)) same = lengths[same - 1] ?? 0;
    if (words.charCodeAt(at) === words.charCodeAt(same)) same += 1;
    lengths[at] = same;
  }
  return lengths;
}

/**
 * Positions of the same words, the nearest ones to the last position. Reads the text once (Knuth, Morris and Pratt):
 * `indexOf` and `lastIndexOf` compare all the words at each position of a text that repeats itself.
 */
function occurrencesOf(text: string, { exact, start }: TextQuote): number[] {
  const repeated = repeatedLengths(exact);
  const before: number[] = [];
  const after: number[] = [];
  for (let at = 0, same = 0; at < text.length && after.length < MAX_OCCURRENCES; at += 1) {
    while (same > 0 && text.charCodeAt(at) !== exact.charCodeAt(same)) same = repeated[same - 1] ?? 0;
    if (text.charCodeAt(at) === exact.charCodeAt(same)) same += 1;
    if (same < exact.length) continue;
    const found = at + 1 - exact.length;
    (found < start ? before : after).push(found);
    same = repeated[same - 1] ?? 0;
  }
  return [...after, ...before.slice(-MAX_OCCURRENCES)];
}

/** The occurrence of the same words whose context fits best; of equal ones the nearest. */
export function findExact(text: string, quote: TextQuote): TextRange | null {
  const { exact, start } = quote;
  if (exact === '') return null;
  let best: { at: number; score: number } | null = null;
  for (const at of occurrencesOf(text, quote)) {
    const score = contextScore(text, { start: at, end: at + exact.length }, quote);
    const isNearer = best !== null && Math.abs(at - start) < Math.abs(best.at - start);
    if (best === null || score > best.score || (score === best.score && isNearer)) best = { at, score };
  }
  return best === null ? null : { start: best.at, end: best.at + exact.length };
}

const GRAM_LENGTH = 5;
/** Frequent sequences say little about the place and would make the index slow. */
const MAX_GRAM_POSITIONS = 8;
/** Places whose offsets differ by less than this belong together. */
const BUCKET = 32;

/** Positions of all short sequences of a text. */
export type TextIndex = ReadonlyMap<string, readonly number[]>;

export function createTextIndex(text: string): TextIndex {
  const index = new Map<string, number[]>();
  for (let at = 0; at + GRAM_LENGTH <= text.length; at += 1) {
    const gram = text.slice(at, at + GRAM_LENGTH);
    const positions = index.get(gram);
    if (positions === undefined) index.set(gram, [at]);
    else if (positions.length <= MAX_GRAM_POSITIONS) positions.push(at);
  }
  return index;
}

/** The place where most short sequences of the quote and its context are found. */
function likelyStart(index: TextIndex, { exact, prefix, suffix, start }: TextQuote): number | null {
  const pattern = prefix + exact + suffix;
  const votes = new Map<number, { count: number; sum: number }>();
  for (let at = 0; at + GRAM_LENGTH <= pattern.length; at += 1) {
    const positions = index.get(pattern.slice(at, at + GRAM_LENGTH)) ?? [];
    if (positions.length > MAX_GRAM_POSITIONS) continue;
    for (const position of positions) {
      const place = position - at + prefix.length;
      const bucket = Math.round(place / BUCKET);
      const vote = votes.get(bucket) ?? { count: 0, sum: 0 };
      votes.set(bucket, { count: vote.count + 1, sum: vote.sum + place });
    }
  }
  let best: { count: number; place: number } | null = null;
  for (const { count, sum } of votes.values()) {
    const place = Math.round(sum / count);
    const isNearer = best !== null && Math.abs(place - start) < Math.abs(best.place - start);
    if (best === null || count > best.count || (count === best.count && isNearer)) best = { count, place };
  }
  return best?.place ?? null;
}

/** The part of `text` with the fewest changes against `pattern` (Sellers' algorithm). */
function mostSimilarPart(text: string, pattern: string): TextRange & { changes: number } {
  const { length } = pattern;
  // For each length of the pattern's beginning: changes, and where the matching part of the text begins.
  let changes = Uint32Array.from({ length: length + 1 }, (_, index) => index);
  let starts = new Uint32Array(length + 1);
  let best = { start: 0, end: 0, changes: length };
  for (let at = 0; at < text.length; at += 1) {
    const nextChanges = new Uint32Array(length + 1);
    const nextStarts = new Uint32Array(length + 1);
    nextStarts[0] = at + 1;
    for (let row = 1; row <= length; row += 1) {
      const replaced = (changes[row - 1] ?? 0) + (text[at] === pattern[row - 1] ? 0 : 1);
      const added = (changes[row] ?? 0) + 1;
      const removed = (nextChanges[row - 1] ?? 0) + 1;
      if (replaced <= added && replaced <= removed) {
        nextChanges[row] = replaced;
        nextStarts[row] = starts[row - 1] ?? 0;
      } else if (added <= removed) {
        nextChanges[row] = added;
        nextStarts[row] = starts[row] ?? 0;
      } else {
        nextChanges[row] = removed;
        nextStarts[row] = nextStarts[row - 1] ?? 0;
      }
    }
    [changes, starts] = [nextChanges, nextStarts];
    const total = changes[length] ?? length;
    if (total < best.changes) best = { start: starts[length] ?? 0, end: at + 1, changes: total };
  }
  return best;
}

/** Finds a passage whose words were changed a little. Its cost depends on the length of the quote, not of the text. */
export function findSimilar(text: string, index: TextIndex, quote: TextQuote): TextRange | null {
  const { exact } = quote;
  const place = likelyStart(index, quote);
  if (place === null || exact === '') return null;
  const slack = BUCKET + Math.ceil(exact.length * MAX_CHANGED_SHARE);
  const from = Math.max(0, place - slack);
  const near = text.slice(from, place + exact.length + slack);
  const { start, end, changes } = mostSimilarPart(near, exact);
  if (start >= end || changes > exact.length * MAX_CHANGED_SHARE) return null;
  const range = { start: from + start, end: from + end };
  const isDistinct = exact.length >= MIN_DISTINCT_LENGTH;
  return isDistinct || contextScore(text, range, quote) >= MIN_CONTEXT ? range : null;
}

/** Finds the passage with the same or similar words; null when it is gone. */
export function createAnchoring(text: string): (quote: TextQuote) => TextRange | null {
  let index: TextIndex | null = null;
  return (quote) => {
    const found = findExact(text, quote);
    if (found !== null) return found;
    index ??= createTextIndex(text);
    return findSimilar(text, index, quote);
  };
}
