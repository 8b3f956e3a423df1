import { setImmediate } from 'node:timers/promises';
import type { Ctx } from '../../../../ctx.ts';
import { createLookup } from '../../../../db/lookup.ts';
import { countTokens, listIndexedTokens } from '../queries/essays.ts';
import { createSearchStartQuery, type SearchStart } from '../queries/names.ts';
import { listSimilarWords } from '../queries/words.ts';
import { normalizeSearchText, translateTraditional } from '../rules/normalize.ts';
import { isPinyin, loadReadings, type Readings } from '../rules/pinyin.ts';
import {
  correctChinese,
  groupBySpelling,
  indexVocabulary,
  listChineseParts,
  listPinyinParts,
  MAX_CHINESE_LENGTH,
  MAX_PINYIN_LENGTH,
  readPinyin,
  type VocabularyIndex,
  type WordsBySpelling,
} from '../rules/rewrite.ts';
import { type Dictionary, isHan, logProbabilityOf } from '../rules/segment.ts';
import { chineseKeys, maxDistance, pinyinKey, rankCorrections, spellingKeys } from '../rules/spelling.ts';
import { plainToken, type QueryUnit, strongToken, titleToken } from '../rules/tokens.ts';
import { getTokenShares } from './share-cache.ts';

export interface Rewrite {
  keyword: string;
  /** Used only if essays have every word of it, because it may be far from what was meant. */
  needsFullMatch: boolean;
}

/** Parts of a query that are rewritten, and what lies between them. */
const RUNS = /[a-z\dü]+|[\u4e00-\u9fff]+|[^a-z\dü\u4e00-\u9fff]+/g;
const isLatinRun = (run: string): boolean => /^[a-z\dü]/.test(run);
const isChineseRun = (run: string): boolean => isHan(run.charCodeAt(0));

const MAX_CORRECTIONS = 3;
/** Further parts of a long query are left as they are. */
const MAX_WRONG_PIECES = 8;
const MAX_READINGS = 3;
/** Words with the same pinyin that are compared by how many essays contain them. */
const MAX_HOMOPHONES = 12;
const MAX_COMPARED_WORDS = 60;
/** With more essays, the sample tells how common a word is, because counting would take too long. */
const MAX_COUNTED_ESSAYS = 5000;

const findStart = createLookup(createSearchStartQuery);

/** Returns the version of the dictionary, and the names of writers, tags and columns that the keyword is. */
export async function getSearchStart(ctx: Ctx, keyword: string): Promise<SearchStart> {
  const start = await findStart(ctx, toNameForm(keyword));
  if (start === null) throw new Error('the version of the search terms is missing');
  return start;
}

export const findWholeNames = async (ctx: Ctx, keyword: string): Promise<string[]> =>
  (await getSearchStart(ctx, keyword)).names;

/** How names are stored: normalised and without spaces. PostgreSQL has no lone surrogates. */
export const toNameForm = (keyword: string): string =>
  normalizeSearchText(keyword).replace(/\s+/g, '').slice(0, 40).toWellFormed();

/** Lists other ways to write a query that no essay matches, the most likely first. */
export async function listRewrites(
  ctx: Ctx,
  dictionary: Dictionary,
  query: { typed: string; keyword: string; units: QueryUnit[] },
): Promise<Rewrite[]> {
  const { typed, keyword, units } = query;
  const translated = translateTraditional(typed);
  const corrected = await correctWords(ctx, dictionary, keyword, units);
  const joined = keyword.replace(/(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])/g, '');
  const rewrites = [
    ...(translated === null ? [] : [{ keyword: translated.trim(), needsFullMatch: false }]),
    ...corrected,
    { keyword: joined, needsFullMatch: true },
  ];
  return rewrites.filter((each) => each.keyword !== keyword && each.keyword !== '');
}

