import type { Ctx } from '../../../../ctx.ts';
import { createDb, type Db } from '../../../../db/client.ts';
import {
  listIndexedTokens,
  listMatchesByStat,
  listScoredEssays,
  type ScoredEssay,
} from '../queries/essays.ts';
import { listSimilarWords } from '../queries/words.ts';
import { normalizeSearchText } from '../rules/normalize.ts';
import {
  type Condition,
  calculateWeights,
  freshnessOf,
  isRareInHotCopy,
  listQueryTokens,
  matchAllButOneTerm,
  matchAllTerms,
  matchAnyTerm,
  matchTermParts,
  type TokenShares,
} from '../rules/query-plan.ts';
import { maxDistance, rankCorrections, spellingKeys } from '../rules/spelling.ts';
import { categoryToken, parseQueryUnits, plainToken, type QueryUnit } from '../rules/tokens.ts';
import { getDictionary } from './dictionary.ts';
import { getTokenShares } from './share-cache.ts';

export interface SearchQuery {
  keyword: string;
  categoryId?: string | undefined;
  offset: number;
  limit: number;
}

export interface SearchResult {
  ids: string[];
  /** Exact up to 1000; 1001 means more. */
  total: number;
  /** No essay has every word of the query; these have some. */
  isPartial: boolean;
  /** Terms to highlight. */
  terms: string[];
  /** The corrected query, if only the correction had results. */
  corrected: string | null;
}

export const MAX_RESULTS = 1000;
const MAX_COUNT = MAX_RESULTS + 1;
const MAX_KEYWORD_LENGTH = 100;
const CANDIDATES = 60;
const MAX_CORRECTIONS = 3;
/** With fewer full matches, partial matches are appended. */
const MIN_FULL_MATCHES = 10;

/** Uses one connection for a whole search, so that a search never waits for a second one. */
export async function withSearchConnection<T>(ctx: Ctx, run: (ctx: Ctx) => Promise<T>): Promise<T> {
  const client = await ctx.services.searchPool.connect();
  try {
    return await run({ ...ctx, db: createDb(client) });
  } finally {
    client.release();
  }
}

export async function searchEssays(ctx: Ctx, query: SearchQuery): Promise<SearchResult> {
  const dictionary = await getDictionary(ctx);
  const keyword = normalizeSearchText(query.keyword.slice(0, MAX_KEYWORD_LENGTH)).trim();
  const units = parseQueryUnits(dictionary, keyword);
  if (units.length === 0) return { ids: [], total: 0, isPartial: false, terms: [], corrected: null };
  const prepared = { ...query, phrase: keyword, fresh: freshnessOf(ctx.now) };
  const fullMatches = await findFullMatches(ctx, units, prepared);
  // If an essay has every word, none of them is a typing error.
  const corrected = fullMatches.scored.length === 0 ? await correctSpelling(ctx, units, keyword) : null;
  if (corrected === null) return { ...(await buildResult(ctx, fullMatches, prepared)), corrected: null };
  const again = { ...prepared, phrase: corrected };
  const found = await buildResult(
    ctx,
    await findFullMatches(ctx, parseQueryUnits(dictionary, corrected), again),
    again,
  );
  return { ...found, corrected: found.total > 0 ? corrected : null };
}

interface PreparedQuery extends SearchQuery {
  phrase: string;
  fresh: number;
}

interface FullMatches {
  units: QueryUnit[];
  known: TokenShares;
  filter: number[];
  score: (conditions: Condition[]) => Promise<ScoredEssay[]>;
  scored: ScoredEssay[];
  /** The condition that selected them; undefined for a query without words. */
  condition: Condition | undefined;
}

async function findFullMatches(ctx: Ctx, units: QueryUnit[], prepared: PreparedQuery): Promise<FullMatches> {
  const filter = prepared.categoryId === undefined ? [] : [categoryToken(prepared.categoryId)];
  const known = await getTokenShares(ctx, listQueryTokens(units, filter));
  const weights = calculateWeights(known, units);
  const score = (conditions: Condition[], isNested = false) =>
    listScoredEssays(ctx.db, { ...prepared, conditions, weights, isNested });

  let conditions = matchAllTerms(known, termsOf(units), filter, CANDIDATES);
  let scored = await score(conditions, true);
  const met = scored[0]?.met ?? 0;
  if (conditions.at(-1)?.isHot && met < CANDIDATES && isRareInHotCopy(known, met, MAX_COUNT)) {
    // Each word is common, but their combination is rare, so all essays can be searched.
    conditions = conditions.map((each) => ({ ...each, isHot: false }));
    scored = await score(conditions, true);
  }
  return { units, known, filter, score, scored, condition: conditions.at(-1) };
}

