import { monthToken, plainToken, type QueryUnit, strongToken, titleToken } from './tokens.ts';

export const HOT_COPY_SIZE = 20_000;
/** With fewer essays, every query searches all of them. */
export const HOT_COPY_THRESHOLD = 50_000;
/** Maximum estimated matches of a query on all essays, which keeps its time independent of their number. */
const MAX_ROWS = 3000;
/** Maximum share of the rarest word, because its complete posting list is read. */
const MAX_POSTING_SHARE = 0.05;
/** Assumed share of a token that is not in the sample. */
const UNSAMPLED_SHARE = 0.0002;

export interface TokenShares {
  essays: number;
  shares: Map<number, number>;
}

const shareOf = ({ shares, essays }: TokenShares, token: number): number =>
  shares.get(token) ?? Math.max(UNSAMPLED_SHARE, 1 / Math.max(essays, 5000));

/** What a search is limited to: all tokens of `has`, one of each list in `anyOf`, and not older than `minFresh`. */
export interface Filter {
  has: number[];
  anyOf: number[][];
  minFresh: number | null;
}

export const NO_FILTER: Filter = { has: [], anyOf: [], minFresh: null };

/** Matches essays with all tokens of `has` and at least one token of each list in `anyOf`. */
export interface Condition extends Filter {
  isHot: boolean;
  limit: number;
}

export interface TokenWeight {
  token: number;
  weight: number;
}

/** Uses square roots, because words of a query occur together more often than by chance. */
function estimate(known: TokenShares, lists: number[][]): { rows: number; rarest: number } {
  const parts = lists.map((tokens) => tokens.reduce((sum, token) => sum + shareOf(known, token), 0));
  const [rarest = 1, ...rest] = parts.sort((a, b) => a - b);
  return { rows: rest.reduce((product, part) => product * Math.sqrt(Math.min(part, 1)), rarest), rarest };
}

function createCondition(
  known: TokenShares,
  filter: Filter,
  given: { has?: number[]; anyOf?: number[][] },
  limit: number,
): Condition {
  const has = [...(given.has ?? []), ...filter.has];
  const anyOf = [...(given.anyOf ?? []), ...filter.anyOf];
  const { rows, rarest } = estimate(known, [...has.map((token) => [token]), ...anyOf]);
  const isHot =
    known.essays >= HOT_COPY_THRESHOLD && (rows * known.essays > MAX_ROWS || rarest > MAX_POSTING_SHARE);
  return { has, anyOf, minFresh: filter.minFresh, isHot, limit };
}

/** Whether so few essays of the hot copy match that about at most `count` of all essays do. */
export const isRareInHotCopy = (known: TokenShares, met: number, count: number): boolean =>
  met * known.essays < count * HOT_COPY_SIZE;

const prefixedTokens = (term: string): number[] => [strongToken(term), titleToken(term)];

/**
 * Conditions for candidates that have all terms: essays about all terms, about some of them, and any others. The last
 * condition is the query itself and includes the matches of the others.
 */
export function matchAllTerms(
  known: TokenShares,
  terms: string[],
  filter: Filter,
  limit: number,
): Condition[] {
  const has = terms.map(plainToken);
  const conditions = [createCondition(known, filter, { anyOf: terms.map(prefixedTokens) }, limit)];
  if (terms.length > 1)
    conditions.push(createCondition(known, filter, { has, anyOf: [terms.flatMap(prefixedTokens)] }, limit));
  conditions.push(createCondition(known, filter, { has }, limit));
  return conditions;
}

export function matchAllButOneTerm(
  known: TokenShares,
  units: QueryUnit[],
  filter: Filter,
  limit: number,
): Condition[] {
  const terms = rarestFirst(known, units).map((unit) => unit.term);
  // Long queries drop their most common words.
  const selected = terms.slice(0, Math.min(terms.length, 4));
  const variants =
    selected.length < terms.length
      ? [selected]
      : selected.map((dropped) => selected.filter((term) => term !== dropped));
  return variants.flatMap((variant) => matchAllTerms(known, variant, filter, limit));
}

/** Replaces compounds by their parts: 「大语言模型」 by 语言 and 模型. */
export function matchTermParts(
  known: TokenShares,
  units: QueryUnit[],
  filter: Filter,
  limit: number,
): Condition[] {
  if (units.every((unit) => unit.parts.length === 0)) return [];
  const terms = units.flatMap((unit) => (unit.parts.length > 0 ? shortest(unit.parts) : [unit.term]));
  return matchAllTerms(known, [...new Set(terms)], filter, limit);
}

