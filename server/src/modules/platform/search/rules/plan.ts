import { plainToken, strongToken, titleToken, type Unit } from './tokens.ts';

/** Essays that are kept twice, those that stand highest. */
export const HOT = 20_000;
/** Below this many essays every question is answered from all of them. */
export const HOT_FROM = 50_000;
/** Rows that may be looked at among all essays, so that asking takes as long however many there are. */
const MOST_ROWS = 3000;
/** Part of all essays that the rarest word may be in: its list is read as a whole. */
const MOST_POSTINGS = 0.05;
/** Of a token that the sample has hardly met. */
const UNSEEN = 0.0002;

/** What is known of how common tokens are. */
export interface Shares {
  essays: number;
  shares: Map<number, number>;
}

const shareOf = ({ shares, essays }: Shares, token: number): number =>
  shares.get(token) ?? Math.max(UNSEEN, 1 / Math.max(essays, 5000));

/** A set of essays: all of `has`, and of each list in `anyOf` at least one. */
export interface Condition {
  has: number[];
  anyOf: number[][];
  /** The copy of those that stand highest is asked instead of all. */
  isHot: boolean;
  limit: number;
}

export interface Weight {
  token: number;
  weight: number;
}

/** Words stand together more often than chance has it, hence the roots. */
function estimate(known: Shares, lists: number[][]): { rows: number; rarest: number } {
  const parts = lists.map((tokens) => tokens.reduce((sum, token) => sum + shareOf(known, token), 0));
  const [rarest = 1, ...rest] = parts.sort((a, b) => a - b);
  return { rows: rest.reduce((product, part) => product * Math.sqrt(Math.min(part, 1)), rarest), rarest };
}

function condition(known: Shares, has: number[], anyOf: number[][], limit: number): Condition {
  const { rows, rarest } = estimate(known, [...has.map((token) => [token]), ...anyOf]);
  const isHot = known.essays >= HOT_FROM && (rows * known.essays > MOST_ROWS || rarest > MOST_POSTINGS);
  return { has, anyOf, isHot, limit };
}

/** So few of the copy that among all essays there are hardly more than `count`, who can be asked. */
export const isFewHot = (known: Shares, met: number, count: number): boolean =>
  met * known.essays < count * HOT;

const marked = (term: string): number[] => [strongToken(term), titleToken(term)];

/**
 * Where the best answers are among essays that have all terms: those that are about all of them, about some of them,
 * and any. From each the highest standing; which are best is decided by their scores. The last condition is the
 * question itself.
 */
export function allOf(known: Shares, terms: string[], filter: number[], limit: number): Condition[] {
  const tokens = [...terms.map(plainToken), ...filter];
  const conditions = [condition(known, filter, terms.map(marked), limit)];
  if (terms.length > 1) conditions.push(condition(known, tokens, [terms.flatMap(marked)], limit));
  conditions.push(condition(known, tokens, [], limit));
  return conditions;
}

/** Essays that lack one of the terms, for questions that hardly any essay answers. */
export function allButOne(known: Shares, units: Unit[], filter: number[], limit: number): Condition[] {
  const terms = rarestFirst(known, units).map((unit) => unit.term);
  // Of a long question the commonest words go first.
  const kept = terms.slice(0, Math.min(terms.length, 4));
  const variants =
    kept.length < terms.length ? [kept] : kept.map((dropped) => kept.filter((term) => term !== dropped));
  return variants.flatMap((variant) => allOf(known, variant, filter, limit));
}

/** The words inside the words: 「大语言模型」 as 语言 and 模型. */
export function inParts(known: Shares, units: Unit[], filter: number[], limit: number): Condition[] {
  if (units.every((unit) => unit.parts.length === 0)) return [];
  const terms = units.flatMap((unit) => (unit.parts.length > 0 ? shortest(unit.parts) : [unit.term]));
  return allOf(known, [...new Set(terms)], filter, limit);
}

/** Essays with any one of the words or of their parts. */
export const anyOne = (known: Shares, units: Unit[], filter: number[], limit: number): Condition[] =>
  rarestFirst(known, units)
    .flatMap((unit) => [unit.term, ...unit.parts])
    .slice(0, 4)
    .flatMap((term) => allOf(known, [term], filter, limit));

/** Two characters or a Latin part; longer ones consist of them. */
function shortest(parts: string[]): string[] {
  const short = parts.filter((part) => part.length === 2);
  return short.length > 0 ? short : parts;
}

const rarestFirst = (known: Shares, units: Unit[]): Unit[] =>
  units.toSorted((a, b) => shareOf(known, plainToken(a.term)) - shareOf(known, plainToken(b.term)));

/** How much each word of the question counts: rare ones more. */
export function weigh(known: Shares, units: Unit[]): Weight[] {
  const weights = new Map<number, number>();
  const add = (term: string, factor: number) => {
    const token = plainToken(term);
    const weight = factor * Math.log(1 + 1 / shareOf(known, token));
    weights.set(token, Math.max(weights.get(token) ?? 0, weight));
  };
  for (const unit of units) {
    add(unit.term, 1);
    for (const part of unit.parts) add(part, 0.4 / unit.parts.length);
  }
  return [...weights].map(([token, weight]) => ({ token, weight }));
}

/** Every token whose share a plan asks for. */
export const tokensOf = (units: Unit[], filter: number[]): number[] => [
  ...filter,
  ...units
    .flatMap((unit) => [unit.term, ...unit.parts])
    .flatMap((term) => [plainToken(term), ...marked(term)]),
];

const DAY = 86_400_000;
const SINCE = Date.UTC(2020, 0, 1);

/** A year younger counts as much as being read twice as much. It never changes, so nothing has to be counted anew. */
export const freshness = (time: Date): number => ((time.getTime() - SINCE) / DAY / 365) * 0.1;
