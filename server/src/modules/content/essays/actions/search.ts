import { setImmediate } from 'node:timers/promises';
import { invalidField } from '@mozhan/contract/errors.ts';
import type { SearchOptions } from '@mozhan/contract/essays.ts';
import type { Ctx } from '../../../../ctx.ts';
import { createLookup } from '../../../../db/lookup.ts';
import { recordSearch } from '../../../accounts/activity/index.ts';
import {
  createExcerpt,
  MAX_RESULTS,
  normalizeSearchText,
  type SearchFilter,
  searchEssays,
  toSearchCtx,
} from '../../../platform/search/index.ts';
import {
  createPublicTextQuery,
  createSearchResultQuery,
  type SearchResultRow,
} from '../queries/search-results.ts';
import { resolveTagAliases } from '../queries/tags.ts';
import { toCards } from './read.ts';

interface NormalizedText {
  rowVersion: string;
  text: string;
  normalized: string;
}

/** About 8 MB of memory. */
const MAX_CACHED_CHARACTERS = 2_000_000;
/** LRU cache of recently found texts, because reading and normalizing them is the largest cost of a search. */
const textCache = new Map<string, NormalizedText>();
let cachedCharacters = 0;

function cacheText(id: string, text: NormalizedText): void {
  cachedCharacters += text.text.length - (textCache.get(id)?.text.length ?? 0);
  textCache.delete(id);
  textCache.set(id, text);
  for (const [oldest, { text }] of textCache) {
    if (cachedCharacters <= MAX_CACHED_CHARACTERS) break;
    textCache.delete(oldest);
    cachedCharacters -= text.length;
  }
}

const findResultRow = createLookup((db) => {
  const list = createSearchResultQuery(db);
  return async (ids) => new Map((await list(ids)).map((row) => [row.essay.id, row]));
});

const findText = createLookup((db) => {
  const list = createPublicTextQuery(db);
  return async (ids) => new Map((await list(ids)).map((row) => [row.id, row]));
});

const NO_TEXT: NormalizedText = { rowVersion: '', text: '', normalized: '' };

type FoundText = Omit<NormalizedText, 'normalized'> & { normalized?: string };

async function readText(ctx: Ctx, { essay: { id }, rowVersion }: SearchResultRow): Promise<FoundText> {
  if (rowVersion === null) return NO_TEXT;
  const known = textCache.get(id);
  return known?.rowVersion === rowVersion ? known : ((await findText(ctx, id)) ?? NO_TEXT);
}

function normalizeText(id: string, found: FoundText): NormalizedText {
  if (found === NO_TEXT) return NO_TEXT;
  const { rowVersion, text, normalized = normalizeSearchText(text) } = found;
  const result = { rowVersion, text, normalized };
  cacheText(id, result);
  return result;
}

/** Keeps the order of the ids and omits essays that have left the shelf. */
async function listFound(ctx: Ctx, ids: string[]) {
  const rows = await Promise.all(ids.map((id) => findResultRow(ctx, id)));
  return Promise.all(
    rows.filter((row) => row !== null).map(async (row) => ({ row, found: await readText(ctx, row) })),
  );
}

interface SearchResult {
  row: SearchResultRow;
  text: NormalizedText;
}

/** After this time a loop over long texts yields to other requests. */
const SLICE_MS = 5;

function createYield(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since <= SLICE_MS) return;
    await setImmediate();
    since = performance.now();
  };
}

interface SearchQuery extends SearchOptions {
  keyword: string;
  categoryId: string | null;
  authorId?: string | undefined;
  columnId?: string | undefined;
  tag?: string | undefined;
  page: number;
  pageSize: number;
  cursor?: string | undefined;
}

const DAY_MS = 86_400_000;
const sinceDays = { week: 7, month: 31, year: 366 } as const;

