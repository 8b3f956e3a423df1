import type { Ctx } from '../../../../ctx.ts';
import { createDb, type Db } from '../../../../db/client.ts';
import { listFurther, listPresent, listScored, type Scored } from '../queries/essays.ts';
import { listNearWords } from '../queries/words.ts';
import { fold } from '../rules/fold.ts';
import {
  allButOne,
  allOf,
  anyOne,
  type Condition,
  freshness,
  inParts,
  isFewHot,
  type Shares,
  tokensOf,
  weigh,
} from '../rules/plan.ts';
import { loadDictionary } from '../rules/segment.ts';
import { allowance, chooseWords, spellingKeys } from '../rules/spelling.ts';
import { categoryToken, plainToken, readUnits, type Unit } from '../rules/tokens.ts';
import { knownShares } from './known-shares.ts';

export interface Question {
  keyword: string;
  categoryId?: string | undefined;
  offset: number;
  limit: number;
}

export interface Found {
  ids: string[];
  /** Exact up to a thousand; more than that is 1001. */
  total: number;
  /** No essay has every word of the question; these have some. */
  isPartial: boolean;
  /** What to mark. */
  terms: string[];
  /** The question with its typing errors mended, when only that found something. */
  corrected: string | null;
}

export const MOST_FOUND = 1000;
const CAP = MOST_FOUND + 1;
const LONGEST = 100;
/** From each condition. */
const CANDIDATES = 60;
/** Words that one misspelt word may have been meant for. */
const CHOICES = 3;
/** With fewer than this, what answers the question in part is of use. */
const ENOUGH = 10;

/** One connection for all that a search reads: whoever gets none does not begin. */
export async function onSearchConnection<T>(ctx: Ctx, run: (ctx: Ctx) => Promise<T>): Promise<T> {
  const client = await ctx.services.searches.connect();
  try {
    return await run({ ...ctx, db: createDb(client) });
  } finally {
    client.release();
  }
}

export async function searchEssays(ctx: Ctx, question: Question): Promise<Found> {
  const dictionary = await loadDictionary();
  const keyword = fold(question.keyword.slice(0, LONGEST)).trim();
  const units = readUnits(dictionary, keyword);
  if (units.length === 0) return { ids: [], total: 0, isPartial: false, terms: [], corrected: null };
  const asked = { ...question, phrase: keyword, fresh: freshness(ctx.now) };
  const whole = await findWhole(ctx, units, asked);
  // An essay that has every word shows that none of them is a typing error.
  const mended = whole.scored.length === 0 ? await mend(ctx, units, keyword) : null;
  if (mended === null) return { ...(await complete(ctx, whole, asked)), corrected: null };
  const again = { ...asked, phrase: mended };
  const found = await complete(ctx, await findWhole(ctx, readUnits(dictionary, mended), again), again);
  return { ...found, corrected: found.total > 0 ? mended : null };
}

interface Asked extends Question {
  phrase: string;
  fresh: number;
}

/** Essays that have every word of the question. */
interface Whole {
  units: Unit[];
  known: Shares;
  filter: number[];
  score: (conditions: Condition[]) => Promise<Scored[]>;
  scored: Scored[];
  /** What they were chosen by; none for a question without words. */
  condition: Condition | undefined;
}

async function findWhole(ctx: Ctx, units: Unit[], asked: Asked): Promise<Whole> {
  const filter = asked.categoryId === undefined ? [] : [categoryToken(asked.categoryId)];
  const known = await knownShares(ctx, tokensOf(units, filter));
  const weights = weigh(known, units);
  const score = (conditions: Condition[], isNested = false) =>
    listScored(ctx.db, { ...asked, conditions, weights, isNested });

  let conditions = allOf(known, termsOf(units), filter, CANDIDATES);
  let scored = await score(conditions, true);
  const met = scored[0]?.met ?? 0;
  if (conditions.at(-1)?.isHot && met < CANDIDATES && isFewHot(known, met, CAP)) {
    // Common words that hardly ever stand together.
    conditions = conditions.map((each) => ({ ...each, isHot: false }));
    scored = await score(conditions, true);
  }
  return { units, known, filter, score, scored, condition: conditions.at(-1) };
}

