import type { Ctx } from '../../../ctx.ts';
import type { Db } from '../../../db/client.ts';
import { findShares, listFurther, listScored, readWithIndex } from '../queries/essays.ts';
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
import { allowance, chooseWord, spellingKeys } from '../rules/spelling.ts';
import { categoryToken, readUnits, type Unit } from '../rules/tokens.ts';

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
/** With fewer than this, what answers the question in part is of use. */
const ENOUGH = 10;

export async function searchEssays(ctx: Ctx, question: Question): Promise<Found> {
  const dictionary = await loadDictionary();
  const keyword = fold(question.keyword.slice(0, LONGEST)).trim();
  const units = readUnits(dictionary, keyword);
  if (units.length === 0) return { ids: [], total: 0, terms: [], corrected: null };
  return await readWithIndex(ctx.db, async (db) => {
    const asked = { ...question, phrase: keyword, fresh: freshness(ctx.now) };
    const mended = await mend(db, units, keyword);
    const answer = await find(db, units, asked, mended === null);
    if (answer.total > 0 || mended === null) return { ...answer, corrected: null };
    const again = await find(db, readUnits(dictionary, mended), { ...asked, phrase: mended }, true);
    return { ...again, corrected: again.total > 0 ? mended : null };
  });
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
  if (question !== undefined && (strict.length >= ENOUGH || !mayRelax)) {
    const ids = strict.map((each) => each.id);
    // Words so common that the copy is asked for them are in more essays than are counted.
    const total = question.isHot ? CAP : Math.min(strict[0]?.met ?? 0, CAP);
    return { ids: await page(db, question, ids, asked), total, terms: [...new Set(terms)] };
  }
  const ids = (await relaxed(known, units, filter, scored)).slice(0, MOST_FOUND);
  const found = ids.length > strict.length ? ids : strict.map((each) => each.id);
  return {
    ids: found.slice(asked.offset, asked.offset + asked.limit),
    total: found.length,
    terms: [...new Set([...terms, ...units.flatMap((unit) => unit.parts)])],
  };
}

/** What answers the whole question still comes first: every word that is missing counts nothing. */
async function relaxed(
  known: Shares,
  units: Unit[],
  filter: number[],
  scored: (conditions: Condition[]) => Promise<{ id: string }[]>,
): Promise<string[]> {
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
  if (found.length > 0) return found.map((each) => each.id);
  return (await scored([...anyOne(known, units, filter, limit), ...whole])).map((each) => each.id);
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

/** The keyword with every Latin word that nobody uses as the word it was probably meant to be. */
async function mend(db: Db, units: Unit[], keyword: string): Promise<string | null> {
  const typed = units.filter((unit) => unit.isLatin && allowance(unit.term) > 0).map((unit) => unit.term);
  if (typed.length === 0) return null;
  const near = await listNearWords(db, typed, typed.flatMap(spellingKeys));
  const used = new Set(near.map((each) => each.word));
  const mended = typed
    .filter((word) => !used.has(word))
    .reduce((text, word) => text.replaceAll(word, chooseWord(word, near) ?? word), keyword);
  return mended === keyword ? null : mended;
}
