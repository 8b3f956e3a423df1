import type { Ctx } from '../../../../ctx.ts';
import { createDb, type Db } from '../../../../db/client.ts';
import {
  listMatchesByStat,
  listScoredEssays,
  listSortedMatches,
  type ScoredEssay,
  type SortOrder,
} from '../queries/essays.ts';
import { normalizeSearchText } from '../rules/normalize.ts';
import {
  type Condition,
  calculateWeights,
  type Filter,
  freshnessOf,
  isRareInHotCopy,
  limitToMonths,
  listMonths,
  listQueryTokens,
  matchAboutTerm,
  matchAllButOneTerm,
  matchAllTerms,
  matchAnyTerm,
  matchNames,
  matchTermParts,
  RECENT_MONTHS,
  type TokenShares,
} from '../rules/query-plan.ts';
import type { Dictionary } from '../rules/segment.ts';
import {
  authorToken,
  categoryToken,
  columnToken,
  nameToken,
  parseQueryUnits,
  plainToken,
  priceToken,
  type QueryUnit,
  tagToken,
} from '../rules/tokens.ts';
import { getDictionary } from './dictionary.ts';
import { findWholeNames, getSearchStart, listAbsent, listRewrites } from './rewrite-keyword.ts';
import { getTokenShares } from './share-cache.ts';

export interface SearchFilter {
  categoryId?: string | undefined;
  authorId?: string | undefined;
  columnId?: string | undefined;
  tag?: string | undefined;
  isPaid?: boolean | undefined;
  /** Published at this time or later. */
  since?: Date | undefined;
}

export interface SearchQuery extends SearchFilter {
  keyword: string;
  offset: number;
  limit: number;
  /** By relevance if undefined. */
  sort?: SortOrder | undefined;
}

export interface SearchResult {
  ids: string[];
  /** Those of `ids` that lack a word or contain only parts of one. */
  partialIds: Set<string>;
  /** Exact up to 1000; 1001 means more. */
  total: number;
  /** No essay has every word of the query; these have some. */
  isPartial: boolean;
  /** Terms to highlight. */
  terms: string[];
  /** The corrected query, if only the correction had results. */
  corrected: string | null;
  /** The query is the name of a person, tag or column, whose essays come first. */
  isName: boolean;
}

export const MAX_RESULTS = 1000;
const MAX_COUNT = MAX_RESULTS + 1;
const MAX_KEYWORD_LENGTH = 100;
const CANDIDATES = 60;
/** With fewer full matches, partial matches are appended. */
const MIN_FULL_MATCHES = 10;

/** Searches run on connections with planner settings of their own. */
export const toSearchCtx = (ctx: Ctx): Ctx => ({ ...ctx, db: createDb(ctx.services.searchPool) });

const NOTHING: SearchResult = {
  ids: [],
  partialIds: new Set(),
  total: 0,
  isPartial: false,
  terms: [],
  corrected: null,
  isName: false,
};

export async function searchEssays(ctx: Ctx, query: SearchQuery): Promise<SearchResult> {
  const typed = query.keyword.slice(0, MAX_KEYWORD_LENGTH);
  const keyword = normalizeSearchText(typed).trim();
  const { version, names } = await getSearchStart(ctx, keyword);
  const dictionary = await getDictionary(ctx, version);
  const units = parseQueryUnits(dictionary, keyword);
  if (units.length === 0) return NOTHING;
  const named = names.map(nameToken);
  const prepared = {
    ...query,
    phrase: keyword,
    fresh: freshnessOf(ctx.now),
    filter: toFilter(query, ctx.now),
  };
  const fullMatches = await findFullMatches(ctx, units, named, prepared);
  // If an essay has every word, none of them is a typing error.
  if (fullMatches.scored.length > 0) {
    const found = {
      ...(await buildResult(ctx, fullMatches, prepared)),
      corrected: null,
      isName: named.length > 0,
    };
    const [alias] = names.filter((name) => normalizeSearchText(name).trim() !== keyword);
    return alias === undefined || fullMatches.scored.length >= MIN_FULL_MATCHES
      ? found
      : appendNamed(ctx, found, { ...prepared, phrase: normalizeSearchText(alias).trim() }, dictionary);
  }
  return findRewritten(ctx, { dictionary, units, typed, keyword }, fullMatches, prepared);
}

/** Adds the essays of a name whose pinyin is also a word of a few essays. */
async function appendNamed(
  ctx: Ctx,
  found: SearchResult,
  prepared: PreparedQuery,
  dictionary: Dictionary,
): Promise<SearchResult> {
  const units = parseQueryUnits(dictionary, prepared.phrase);
  const matches = await findFullMatches(ctx, units, [nameToken(prepared.phrase)], prepared);
  const others = await buildResult(ctx, matches, prepared);
  const full = found.ids.filter((id) => !found.partialIds.has(id));
  return {
    ...found,
    ids: [...new Set([...full, ...others.ids, ...found.ids])].slice(0, prepared.limit),
    total: Math.min(found.total + others.total, MAX_COUNT),
    terms: [...new Set([...found.terms, ...others.terms])],
  };
}

