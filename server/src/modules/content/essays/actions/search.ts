import { setImmediate } from 'node:timers/promises';
import { invalid } from '@mozhan/contract/errors.ts';
import type { Ctx } from '../../../../ctx.ts';
import { createLookup } from '../../../../db/lookup.ts';
import { recordSearch } from '../../../accounts/activity/index.ts';
import {
  excerpt,
  fold,
  MOST_FOUND,
  onSearchConnection,
  searchEssays,
} from '../../../platform/search/index.ts';
import { createFoundQuery, createTextQuery, type FoundRow } from '../queries/found.ts';
import { toCards } from './read.ts';

/** A text as it was written and as it is compared. */
interface FoldedText {
  stamp: string;
  text: string;
  folded: string;
}

/** About 8 MB. */
const MOST_CHARACTERS = 2_000_000;
/** Texts of the essays that were found last, the oldest first: reading and folding them is most of a search. */
const texts = new Map<string, FoldedText>();
let characters = 0;

function keepText(id: string, text: FoldedText): void {
  characters += text.text.length - (texts.get(id)?.text.length ?? 0);
  texts.delete(id);
  texts.set(id, text);
  for (const [oldest, { text }] of texts) {
    if (characters <= MOST_CHARACTERS) break;
    texts.delete(oldest);
    characters -= text.length;
  }
}

const findCard = createLookup((db) => {
  const list = createFoundQuery(db);
  return async (ids) => new Map((await list(ids)).map((row) => [row.essay.id, row]));
});

const findText = createLookup((db) => {
  const list = createTextQuery(db);
  return async (ids) => new Map((await list(ids)).map((row) => [row.id, row]));
});

const NO_TEXT: FoldedText = { stamp: '', text: '', folded: '' };

async function readText(ctx: Ctx, { essay: { id }, stamp }: FoundRow): Promise<FoldedText> {
  if (stamp === null) return NO_TEXT;
  const known = texts.get(id);
  if (known?.stamp === stamp) {
    keepText(id, known);
    return known;
  }
  const read = await findText(ctx, id);
  if (read === null) return NO_TEXT;
  const text = { stamp: read.stamp, text: read.text, folded: fold(read.text) };
  keepText(id, text);
  return text;
}

interface FoundEssay {
  row: FoundRow;
  text: FoldedText;
}

/** In the order of the ids; what is no longer on the shelf is left out. */
async function listFound(ctx: Ctx, ids: string[]): Promise<FoundEssay[]> {
  const rows = await Promise.all(ids.map((id) => findCard(ctx, id)));
  return Promise.all(
    rows.filter((row) => row !== null).map(async (row) => ({ row, text: await readText(ctx, row) })),
  );
}

interface Question {
  keyword: string;
  categoryId: string | null;
  page: number;
  pageSize: number;
  cursor?: string | undefined;
}

/** How long excerpts are made before others are served. */
const SLICE_MS = 5;

/** By relevance. What is found goes on at a place in the order, which ends after a thousand. */
export async function search(ctx: Ctx, { keyword, categoryId, page, pageSize, cursor }: Question) {
  const offset = cursor === undefined ? (page - 1) * pageSize : readOffset(cursor);
  const asked = { keyword, categoryId: categoryId ?? undefined, offset, limit: pageSize };
  const { found, essays } = await onSearchConnection(ctx, async (ctx) => {
    const found = await searchEssays(ctx, asked);
    return { found, essays: await listFound(ctx, found.ids) };
  });
  if (ctx.viewer !== null && offset === 0) await recordSearch(ctx, ctx.viewer.id, keyword);
  const list = [];
  let since = performance.now();
  for (const { row, text } of wholePhraseFirst(essays, found.corrected ?? keyword)) {
    for (const card of toCards(ctx, [row])) {
      const title = excerpt(card.title, found.terms, card.title.length);
      const shown =
        text === NO_TEXT
          ? excerpt(card.summary, found.terms)
          : excerpt(text.text, found.terms, undefined, text.folded);
      list.push({ ...card, found: { title, excerpt: shown } });
    }
    // A hundred long texts take longer than others may wait.
    if (performance.now() - since > SLICE_MS) {
      await setImmediate();
      since = performance.now();
    }
  }
  const end = offset + pageSize;
  return {
    list,
    total: found.total,
    page,
    pageSize,
    next: end < Math.min(found.total, MOST_FOUND) ? String(end) : null,
    ...(found.corrected === null ? {} : { corrected: found.corrected }),
    ...(found.isPartial ? { partial: true as const } : {}),
  };
}

/** How much of a text is looked through for the whole phrase: of a hundred texts it takes a few milliseconds. */
const LOOKED_THROUGH = 3000;

/** Essays of one page: those where the words stand together before those that have them apart. */
function wholePhraseFirst(essays: FoundEssay[], keyword: string): FoundEssay[] {
  const phrase = fold(keyword).trim();
  const has = ({ row, text }: FoundEssay) =>
    fold(row.essay.title).includes(phrase) || text.folded.slice(0, LOOKED_THROUGH).includes(phrase);
  const { together = [], apart = [] } = Object.groupBy(essays, (each) => (has(each) ? 'together' : 'apart'));
  return [...together, ...apart];
}

function readOffset(cursor: string): number {
  const offset = Number(cursor);
  if (!/^\d{1,4}$/.test(cursor) || offset >= MOST_FOUND)
    throw invalid('cursor', '游标无效，请从第一页重新开始');
  return offset;
}
