import { setImmediate } from 'node:timers/promises';
import { type Ctx, inTransaction } from '../../../../ctx.ts';
import { createDb } from '../../../../db/client.ts';
import { findTokenShares, listIndexedTokens, listTitlesByPrefix } from '../queries/essays.ts';
import { listNames, type NameKind, removeForms, replaceForms } from '../queries/names.ts';
import { listWordsByPrefix } from '../queries/words.ts';
import { buildNameForms } from '../rules/name-forms.ts';
import { normalizeSearchText } from '../rules/normalize.ts';
import { plainToken } from '../rules/tokens.ts';
import { listAbsent, toNameForm } from './rewrite-keyword.ts';

const MAX_NAME_LENGTH = 40;

interface Name {
  id: string;
  name: string;
  weight: number;
}

/**
 * Makes users or tags searchable by any part of the name, traditional characters, full pinyin and initials. Entries of
 * `ids` without a name in `names` are removed from the index.
 */
export async function indexNames(ctx: Ctx, kind: NameKind, ids: string[], names: Name[]): Promise<void> {
  const forms: Parameters<typeof replaceForms>[3] = [];
  for (const { id, name, weight } of names) {
    for (const { form, isWhole } of await buildNameForms(name))
      forms.push({ id, form, name, isWhole, weight });
    // Yields to the event loop: a name takes up to half a millisecond, and there may be hundreds.
    await setImmediate();
  }
  await inTransaction(ctx, (ctx) => replaceForms(ctx.db, kind, ids, forms));
}

export const indexName = (ctx: Ctx, { kind, ...name }: Name & { kind: NameKind }): Promise<void> =>
  indexNames(ctx, kind, [name.id], [name]);

export const unindexName = (ctx: Ctx, kind: NameKind, id: string): Promise<void> =>
  removeForms(ctx.db, kind, id);

/** Returns ids, the best match first. */
export async function findNames(ctx: Ctx, kind: NameKind, keyword: string, limit: number): Promise<string[]> {
  const form = toNameForm(keyword);
  if (form === '') return [];
  const found = await listNames(ctx.db, { kind, form, limit });
  return found.map((each) => each.id);
}

/** More than needed, because some words of the vocabulary are no longer in any essay. */
const CANDIDATES = 50;
/** A word that this many essays contained at the last count is assumed to exist, which saves a slow lookup. */
const CERTAIN_COUNT = 1000;

async function findWords({ services }: Ctx, beginning: string, limit: number): Promise<string[]> {
  const db = createDb(services.searchPool);
  const words = await listWordsByPrefix(db, beginning, CANDIDATES);
  if (words.length === 0) return [];
  const tokens = words.map(plainToken);
  const { essays, shares } = await findTokenShares(db, tokens);
  const isCertain = (token: number) => (shares.get(token) ?? 0) * essays >= CERTAIN_COUNT;
  const uncertain = tokens.filter((token) => !isCertain(token));
  const present = new Set(uncertain.length === 0 ? [] : await listIndexedTokens(db, uncertain));
  return words.filter((word) => isCertain(plainToken(word)) || present.has(plainToken(word))).slice(0, limit);
}

/** Completes the last word of typed text if it is the beginning of a Latin word that essays contain. */
async function completeWord(ctx: Ctx, typed: string): Promise<string> {
  const [last] = /(?<![a-z\d])[a-z][a-z\d]+$/.exec(typed) ?? [];
  if (last === undefined || (await listAbsent(ctx, [last])).length === 0) return typed;
  const [word] = await findWords(ctx, last, 1);
  return word === undefined ? typed : typed.slice(0, -last.length) + word;
}

/** Finds essays whose title begins with the typed text, and what to search for with an unfinished word. */
export async function findTitles(
  ctx: Ctx,
  typed: string,
  limit: number,
): Promise<{ titled: string[]; completed: string }> {
  const normalized = normalizeSearchText(typed).trim();
  const titles = await listTitlesByPrefix(ctx.db, normalized, limit);
  return { titled: titles.map((each) => each.id), completed: await completeWord(ctx, normalized) };
}

/** Returns suggestions for typed text, which is not among them: tags, then titles, then Latin words. */
export async function suggestSearchTerms(ctx: Ctx, prefix: string, limit = 8): Promise<string[]> {
  const form = toNameForm(prefix);
  if (form === '') return [];
  const typed = normalizeSearchText(prefix).trimStart().slice(0, MAX_NAME_LENGTH);
  const isLatin = /^[a-z][a-z\d]+$/.test(form);
  const [tags, titles, words] = await Promise.all([
    listNames(ctx.db, { kind: 'tag', form, limit }),
    listTitlesByPrefix(ctx.db, typed, limit),
    isLatin ? findWords(ctx, form, limit) : [],
  ]);
  const seen = new Set([typed.trimEnd()]);
  return [...tags.map((tag) => tag.name), ...titles.map((each) => each.title), ...words]
    .filter((text) => {
      const normalized = normalizeSearchText(text);
      if (seen.has(normalized)) return false;
      seen.add(normalized);
      return true;
    })
    .slice(0, limit);
}
