import { setImmediate } from 'node:timers/promises';
import { type Ctx, inTx } from '../../../../ctx.ts';
import { createDb } from '../../../../db/client.ts';
import { literally } from '../../../../db/keyword.ts';
import { findShares, listPresent, listTitles } from '../queries/essays.ts';
import { listNames, type NameKind, removeForms, replaceForms } from '../queries/names.ts';
import { listWords } from '../queries/words.ts';
import { fold } from '../rules/fold.ts';
import { readForms } from '../rules/forms.ts';
import { plainToken } from '../rules/tokens.ts';

const LONGEST = 40;

/** `fold` leaves no character that would mean something to the database but these. */
const beginningWith = (text: string): string => `${literally(text)}%`;
const readForm = (keyword: string): string => fold(keyword).trim().replace(/\s+/g, '').slice(0, LONGEST);

interface Name {
  id: string;
  name: string;
  weight: number;
}

/**
 * People and tags, findable by any part of the name, traditional characters, full pinyin and initials. Those of `ids`
 * that have no name are no longer found.
 */
export async function indexNames(ctx: Ctx, kind: NameKind, ids: string[], names: Name[]): Promise<void> {
  const forms: Parameters<typeof replaceForms>[3] = [];
  for (const { id, name, weight } of names) {
    for (const { form, isWhole } of await readForms(name)) forms.push({ id, form, name, isWhole, weight });
    // A name takes up to half a millisecond, and there may be hundreds.
    await setImmediate();
  }
  await inTx(ctx, (ctx) => replaceForms(ctx.db, kind, ids, forms));
}

export const indexName = (ctx: Ctx, { kind, ...name }: Name & { kind: NameKind }): Promise<void> =>
  indexNames(ctx, kind, [name.id], [name]);

export const unindexName = (ctx: Ctx, kind: NameKind, id: string): Promise<void> =>
  removeForms(ctx.db, kind, id);

/** Ids, the best first. */
export async function findNames(ctx: Ctx, kind: NameKind, keyword: string, limit: number): Promise<string[]> {
  const form = readForm(keyword);
  if (form === '') return [];
  const found = await listNames(ctx.db, { kind, form, beginning: beginningWith(form), limit });
  return found.map((each) => each.id);
}

/** Words are only ever added: of these some may have left with their essays. */
const CANDIDATES = 50;
/** What so many essays had when they were last counted, one still has; looking them all up takes a while. */
const SURELY = 1000;

async function findWords({ services }: Ctx, beginning: string, limit: number): Promise<string[]> {
  const db = createDb(services.searches);
  const words = await listWords(db, beginning, CANDIDATES);
  if (words.length === 0) return [];
  const tokens = words.map(plainToken);
  const { essays, shares } = await findShares(db, tokens);
  const isSure = (token: number) => (shares.get(token) ?? 0) * essays >= SURELY;
  const unsure = tokens.filter((token) => !isSure(token));
  const present = new Set(unsure.length === 0 ? [] : await listPresent(db, unsure));
  return words.filter((word) => isSure(plainToken(word)) || present.has(plainToken(word))).slice(0, limit);
}

/** While someone types: tags, then titles, then Latin words. */
export async function suggest(ctx: Ctx, prefix: string, limit = 8): Promise<string[]> {
  const form = readForm(prefix);
  if (form === '') return [];
  const typed = fold(prefix).trimStart().slice(0, LONGEST);
  const isLatin = /^[a-z][a-z\d]+$/.test(form);
  const [tags, titles, words] = await Promise.all([
    listNames(ctx.db, { kind: 'tag', form, beginning: beginningWith(form), limit }),
    listTitles(ctx.db, beginningWith(typed), limit),
    isLatin ? findWords(ctx, beginningWith(form), limit) : [],
  ]);
  const seen = new Set<string>();
  return [...tags.map((tag) => tag.name), ...titles, ...words]
    .filter((text) => {
      const folded = fold(text);
      if (seen.has(folded)) return false;
      seen.add(folded);
      return true;
    })
    .slice(0, limit);
}