async function correctWords(
  ctx: Ctx,
  dictionary: Dictionary,
  keyword: string,
  units: QueryUnit[],
): Promise<Rewrite[]> {
  const readings = await loadReadings();
  const runs = keyword.match(RUNS) ?? [];
  const latin = [...new Set(runs.filter(isLatinRun))];
  // Two words may be one that was typed with a space: java script.
  const pairs = runs.flatMap((run, at) =>
    isLatinRun(run) && runs[at + 1]?.trim() === '' ? [run + (runs[at + 2] ?? '')] : [],
  );
  const terms = [...units.flatMap((unit) => [unit.term, ...unit.parts]), ...latin, ...pairs];
  const absent = new Set(await listAbsent(ctx, [...new Set(terms)]));
  const joined = joinPieces(readings, runs, absent, pairs);
  const wrong = new Set(joined.filter((piece) => piece.isWrong).slice(0, MAX_WRONG_PIECES));
  const pieces = joined.map((piece) => ({ ...piece, isWrong: wrong.has(piece) }));
  const names = await Promise.all(
    pieces.map((piece) => (piece.isWrong ? findWholeNames(ctx, piece.text) : null)),
  );
  const words = await findVocabulary(ctx, readings, pieces, absent);
  const worth = await compareWords(ctx, dictionary, words.chinese);
  const sources = createSources({ readings, dictionary, absent, words, worth });
  const choices: string[][] = [];
  for (const [at, piece] of pieces.entries()) {
    choices.push(piece.isWrong ? listChoices(sources, piece, names[at] ?? []) : [piece.text]);
    if (piece.isWrong) await setImmediate();
  }
  const isChinese = pieces.some((piece) => piece.isWrong && isChineseRun(piece.text));
  return combine(choices).map((keyword) => ({ keyword, needsFullMatch: isChinese }));
}

interface Piece {
  text: string;
  isWrong: boolean;
}

/** Joins pinyin that was typed with spaces, and pairs of Latin words that essays contain as one word. */
function joinPieces(
  readings: Readings,
  runs: string[],
  absent: ReadonlySet<string>,
  pairs: string[],
): Piece[] {
  const known = new Set(pairs.filter((pair) => !absent.has(pair)));
  const couldBePinyin = (run: string) =>
    isLatinRun(run) && absent.has(run) && isPinyin(readings, toPinyin(run));
  const pieces: Piece[] = [];
  for (let at = 0; at < runs.length; at++) {
    let text = runs[at] ?? '';
    if (isLatinRun(text) && runs[at + 1]?.trim() === '' && known.has(text + (runs[at + 2] ?? ''))) {
      pieces.push({ text: text + (runs[at + 2] ?? ''), isWrong: false });
      at += 2;
    } else if (isLatinRun(text)) {
      while (couldBePinyin(text) && runs[at + 1]?.trim() === '' && couldBePinyin(runs[at + 2] ?? '')) {
        text += runs[at + 2] ?? '';
        at += 2;
      }
      pieces.push({ text, isWrong: text !== runs[at] || absent.has(text) });
    } else
      pieces.push({ text, isWrong: isChineseRun(text) && [...absent].some((term) => text.includes(term)) });
  }
  return pieces;
}

const toPinyin = (run: string): string => run.replaceAll('ü', 'v');

interface Vocabulary {
  /** The corrections of each wrong Latin word, the most likely first. */
  latin: Map<string, string[]>;
  chinese: string[];
}

async function findVocabulary(
  ctx: Ctx,
  readings: Readings,
  pieces: Piece[],
  absent: ReadonlySet<string>,
): Promise<Vocabulary> {
  const wrong = pieces.filter((piece) => piece.isWrong).map((piece) => piece.text);
  const latin = wrong.filter(isLatinRun);
  const keys = new Set([
    ...latin.filter((word) => maxDistance(word) > 0 && absent.has(word)).flatMap(spellingKeys),
    ...latin.flatMap((word) =>
      listPinyinParts(readings, toPinyin(word).slice(0, MAX_PINYIN_LENGTH)).map(pinyinKey),
    ),
    ...wrong
      .filter(isChineseRun)
      .flatMap((text) => listChineseParts(text.slice(0, MAX_CHINESE_LENGTH)))
      .flatMap((part) => chineseKeys(readings, part)),
  ]);
  const found = keys.size === 0 ? [] : await listSimilarWords(ctx.db, [...keys]);
  const similar = found.filter(({ word }) => !isChineseRun(word));
  const likely = new Map<string, string[]>();
  for (const word of latin) {
    likely.set(word, absent.has(word) ? rankCorrections(word, similar).slice(0, MAX_CORRECTIONS) : []);
    // Comparing one word with all of them takes some milliseconds.
    await setImmediate();
  }
  // The vocabulary only grows, so some of its words are no longer in any essay.
  const gone = new Set(await listAbsent(ctx, [...new Set([...likely.values()].flat())]));
  return {
    latin: new Map(
      [...likely].map(([word, choices]) => [word, choices.filter((choice) => !gone.has(choice))]),
    ),
    chinese: found.map(({ word }) => word).filter(isChineseRun),
  };
}

