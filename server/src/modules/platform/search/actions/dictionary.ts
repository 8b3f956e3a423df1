import { invalidField } from '@mozhan/contract/errors.ts';
import { SEARCH_TERM } from '@mozhan/contract/search-index.ts';
import { type Ctx, inTransaction, invalidate, logChange, type Services } from '../../../../ctx.ts';
import { createDb } from '../../../../db/client.ts';
import { createLookup } from '../../../../db/lookup.ts';
import * as queries from '../queries/terms.ts';
import { normalizeSearchText } from '../rules/normalize.ts';
import { type Dictionary, extendDictionary, loadDictionary } from '../rules/segment.ts';

/** The table of the dictionary has room for them. */
const MAX_TERMS = 5000;
const MAX_LOGGED_TERMS = 20;

interface LoadedDictionary {
  version: string;
  /** A promise, so that concurrent searches load it once. */
  dictionary: Promise<Dictionary>;
}

const loaded = new WeakMap<Services, LoadedDictionary>();

const findVersion = createLookup(queries.createVersionQuery);

/** The caller may be in a transaction, so the words are read on the pool of lookups, which no transaction holds. */
async function load({ lookupPool }: Services): Promise<Dictionary> {
  const base = await loadDictionary();
  const words = await queries.listTermWords(createDb(lookupPool));
  return words.length === 0 ? base : extendDictionary(base, words);
}

/**
 * The built-in dictionary with the words of staff, which every process loads again when their version has changed. The
 * version is read before the words: they may be newer than the version, but never older.
 */
export async function getDictionary(ctx: Ctx, knownVersion?: string): Promise<Dictionary> {
  const version = knownVersion ?? (await findVersion(ctx, 'terms'));
  if (version === null) throw new Error('the version of the search terms is missing');
  const { services } = ctx;
  const current = loaded.get(services);
  if (current?.version === version) return current.dictionary;
  const dictionary = load(services);
  loaded.set(services, { version, dictionary });
  return dictionary.catch((error) => {
    if (loaded.get(services)?.dictionary === dictionary) loaded.delete(services);
    throw error;
  });
}

function toTerms(words: string[]): string[] {
  const terms = words.map((word) => normalizeSearchText(word));
  const wrong = terms.findIndex((term) => !SEARCH_TERM.test(term));
  if (wrong !== -1)
    throw invalidField('words', `「${words[wrong]}」不能添加：要是 2 到 20 个汉字，中间没有空格和标点`);
  return [...new Set(terms)];
}

export function addTerms(ctx: Ctx, given: string[]): Promise<{ created: number; known: number }> {
  const terms = toTerms(given);
  return inTransaction(ctx, async (ctx) => {
    await queries.renewTermListVersion(ctx.db);
    const created = await queries.insertTerms(ctx.db, terms, ctx.now);
    if (created.length === 0)
      throw invalidField(
        'words',
        given.length === 1 ? `「${given[0]}」已经在词典里` : '这些词都已经在词典里',
      );
    if ((await queries.termRows.count(ctx.db)) > MAX_TERMS)
      throw invalidField('words', `搜索词典最多添加 ${MAX_TERMS} 个词`);
    const counts = { created: created.length, known: given.length - created.length };
    invalidate(ctx, 'essays');
    logChange(ctx, 'search-term', null, { ...counts, terms: created.slice(0, MAX_LOGGED_TERMS) });
    return counts;
  });
}

export function removeTerm(ctx: Ctx, id: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    await queries.renewTermListVersion(ctx.db);
    const { word } = await queries.termRows.get(ctx.db, id);
    await queries.termRows.remove(ctx.db, id);
    invalidate(ctx, 'essays');
    logChange(ctx, `search-term:${id}`, { name: word }, null);
  });
}
