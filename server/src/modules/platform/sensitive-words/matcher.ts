import { type WordLevel, wordLevels } from '@mozhan/contract/sensitive-words.ts';
import { type Automaton, buildAutomaton, walk } from './automaton.ts';
import { type Folded, fold, isSpaced, type Manner, type Range, spell } from './fold.ts';

export interface Entry {
  word: string;
  level: WordLevel;
}

/** Where a word stands in the original text; `end` exclusive. */
export interface Hit extends Entry {
  start: number;
  end: number;
}

export interface Screened {
  /** The strongest of what was found. */
  level: WordLevel | null;
  /** As they are in the list, the strongest first. */
  words: string[];
  /** Those of them that may not be published. */
  refused: string[];
  /** With the words of the level `mask` covered, or of whichever were to be. */
  masked: string;
}

interface Part {
  manner: Manner;
  automaton: Automaton;
  entries: (Entry & { length: number })[];
}

/** Made once for a list of words. */
export type Matcher = Part[];

export function createMatcher(entries: readonly Entry[]): Matcher {
  const spelled = entries.map((entry) => ({ entry, ...spell(entry.word) }));
  return (['spaced', 'dense'] as const).flatMap((manner) => {
    const own = spelled.filter((each) => each.manner === manner && each.symbols.length > 0);
    if (own.length === 0) return [];
    return [
      {
        manner,
        automaton: buildAutomaton(own.map((each) => each.symbols)),
        entries: own.map(({ entry, symbols }) => ({ ...entry, length: symbols.length })),
      },
    ];
  });
}

/** Whether a word of letters goes on beyond its end: `av` is not in `java`. */
function isWhole({ symbols, gaps }: Folded, from: number, to: number): boolean {
  const goesOn = (left: number, right: number) =>
    isSpaced(symbols[left]) && isSpaced(symbols[right]) && gaps[right] === false;
  return !goesOn(from - 1, from) && !goesOn(to - 1, to);
}

/** Every occurrence, also inside others, in no particular order. */
export function search(
  matcher: Matcher,
  text: string,
  skipped: readonly Range[],
  onHit: (entry: Entry, start: number, end: number) => void,
): void {
  for (const { manner, automaton, entries } of matcher) {
    const folded = fold(text, manner, skipped);
    walk(automaton, folded.symbols, (pattern, to) => {
      const entry = entries[pattern];
      if (entry === undefined) return;
      const from = to - entry.length;
      if (isWhole(folded, from, to)) onHit(entry, folded.starts[from] ?? 0, folded.ends[to - 1] ?? 0);
    });
  }
}

const strength = (level: WordLevel): number => wordLevels.indexOf(level);

/** Wide, and of no meaning in Markdown. */
const MASK = '＊';

export function screen(
  matcher: Matcher,
  text: string,
  skipped: readonly Range[] = [],
  covers: readonly WordLevel[] = ['mask'],
): Screened {
  const found = new Set<Entry>();
  const covered: Range[] = [];
  search(matcher, text, skipped, (entry, start, end) => {
    found.add(entry);
    if (covers.includes(entry.level)) covered.push([start, end]);
  });
  const entries = [...found].sort((a, b) => strength(b.level) - strength(a.level));
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
