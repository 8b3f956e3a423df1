import { type WordLevel, wordLevels } from '@mozhan/contract/sensitive-words.ts';
import { type Automaton, buildAutomaton, findPatterns } from './automaton.ts';
import {
  isSpacedLetter,
  type MatchMode,
  type NormalizedText,
  normalizeText,
  type Range,
  toPattern,
} from './normalize.ts';

export interface WordEntry {
  word: string;
  level: WordLevel;
}

/** A match in the original text; `end` is exclusive. */
export interface WordMatch extends WordEntry {
  start: number;
  end: number;
}

export interface ScreeningResult {
  level: WordLevel | null;
  /** Found words as spelled in the list, the strongest first. */
  words: string[];
  refused: string[];
  /** The text with the words of the requested levels masked. */
  masked: string;
}

interface MatcherPart {
  mode: MatchMode;
  automaton: Automaton;
  entries: (WordEntry & { length: number })[];
}

export type Matcher = MatcherPart[];

export function createMatcher(entries: readonly WordEntry[]): Matcher {
  const patterns = entries.map((entry) => ({ entry, ...toPattern(entry.word) }));
  return (['spaced', 'dense'] as const).flatMap((mode) => {
    const own = patterns.filter((each) => each.mode === mode && each.symbols.length > 0);
    if (own.length === 0) return [];
    return [
      {
        mode,
        automaton: buildAutomaton(own.map((each) => each.symbols)),
        entries: own.map(({ entry, symbols }) => ({ ...entry, length: symbols.length })),
      },
    ];
  });
}

/** Whether a match is a complete word: `av` does not match in `java`. */
function isCompleteWord({ symbols, gaps }: NormalizedText, from: number, to: number): boolean {
  const goesOn = (left: number, right: number) =>
    isSpacedLetter(symbols[left]) && isSpacedLetter(symbols[right]) && gaps[right] === false;
  return !goesOn(from - 1, from) && !goesOn(to - 1, to);
}

/** Reports every occurrence, also overlapping ones, in no particular order. */
export function findWords(
  matcher: Matcher,
  text: string,
  skipped: readonly Range[],
  onHit: (entry: WordEntry, start: number, end: number) => void,
): void {
  for (const { mode, automaton, entries } of matcher) {
    const normalized = normalizeText(text, mode, skipped);
    findPatterns(automaton, normalized.symbols, (pattern, to) => {
      const entry = entries[pattern];
      if (entry === undefined) return;
      const from = to - entry.length;
      if (isCompleteWord(normalized, from, to))
        onHit(entry, normalized.starts[from] ?? 0, normalized.ends[to - 1] ?? 0);
    });
  }
}

const strengthOf = (level: WordLevel): number => wordLevels.indexOf(level);

/** A full-width asterisk, which has no meaning in Markdown. */
const MASK = '＊';

export function screen(
  matcher: Matcher,
  text: string,
  skipped: readonly Range[] = [],
  maskedLevels: readonly WordLevel[] = ['mask'],
): ScreeningResult {
  const found = new Set<WordEntry>();
  const covered: Range[] = [];
  findWords(matcher, text, skipped, (entry, start, end) => {
    found.add(entry);
    if (maskedLevels.includes(entry.level)) covered.push([start, end]);
  });
  const entries = [...found].sort((a, b) => strengthOf(b.level) - strengthOf(a.level));
  return {
    level: entries[0]?.level ?? null,
    words: entries.map((entry) => entry.word),
    refused: entries.filter(({ level }) => level === 'refuse').map((entry) => entry.word),
    masked: mask(text, covered),
  };
}

function mask(text: string, ranges: Range[]): string {
  let masked = '';
  let at = 0;
  for (const [start, end] of ranges.sort((a, b) => a[0] - b[0])) {
    if (end <= at) continue;
    masked += text.slice(at, start) + text.slice(Math.max(at, start), end).replace(/\S/gu, MASK);
    at = end;
  }
  return masked + text.slice(at);
}