/** People with names of the same pinyin. */
const MAX_NAMES = 3;

/**
 * For searches in another list: an essay matches if it has all tokens of one of the returned lists. They stand for the
 * keyword and, if no essay contains one of its words, for other ways to write it.
 */
export async function parseKeyword(ctx: Ctx, keyword: string): Promise<number[][]> {
  const dictionary = await getDictionary(ctx);
  const typed = keyword.slice(0, MAX_KEYWORD_LENGTH);
  const normalized = normalizeSearchText(typed).trim();
  const units = parseQueryUnits(dictionary, normalized);
  const names = await findWholeNames(ctx, normalized);
  const isUnknown = (await listAbsent(ctx, termsOf(units))).length > 0;
  const rewrites = isUnknown
    ? await listRewrites(ctx, dictionary, { typed, keyword: normalized, units })
    : [];
  const others = [
    ...names.slice(0, MAX_NAMES).map(normalizeSearchText),
    ...rewrites.map((each) => each.keyword),
  ];
  return [units, ...others.map((text) => parseQueryUnits(dictionary, text))]
    .filter((units) => units.length > 0)
    .map((units) => termsOf(units).map(plainToken));
}

/** Returns the matches of another way to write the query, or else partial matches. */
async function findRewritten(
  ctx: Ctx,
  given: { dictionary: Dictionary; units: QueryUnit[]; typed: string; keyword: string },
  fullMatches: FullMatches,
  prepared: PreparedQuery,
): Promise<SearchResult> {
  let likely: { again: PreparedQuery; matches: FullMatches } | null = null;
  for (const { keyword, needsFullMatch } of await listRewrites(ctx, given.dictionary, given)) {
    const again = { ...prepared, phrase: keyword };
    const names = await findWholeNames(ctx, keyword);
    const units = parseQueryUnits(given.dictionary, keyword);
    const matches = await findFullMatches(ctx, units, names.map(nameToken), again);
    if (matches.scored.length > 0)
      return { ...(await buildResult(ctx, matches, again)), corrected: keyword, isName: names.length > 0 };
    if (!needsFullMatch) likely ??= { again, matches };
  }
  if (likely !== null) {
    const found = await buildResult(ctx, likely.matches, likely.again);
    if (found.total > 0) return { ...found, corrected: likely.again.phrase, isName: false };
  }
  return { ...(await buildResult(ctx, fullMatches, prepared)), corrected: null, isName: false };
}

function toFilter(query: SearchFilter, now: Date): Filter {
  const { categoryId, authorId, columnId, tag, isPaid, since } = query;
  return {
    has: [
      ...(categoryId === undefined ? [] : [categoryToken(categoryId)]),
      ...(authorId === undefined ? [] : [authorToken(authorId)]),
      ...(columnId === undefined ? [] : [columnToken(columnId)]),
      ...(tag === undefined ? [] : [tagToken(tag)]),
      ...(isPaid === undefined ? [] : [priceToken(isPaid)]),
    ],
    // The months let the index find the essays; the exact time is compared in addition.
    anyOf: since === undefined ? [] : [listMonths(since, now)],
    minFresh: since === undefined ? null : freshnessOf(since),
  };
}

interface PreparedQuery extends SearchQuery {
  phrase: string;
  fresh: number;
  filter: Filter;
}

interface FullMatches {
  units: QueryUnit[];
  known: TokenShares;
  score: (conditions: Condition[]) => Promise<ScoredEssay[]>;
  scored: ScoredEssay[];
  /** The condition that selected them; undefined for a query without words. */
  condition: Condition | undefined;
}

async function findFullMatches(
  ctx: Ctx,
  units: QueryUnit[],
  named: number[],
  prepared: PreparedQuery,
): Promise<FullMatches> {
  const { filter } = prepared;
  const known = await getTokenShares(ctx, [...listQueryTokens(units, filter), ...named]);
  const weights = calculateWeights(known, units);
  const score = (conditions: Condition[], isNested = false) =>
    listScoredEssays(ctx.db, { ...prepared, conditions, weights, isNested, named });

  let conditions = [
    ...(named.length > 0 ? [matchNames(known, named, filter, CANDIDATES)] : []),
    ...matchAllTerms(known, termsOf(units), filter, CANDIDATES),
  ];
  let scored = await score(conditions, true);
  const met = scored[0]?.met ?? 0;
  if (conditions.at(-1)?.isHot && met < CANDIDATES && isRareInHotCopy(known, met, MAX_COUNT)) {
    // Each word is common, but their combination is rare, so all essays can be searched.
    conditions = conditions.map((each) => ({ ...each, isHot: false }));
    scored = await score(conditions, true);
  }
  return { units, known, score, scored, condition: conditions.at(-1) };
}