/** The page that was asked for, with essays that answer in part where hardly any has every word. */
async function complete(ctx: Ctx, whole: Whole, asked: Asked): Promise<Omit<Found, 'corrected'>> {
  const { units, known, filter, score, scored, condition } = whole;
  const terms = termsOf(units);
  const isEnough =
    scored.length >= ENOUGH && (condition?.isHot || scored.length === condition?.limit || !isCompound(units));
  if (condition !== undefined && (isEnough || isOneWord(units))) {
    // Words so common that the copy is asked for them are in more essays than are counted.
    const total = condition.isHot ? CAP : Math.min(scored[0]?.met ?? 0, CAP);
    const list = await page(ctx.db, condition, idsOf(scored), asked);
    return { ids: list, total, isPartial: false, terms: [...new Set(terms)] };
  }
  // What answers the whole question comes first.
  const near =
    scored.length < ENOUGH
      ? await relaxed(whole)
      : idsOf(await score(inParts(known, units, filter, CANDIDATES / 2)));
  const found = [...new Set([...idsOf(scored), ...near])].slice(0, MOST_FOUND);
  return {
    ids: found.slice(asked.offset, asked.offset + asked.limit),
    total: found.length,
    isPartial: scored.length === 0 && found.length > 0,
    terms: [...new Set([...terms, ...units.flatMap((unit) => unit.parts)])],
  };
}

const termsOf = (units: Unit[]): string[] => units.map((unit) => unit.term);

/** A word without parts: no essay answers it in part. */
const isOneWord = (units: Unit[]): boolean => units.length === 1 && units[0]?.parts.length === 0;

/** A dictionary word made of words, such as 消息队列: an essay may have its words apart. */
const isCompound = (units: Unit[]): boolean => units.some((unit) => unit.parts.length > 1);

const idsOf = (found: { id: string }[]): string[] => found.map((each) => each.id);

/** Essays that lack a word or have the parts of one, the best first: a missing word counts nothing. */
async function relaxed({ known, units, filter, score }: Whole): Promise<string[]> {
  const whole = allOf(known, termsOf(units), filter, CANDIDATES);
  const limit = CANDIDATES / 2;
  const near = [
    ...inParts(known, units, filter, limit),
    ...(units.length > 1 ? allButOne(known, units, filter, limit) : []),
    ...whole,
  ];
  const found = near.length > whole.length ? await score(near) : [];
  if (found.length > 0) return idsOf(found);
  return idsOf(await score([...anyOne(known, units, filter, limit), ...whole]));
}

/** Those that were scored, and behind them the others. */
async function page(db: Db, condition: Condition, scored: string[], asked: Asked): Promise<string[]> {
  const end = Math.min(asked.offset + asked.limit, MOST_FOUND);
  const first = scored.slice(asked.offset, end);
  const missing = end - Math.max(asked.offset, scored.length);
  if (missing <= 0 || scored.length < condition.limit) return first;
  const offset = Math.max(0, asked.offset - scored.length);
  return [...first, ...(await listFurther(db, { condition, without: scored, offset, limit: missing }))];
}

/** The keyword with every Latin word that no essay has replaced by the word that was probably meant. */
async function mend(ctx: Ctx, units: Unit[], keyword: string): Promise<string | null> {
  const wholes = units.filter((unit) => unit.isLatin).map((unit) => unit.term);
  const parts = new Map(units.map((unit) => [unit.term, unit.parts.length > 0 ? unit.parts : [unit.term]]));
  const unknown = await listAbsent(ctx, wholes);
  const typed = unknown.flatMap((whole) => parts.get(whole) ?? []).filter((word) => allowance(word) > 0);
  const wrong = await listAbsent(ctx, typed);
  if (wrong.length === 0) return null;
  const near = await listNearWords(ctx.db, wrong.flatMap(spellingKeys));
  const chosen = new Map(wrong.map((word) => [word, chooseWords(word, near).slice(0, CHOICES)]));
  // The vocabulary only grows: some of its words are in no essay any more.
  const gone = new Set(await listAbsent(ctx, [...new Set([...chosen.values()].flat())]));
  const mended = keyword.replace(
    /[a-z\d]+/g,
    (word) => chosen.get(word)?.find((choice) => !gone.has(choice)) ?? word,
  );
  return mended === keyword ? null : mended;
}

/** Those of these words that no essay has. */
async function listAbsent(ctx: Ctx, words: string[]): Promise<string[]> {
  if (words.length === 0) return [];
  const { shares } = await knownShares(ctx, words.map(plainToken));
  const rare = words.filter((word) => !shares.has(plainToken(word)));
  const present = new Set(rare.length === 0 ? [] : await listPresent(ctx.db, rare.map(plainToken)));
  return rare.filter((word) => !present.has(plainToken(word)));
}