/** Returns how likely a word is meant, from 0 to 8: by the essays about it, then by those that contain it. */
async function compareWords(
  ctx: Ctx,
  dictionary: Dictionary,
  words: string[],
): Promise<(word: string) => number> {
  const compared = words
    .map((word) => ({ word, likelihood: logProbabilityOf(dictionary, word) }))
    .toSorted((a, b) => b.likelihood - a.likelihood)
    .slice(0, MAX_COMPARED_WORDS)
    .map(({ word }) => word);
  const tokens = compared.flatMap((word) => [plainToken(word), strongToken(word), titleToken(word)]);
  if (tokens.length === 0) return () => 0;
  const { essays, shares } = await getTokenShares(ctx, tokens);
  const counts =
    essays > MAX_COUNTED_ESSAYS
      ? new Map([...shares].map(([token, share]) => [token, share * essays]))
      : await countTokens(ctx.db, tokens);
  const countOf = (token: number) => counts.get(token) ?? 0;
  return (word) => {
    const about = countOf(strongToken(word)) + 2 * countOf(titleToken(word));
    return Math.min(8, Math.log(1 + about) + 0.3 * Math.log(1 + countOf(plainToken(word))));
  };
}

interface WordSources {
  readings: Readings;
  dictionary: Dictionary;
  absent: ReadonlySet<string>;
  words: Vocabulary;
  worth: (word: string) => number;
}

interface IndexedSources extends WordSources {
  index: () => VocabularyIndex;
  bySpelling: () => WordsBySpelling;
}

/** Orders the vocabulary once for all pieces: doing it for each would block the process. */
function createSources(sources: WordSources): IndexedSources {
  const { readings, dictionary, words, worth } = sources;
  const likelihood = (word: string) => worth(word) + logProbabilityOf(dictionary, word) / 100;
  return {
    ...sources,
    index: once(() => indexVocabulary(readings, words.chinese)),
    bySpelling: once(
      () =>
        new Map(
          [...groupBySpelling(readings, words.chinese)].map(([spelling, group]) => [
            spelling,
            group.toSorted((a, b) => likelihood(b) - likelihood(a)).slice(0, MAX_HOMOPHONES),
          ]),
        ),
    ),
  };
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Returns what the piece may have been meant to be, the most likely first; the piece itself if nothing is found. */
function listChoices(sources: IndexedSources, { text }: Piece, names: readonly string[]): string[] {
  const { absent, words, index } = sources;
  if (isChineseRun(text)) return [correctChinese(sources, text, index(), absent) ?? text];
  const byName = names.map((name) => normalizeSearchText(name).trim()).filter((name) => name !== text);
  const corrected = words.latin.get(text) ?? [];
  const choices = [...new Set([...byName.slice(0, 1), ...readAsChinese(sources, text), ...corrected])];
  return choices.length === 0 ? [text] : choices;
}

function readAsChinese({ readings, worth, bySpelling }: IndexedSources, text: string): string[] {
  const typed = toPinyin(text).slice(0, MAX_PINYIN_LENGTH);
  if (!isPinyin(readings, typed)) return [];
  const choices = readPinyin(readings, typed, bySpelling(), worth);
  return choices === null ? [] : combine(choices).slice(0, MAX_READINGS);
}

/** The first choices together, then with one of them replaced by its second or third choice. */
function combine(choices: readonly (readonly string[])[]): string[] {
  const first = choices.map((each) => each[0] ?? '');
  const others = [1, 2].flatMap((rank) =>
    choices.flatMap((each, at) => {
      const other = each[rank];
      return other === undefined ? [] : [first.with(at, other)];
    }),
  );
  return [first, ...others].map((parts) => parts.join('')).slice(0, MAX_READINGS);
}

/** Returns the words that no essay contains. */
export async function listAbsent(ctx: Ctx, words: string[]): Promise<string[]> {
  if (words.length === 0) return [];
  const { shares } = await getTokenShares(ctx, words.map(plainToken));
  const rare = words.filter((word) => !shares.has(plainToken(word)));
  const present = new Set(rare.length === 0 ? [] : await listIndexedTokens(ctx.db, rare.map(plainToken)));
  return rare.filter((word) => !present.has(plainToken(word)));
}