async function buildResult(
  ctx: Ctx,
  fullMatches: FullMatches,
  prepared: PreparedQuery,
): Promise<Omit<SearchResult, 'corrected' | 'isName'>> {
  const { units, known, score, scored, condition } = fullMatches;
  const { filter, offset, limit, sort } = prepared;
  const terms = termsOf(units);
  const isEnough =
    scored.length >= MIN_FULL_MATCHES &&
    (condition?.isHot || scored.length === condition?.limit || !isCompound(units));
  if (condition !== undefined && (isEnough || isOneWord(units))) {
    // Words that are searched in the hot copy are so common that the total exceeds the maximum.
    const total = condition.isHot ? MAX_COUNT : Math.min(scored[0]?.met ?? 0, MAX_COUNT);
    const ids =
      sort === undefined
        ? await listPageIds(ctx.db, condition, idsOf(scored), prepared)
        : await listSortedIds(ctx, {
            known,
            condition,
            sort,
            offset,
            limit: Math.min(limit, MAX_RESULTS - offset),
          });
    return { ids, partialIds: new Set(), total, isPartial: false, terms: [...new Set(terms)] };
  }
  const near =
    scored.length < MIN_FULL_MATCHES
      ? await listPartialMatches(ctx, fullMatches, filter)
      : idsOf(await score(matchTermParts(known, units, filter, CANDIDATES / 2)));
  const full = new Set(
    sort === undefined || condition === undefined
      ? idsOf(scored)
      : await listSortedIds(ctx, { known, condition, sort, offset: 0, limit: MAX_RESULTS }),
  );
  const found = [...full, ...new Set(near).difference(full)].slice(0, MAX_RESULTS);
  const ids = found.slice(offset, offset + limit);
  return {
    ids,
    partialIds: new Set(ids).difference(full),
    total: found.length,
    isPartial: full.size === 0 && found.length > 0,
    terms: [...new Set([...terms, ...units.flatMap((unit) => unit.parts)])],
  };
}

/** The newest matches of common words are looked for in the last months, because the hot copy may lack them. */
async function listSortedIds(
  ctx: Ctx,
  query: { known: TokenShares; condition: Condition; sort: SortOrder; offset: number; limit: number },
): Promise<string[]> {
  const { condition, sort, offset, limit } = query;
  if (!condition.isHot || sort !== 'latest') return listSortedMatches(ctx.db, query);
  const windows = RECENT_MONTHS.map((count) =>
    listMonths(new Date(Date.UTC(ctx.now.getUTCFullYear(), ctx.now.getUTCMonth() - count, 1)), ctx.now),
  );
  const { shares } = await getTokenShares(ctx, windows.at(-1) ?? []);
  const known = { ...query.known, shares: new Map([...query.known.shares, ...shares]) };
  for (const months of windows) {
    const recent = limitToMonths(known, condition, { months, wanted: offset + limit });
    const ids = recent === null ? [] : await listSortedMatches(ctx.db, { ...query, condition: recent });
    if (ids.length === limit) return ids;
  }
  return listSortedMatches(ctx.db, query);
}

const termsOf = (units: QueryUnit[]): string[] => units.map((unit) => unit.term);

/** A single word without parts has no partial matches. */
const isOneWord = (units: QueryUnit[]): boolean => units.length === 1 && units[0]?.parts.length === 0;

/** A compound such as 消息队列, whose parts an essay may contain separately. */
const isCompound = (units: QueryUnit[]): boolean => units.some((unit) => unit.parts.length > 1);

const idsOf = (found: { id: string }[]): string[] => found.map((each) => each.id);

/** Returns essays that lack a word or contain only parts of one, the best first. */
async function listPartialMatches(
  ctx: Ctx,
  { known, units: all, score }: FullMatches,
  filter: Filter,
): Promise<string[]> {
  // Words that no essay contains would make all conditions fail.
  const absent = new Set(await listAbsent(ctx, [...new Set(termsOf(all))]));
  const present = all.filter((unit) => !absent.has(unit.term) || unit.parts.length > 0);
  const units = present.length > 0 ? present : all;
  const fullMatches = matchAllTerms(known, termsOf(units), filter, CANDIDATES);
  const limit = CANDIDATES / 2;
  const near = [
    ...matchTermParts(known, units, filter, limit),
    ...(units.length > 1
      ? [...matchAllButOneTerm(known, units, filter, limit), ...matchAboutTerm(known, units, filter, limit)]
      : []),
    ...fullMatches,
  ];
  const found = near.length > fullMatches.length ? await score(near) : [];
  if (found.length >= MIN_FULL_MATCHES) return idsOf(found);
  const others = await score([...matchAnyTerm(known, units, filter, limit), ...fullMatches]);
  return [...new Set([...idsOf(found), ...idsOf(others)])];
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
