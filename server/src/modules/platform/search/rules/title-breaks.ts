import { normalizeSearchText } from './normalize.ts';
import { type Dictionary, segment } from './segment.ts';

/** Runs of Chinese, and of anything else that has no place for a line break inside. */
const RUNS = /(?<han>[〇\u4e00-\u9fff]+)|[^\s\p{P}\p{S}〇\u4e00-\u9fff]+/gu;
/** Words of one character that belong to the word before them. */
const SUFFIXES = new Set('的了吗呢吧啊着过地得们里上中下后前');
/** Numerals belong to the measure word after them. */
const NUMERALS = new Set('〇一二两三四五六七八九十百千万几半第每');

/**
 * Returns the offsets at which a title may continue on the next line: between words. Next to punctuation browsers find
 * the places themselves.
 */
export function findTitleBreaks(dictionary: Dictionary, title: string): number[] {
  const breaks: number[] = [];
  let end = -1;
  for (const { 0: run, index, groups } of normalizeSearchText(title).matchAll(RUNS)) {
    if (index === end) breaks.push(index);
    end = index + run.length;
    if (groups?.han === undefined) continue;
    const { bounds } = segment(dictionary, run);
    for (const [at, bound] of bounds.slice(1, -1).entries()) {
      const before = run.slice(bounds[at], bound);
      const after = run.slice(bound, bounds[at + 2]);
      if (!SUFFIXES.has(after) && !NUMERALS.has(before)) breaks.push(index + bound);
    }
  }
  return breaks;
}