async function buildResult(
  ctx: Ctx,
  fullMatches: FullMatches,
  prepared: PreparedQuery,
): Promise<Omit<SearchResult, 'corrected'>> {
  const { units, known, filter, score, scored, condition } = fullMatches;
  const terms = termsOf(units);
  const isEnough =
    scored.length >= MIN_FULL_MATCHES &&
    (condition?.isHot || scored.length === condition?.limit || !isCompound(units));
  if (condition !== undefined && (isEnough || isOneWord(units))) {
    // Words that are searched in the hot copy are so common that the total exceeds the maximum.
    const total = condition.isHot ? MAX_COUNT : Math.min(scored[0]?.met ?? 0, MAX_COUNT);
    const list = await listPageIds(ctx.db, condition, idsOf(scored), prepared);
    return { ids: list, total, isPartial: false, terms: [...new Set(terms)] };
  }
  const near =
    scored.length < MIN_FULL_MATCHES
      ? await listPartialMatches(fullMatches)
      : idsOf(await score(matchTermParts(known, units, filter, CANDIDATES / 2)));
  const found = [...new Set([...idsOf(scored), ...near])].slice(0, MAX_RESULTS);
  return {
    ids: found.slice(prepared.offset, prepared.offset + prepared.limit),
    total: found.length,
    isPartial: scored.length === 0 && found.length > 0,
    terms: [...new Set([...terms, ...units.flatMap((unit) => unit.parts)])],
  };
}

const termsOf = (units: QueryUnit[]): string[] => units.map((unit) => unit.term);

/** A single word without parts has no partial matches. */
const isOneWord = (units: QueryUnit[]): boolean => units.length === 1 && units[0]?.parts.length === 0;

/** A compound such as 消息队列, whose parts an essay may contain separately. */
const isCompound = (units: QueryUnit[]): boolean => units.some((unit) => unit.parts.length > 1);

const idsOf = (found: { id: string }[]): string[] => found.map((each) => each.id);

/** Returns essays that lack a word or contain only parts of one, the best first. */
async function listPartialMatches({ known, units, filter, score }: FullMatches): Promise<string[]> {
  const fullMatches = matchAllTerms(known, termsOf(units), filter, CANDIDATES);
  const limit = CANDIDATES / 2;
  const near = [
    ...matchTermParts(known, units, filter, limit),
    ...(units.length > 1 ? matchAllButOneTerm(known, units, filter, limit) : []),
    ...fullMatches,
  ];
  const found = near.length > fullMatches.length ? await score(near) : [];
  if (found.length > 0) return idsOf(found);
  return idsOf(await score([...matchAnyTerm(known, units, filter, limit), ...fullMatches]));
}

/** Returns the scored essays, followed by other matches in the order of `stat`. */
async function listPageIds(
  db: Db,
  condition: Condition,
  scored: string[],
  prepared: PreparedQuery,
): Promise<string[]> {
  const end = Math.min(prepared.offset + prepared.limit, MAX_RESULTS);
  const first = scored.slice(prepared.offset, end);
  const missing = end - Math.max(prepared.offset, scored.length);
  if (missing <= 0 || scored.length < condition.limit) return first;
  const offset = Math.max(0, prepared.offset - scored.length);
  return [
    ...first,
    ...(await listMatchesByStat(db, { condition, excludedIds: scored, offset, limit: missing })),
  ];
}

/** Replaces Latin words that no essay contains by their most likely correction; null if there is none. */
async function correctSpelling(ctx: Ctx, units: QueryUnit[], keyword: string): Promise<string | null> {
  const latinTerms = units.filter((unit) => unit.isLatin).map((unit) => unit.term);
  const parts = new Map(units.map((unit) => [unit.term, unit.parts.length > 0 ? unit.parts : [unit.term]]));
  const unknown = await listAbsent(ctx, latinTerms);
  const typed = unknown
    .flatMap((fullMatches) => parts.get(fullMatches) ?? [])
    .filter((word) => maxDistance(word) > 0);
  const wrong = await listAbsent(ctx, typed);
  if (wrong.length === 0) return null;
  const near = await listSimilarWords(ctx.db, wrong.flatMap(spellingKeys));
  const chosen = new Map(wrong.map((word) => [word, rankCorrections(word, near).slice(0, MAX_CORRECTIONS)]));
  // The vocabulary only grows, so some of its words are no longer in any essay.
  const absent = new Set(await listAbsent(ctx, [...new Set([...chosen.values()].flat())]));
  const correctedKeyword = keyword.replace(
    /[a-z\d]+/g,
    (word) => chosen.get(word)?.find((choice) => !absent.has(choice)) ?? word,
  );
  return correctedKeyword === keyword ? null : correctedKeyword;
}

async function listAbsent(ctx: Ctx, words: string[]): Promise<string[]> {
  if (words.length === 0) return [];
  const { shares } = await getTokenShares(ctx, words.map(plainToken));
  const rare = words.filter((word) => !shares.has(plainToken(word)));
  const present = new Set(rare.length === 0 ? [] : await listIndexedTokens(ctx.db, rare.map(plainToken)));
  return rare.filter((word) => !present.has(plainToken(word)));
}