async function toFilter(ctx: Ctx, query: SearchQuery): Promise<SearchFilter | null> {
  const { categoryId, authorId, columnId, price, since } = query;
  // A tag that was removed has no essays; one that was renamed is indexed by its new name.
  const [tag] = query.tag === undefined ? [] : await resolveTagAliases(ctx.db, [query.tag]);
  if (query.tag !== undefined && tag === undefined) return null;
  return {
    categoryId: categoryId ?? undefined,
    authorId,
    columnId,
    tag,
    isPaid: price === undefined ? undefined : price === 'paid',
    since: since === undefined ? undefined : new Date(ctx.now.getTime() - sinceDays[since] * DAY_MS),
  };
}

/** Searches by relevance or in the given order. The cursor is an offset, limited to the first thousand results. */
export async function searchShelf(ctx: Ctx, query: SearchQuery) {
  const { keyword, sort, page, pageSize, cursor } = query;
  const offset = cursor === undefined ? (page - 1) * pageSize : parseOffset(cursor);
  const filter = await toFilter(ctx, query);
  if (filter === null) return { list: [], total: 0, page, pageSize, next: null };
  const options = { ...filter, keyword, sort, offset, limit: pageSize };
  const found = await searchEssays(toSearchCtx(ctx), options);
  const texts = await listFound(ctx, found.ids);
  if (ctx.viewer !== null && offset === 0) await recordSearch(ctx, ctx.viewer.id, keyword);
  const yieldToOthers = createYield();
  const essays: SearchResult[] = [];
  for (const { row, found } of texts) {
    essays.push({ row, text: normalizeText(row.essay.id, found) });
    await yieldToOthers();
  }
  const list = [];
  const { partialIds, isName } = found;
  const ordered =
    sort === undefined && !isName ? exactPhraseFirst(essays, found.corrected ?? keyword, partialIds) : essays;
  for (const { row, text } of ordered) {
    for (const card of toCards(ctx, [row])) {
      const title = createExcerpt(card.title, found.terms, card.title.length);
      const textExcerpt =
        text === NO_TEXT
          ? createExcerpt(card.summary, found.terms)
          : createExcerpt(text.text, found.terms, undefined, text.normalized);
      const partial = partialIds.has(card.id) ? { partial: true as const } : {};
      list.push({ ...card, found: { title, excerpt: textExcerpt, ...partial } });
    }
    await yieldToOthers();
  }
  const end = offset + pageSize;
  return {
    list,
    total: found.total,
    page,
    pageSize,
    next: end < Math.min(found.total, MAX_RESULTS) ? String(end) : null,
    ...(found.corrected === null ? {} : { corrected: found.corrected }),
    ...(found.isPartial ? { partial: true as const } : {}),
  };
}

/** Only the beginning of a text is scanned for the exact phrase, which keeps a hundred texts within milliseconds. */
const PHRASE_SCAN_LENGTH = 3000;

/** Within one page, moves essays that contain the exact phrase to the front; partial matches stay behind full ones. */
function exactPhraseFirst(
  essays: SearchResult[],
  keyword: string,
  partialIds: ReadonlySet<string>,
): SearchResult[] {
  const phrase = normalizeSearchText(keyword).trim();
  const containsPhrase = ({ row, text }: SearchResult) =>
    normalizeSearchText(row.essay.title).includes(phrase) ||
    text.normalized.slice(0, PHRASE_SCAN_LENGTH).includes(phrase);
  const {
    first = [],
    full = [],
    partial = [],
  } = Object.groupBy(essays, (each) => {
    if (partialIds.has(each.row.essay.id)) return 'partial';
    return containsPhrase(each) ? 'first' : 'full';
  });
  return [...first, ...full, ...partial];
}

function parseOffset(cursor: string): number {
  const offset = Number(cursor);
  if (!/^\d{1,4}$/.test(cursor) || offset >= MAX_RESULTS)
    throw invalidField('cursor', '游标无效，请从第一页重新开始');
  return offset;
}
