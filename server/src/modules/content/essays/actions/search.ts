import { setImmediate } from 'node:timers/promises';
import { invalidField } from '@mozhan/contract/errors.ts';
import type { Ctx } from '../../../../ctx.ts';
import { createLookup } from '../../../../db/lookup.ts';
import { recordSearch } from '../../../accounts/activity/index.ts';
import {
  createExcerpt,
  MAX_RESULTS,
  normalizeSearchText,
  searchEssays,
  withSearchConnection,
} from '../../../platform/search/index.ts';
import {
  createPublicTextQuery,
  createSearchResultQuery,
  type SearchResultRow,
} from '../queries/search-results.ts';
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

interface SearchQuery {
  keyword: string;
  categoryId: string | null;
  page: number;
  pageSize: number;
  cursor?: string | undefined;
}

/** Searches by relevance. The cursor is an offset, limited to the first thousand results. */
export async function searchShelf(ctx: Ctx, { keyword, categoryId, page, pageSize, cursor }: SearchQuery) {
  const offset = cursor === undefined ? (page - 1) * pageSize : parseOffset(cursor);
  const options = { keyword, categoryId: categoryId ?? undefined, offset, limit: pageSize };
  const { found, texts } = await withSearchConnection(ctx, async (ctx) => {
    const found = await searchEssays(ctx, options);
    return { found, texts: await listFound(ctx, found.ids) };
  });
  if (ctx.viewer !== null && offset === 0) await recordSearch(ctx, ctx.viewer.id, keyword);
  const yieldToOthers = createYield();
  const essays: SearchResult[] = [];
  for (const { row, found } of texts) {
    essays.push({ row, text: normalizeText(row.essay.id, found) });
    await yieldToOthers();
  }
  const list = [];
  for (const { row, text } of exactPhraseFirst(essays, found.corrected ?? keyword)) {
    for (const card of toCards(ctx, [row])) {
      const title = createExcerpt(card.title, found.terms, card.title.length);
      const textExcerpt =
        text === NO_TEXT
          ? createExcerpt(card.summary, found.terms)
          : createExcerpt(text.text, found.terms, undefined, text.normalized);
      list.push({ ...card, found: { title, excerpt: textExcerpt } });
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

/** Within one page, moves essays that contain the exact phrase to the front. */
function exactPhraseFirst(essays: SearchResult[], keyword: string): SearchResult[] {
  const phrase = normalizeSearchText(keyword).trim();
  const containsPhrase = ({ row, text }: SearchResult) =>
    normalizeSearchText(row.essay.title).includes(phrase) ||
    text.normalized.slice(0, PHRASE_SCAN_LENGTH).includes(phrase);
  const { matching = [], others = [] } = Object.groupBy(essays, (each) =>
    containsPhrase(each) ? 'matching' : 'others',
  );
  return [...matching, ...others];
}

function parseOffset(cursor: string): number {
  const offset = Number(cursor);
  if (!/^\d{1,4}$/.test(cursor) || offset >= MAX_RESULTS)
    throw invalidField('cursor', '游标无效，请从第一页重新开始');
  return offset;
}