export const matchAnyTerm = (
  known: TokenShares,
  units: QueryUnit[],
  filter: Filter,
  limit: number,
): Condition[] =>
  rarestFirst(known, units)
    .flatMap((unit) => [unit.term, ...unit.parts])
    .slice(0, 4)
    .flatMap((term) => matchAllTerms(known, [term], filter, limit));

/** Essays about one of the rarest terms. */
export const matchAboutTerm = (
  known: TokenShares,
  units: QueryUnit[],
  filter: Filter,
  limit: number,
): Condition[] =>
  rarestFirst(known, units)
    .slice(0, 3)
    .map((unit) => createCondition(known, filter, { anyOf: [prefixedTokens(unit.term)] }, limit));

/** Parts of two characters if there are any, because longer parts consist of them. */
function shortest(parts: string[]): string[] {
  const short = parts.filter((part) => part.length === 2);
  return short.length > 0 ? short : parts;
}

const rarestFirst = (known: TokenShares, units: QueryUnit[]): QueryUnit[] =>
  units.toSorted((a, b) => shareOf(known, plainToken(a.term)) - shareOf(known, plainToken(b.term)));

const PAIR_FACTOR = 0.7;

/** Rare words get a higher weight (inverse document frequency). */
export function calculateWeights(known: TokenShares, units: QueryUnit[]): TokenWeight[] {
  const weights = new Map<number, number>();
  const add = (term: string, factor: number) => {
    const token = plainToken(term);
    const weight = factor * Math.log(1 + 1 / shareOf(known, token));
    weights.set(token, Math.max(weights.get(token) ?? 0, weight));
  };
  for (const unit of units) {
    add(unit.term, 1);
    for (const part of unit.parts) add(part, 0.4 / unit.parts.length);
    for (const pair of unit.pairs ?? []) add(pair, PAIR_FACTOR);
  }
  return [...weights].map(([token, weight]) => ({ token, weight }));
}

export const listQueryTokens = (units: QueryUnit[], filter: Filter): number[] => [
  ...filter.has,
  ...filter.anyOf.flat(),
  ...units
    .flatMap((unit) => [unit.term, ...unit.parts])
    .flatMap((term) => [plainToken(term), ...prefixedTokens(term)]),
  ...units.flatMap((unit) => unit.pairs ?? []).map(plainToken),
];

/** Essays whose author, tag or column has one of these names. */
export const matchNames = (known: TokenShares, names: number[], filter: Filter, limit: number): Condition =>
  createCondition(known, filter, { anyOf: [names] }, limit);

const DAY = 86_400_000;
const EPOCH = Date.UTC(2020, 0, 1);

/** One year counts as much as twice the reads. It is constant for an essay, so ranks need no recalculation. */
export const freshnessOf = (time: Date): number => ((time.getTime() - EPOCH) / DAY / 365) * 0.1;

/** The tokens of the months from `since` to `now`. */
export function listMonths(since: Date, now: Date): number[] {
  const tokens: number[] = [];
  const month = new Date(Date.UTC(since.getUTCFullYear(), since.getUTCMonth(), 1));
  for (; month <= now; month.setUTCMonth(month.getUTCMonth() + 1))
    tokens.push(monthToken(month.toISOString().slice(0, 7)));
  return tokens;
}

/** Windows of months for a search of the newest essays, the shortest first. */
export const RECENT_MONTHS = [1, 2, 4, 8, 16, 32, 64];

/** Maximum estimated matches in a window. */
const MAX_RECENT_ROWS = 10_000;

/**
 * Limits a query of common words to the last months, so that its newest matches are found without reading all of them.
 * Null if the window has fewer than `wanted` matches by estimate, or too many to sort.
 */
export function limitToMonths(
  known: TokenShares,
  condition: Condition,
  { months, wanted }: { months: number[]; wanted: number },
): Condition | null {
  const anyOf = [...condition.anyOf, months];
  const { rows } = estimate(known, [...condition.has.map((token) => [token]), ...anyOf]);
  const matches = rows * known.essays;
  return matches < wanted || matches > MAX_RECENT_ROWS ? null : { ...condition, anyOf, isHot: false };
}
