import type { Ctx } from '../../../../ctx.ts';
import { createDb, type Db } from '../../../../db/client.ts';
import { findShares, listFurther, listPresent, listScored } from '../queries/essays.ts';
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
  const { db } = ctx;
  const asked = { ...question, phrase: keyword, fresh: freshness(ctx.now) };
  const mended = await mend(db, units, keyword);
  const answer = await find(db, units, asked, mended === null);
  if (answer.total > 0 || mended === null) return { ...answer, corrected: null };
  const again = await find(db, readUnits(dictionary, mended), { ...asked, phrase: mended }, true);
  return { ...again, corrected: again.total > 0 ? mended : null };
}

interface Asked extends Question {
  phrase: string;
  fresh: number;
}

async function find(
  db: Db,
  units: Unit[],
  asked: Asked,
  mayRelax: boolean,
): Promise<Omit<Found, 'corrected'>> {
  const filter = asked.categoryId === undefined ? [] : [categoryToken(asked.categoryId)];
  const known = await findShares(db, tokensOf(units, filter));
  const terms = units.map((unit) => unit.term);
  const weights = weigh(known, units);
  const scored = (conditions: Condition[]) => listScored(db, { ...asked, conditions, weights });

  let conditions = allOf(known, terms, filter, CANDIDATES);
  let strict = await scored(conditions);
  const met = strict[0]?.met ?? 0;
  if (conditions.at(-1)?.isHot && met < CANDIDATES && isFewHot(known, met, CAP)) {
    // Common words that hardly ever stand together.
    conditions = conditions.map((each) => ({ ...each, isHot: false }));
    strict = await scored(conditions);
  }
  const question = conditions.at(-1);
  const isEnough =
    strict.length >= ENOUGH && (question?.isHot || strict.length === question?.limit || !isCompound(units));
  if (question !== undefined && (isEnough || !mayRelax)) {
    // Words so common that the copy is asked for them are in more essays than are counted.
    const total = question.isHot ? CAP : Math.min(strict[0]?.met ?? 0, CAP);
    const list = await page(db, question, idsOf(strict), asked);
    return { ids: list, total, isPartial: false, terms: [...new Set(terms)] };
  }
  // What answers the whole question comes first.
  const near =
    strict.length < ENOUGH
      ? await relaxed(known, units, filter, scored)
      : idsOf(await scored(inParts(known, units, filter, CANDIDATES / 2)));
  const found = [...new Set([...idsOf(strict), ...near])].slice(0, MOST_FOUND);
  return {
    ids: found.slice(asked.offset, asked.offset + asked.limit),
    total: found.length,
    isPartial: strict.length === 0 && found.length > 0,
    terms: [...new Set([...terms, ...units.flatMap((unit) => unit.parts)])],
  };
}

type Score = (conditions: Condition[]) => Promise<{ id: string }[]>;

/** A dictionary word made of words, such as 消息队列: an essay may have its words apart. */
const isCompound = (units: Unit[]): boolean => units.some((unit) => unit.parts.length > 1);

const idsOf = (found: { id: string }[]): string[] => found.map((each) => each.id);

/** Essays that lack a word or have the parts of one, the best first: a missing word counts nothing. */
async function relaxed(known: Shares, units: Unit[], filter: number[], scored: Score): Promise<string[]> {
  const whole = allOf(
    known,
    units.map((unit) => unit.term),
    filter,
    CANDIDATES,
  );
  const limit = CANDIDATES / 2;
  const near = [
    ...inParts(known, units, filter, limit),
    ...(units.length > 1 ? allButOne(known, units, filter, limit) : []),
    ...whole,
  ];
  const found = near.length > whole.length ? await scored(near) : [];
  if (found.length > 0) return idsOf(found);
  return idsOf(await scored([...anyOne(known, units, filter, limit), ...whole]));
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
async function mend(db: Db, units: Unit[], keyword: string): Promise<string | null> {
  const wholes = units.filter((unit) => unit.isLatin).map((unit) => unit.term);
  const parts = new Map(units.map((unit) => [unit.term, unit.parts.length > 0 ? unit.parts : [unit.term]]));
  const unknown = await listAbsent(db, wholes);
  const typed = unknown.flatMap((whole) => parts.get(whole) ?? []).filter((word) => allowance(word) > 0);
  const wrong = await listAbsent(db, typed);
  if (wrong.length === 0) return null;
  const near = await listNearWords(db, wrong.flatMap(spellingKeys));
  const chosen = new Map(wrong.map((word) => [word, chooseWords(word, near).slice(0, CHOICES)]));
  // The vocabulary only grows: some of its words are in no essay any more.
  const gone = new Set(await listAbsent(db, [...new Set([...chosen.values()].flat())]));
  const mended = keyword.replace(
    /[a-z\d]+/g,
    (word) => chosen.get(word)?.find((choice) => !gone.has(choice)) ?? word,
  );
  return mended === keyword ? null : mended;
}

/** Those of these words that no essay has. */
async function listAbsent(db: Db, words: string[]): Promise<string[]> {
  if (words.length === 0) return [];
  const { shares } = await findShares(db, words.map(plainToken));
  const rare = words.filter((word) => !shares.has(plainToken(word)));
  const present = new Set(rare.length === 0 ? [] : await listPresent(db, rare.map(plainToken)));
  return rare.filter((word) => !present.has(plainToken(word)));
}
