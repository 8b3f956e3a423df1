import { compactText } from '@mozhan/contract/anchoring.ts';
import { type Ctx, inTransaction, invalidate } from '../../../../ctx.ts';
import { SYSTEM_CALLER } from '../../../../threads/fair-queue.ts';
import { findQuotes, findSentences, type QuoteTexts } from '../../../platform/text/index.ts';
import * as queries from '../queries/highlights.ts';
import { createPassageCounter } from '../rules/highlights.ts';
import type { HighlightRow } from '../tables.ts';
import { findShelvedTexts } from './highlights.ts';

const BATCH_SIZE = 200;

/** Where the highlights are in the new text. One that is gone keeps its words and its last position. */
async function findAnchors(texts: QuoteTexts, rows: readonly HighlightRow[]): Promise<queries.Anchor[]> {
  const found = await findQuotes(SYSTEM_CALLER, {
    ...texts,
    quotes: rows.map(({ exact, prefix, suffix, startAt, endAt }) => ({
      exact: compactText(exact),
      prefix,
      suffix,
      start: startAt,
      end: endAt,
    })),
    allowSimilar: true,
    publicOnly: false,
  });
  return rows.map((row, index) => {
    const passage = found[index] ?? null;
    if (passage === null) return { ...row, state: 'orphaned' };
    const isSame = passage.exact === compactText(row.quote) && passage.start === row.startAt;
    return {
      id: row.id,
      exact: passage.words,
      prefix: passage.prefix,
      suffix: passage.suffix,
      startAt: passage.start,
      endAt: passage.end,
      state: isSame && row.state === 'found' ? 'found' : 'moved',
      locked: passage.isLocked,
    };
  });
}

const isChanged = (row: HighlightRow, anchor: queries.Anchor): boolean =>
  anchor.startAt !== row.startAt ||
  anchor.endAt !== row.endAt ||
  anchor.state !== row.state ||
  anchor.locked !== row.locked ||
  anchor.exact !== row.exact ||
  anchor.prefix !== row.prefix ||
  anchor.suffix !== row.suffix;

/** Returns false if the text has changed again; another job then does the work. */
function saveAnchors(ctx: Ctx, essay: queries.ShelvedEssay, anchors: queries.Anchor[]): Promise<boolean> {
  return inTransaction(ctx, async (ctx) => {
    const now = await queries.lockShelvedEssay(ctx.db, essay.id);
    if (now?.updatedAt.getTime() !== essay.updatedAt.getTime()) return false;
    await queries.updateAnchors(ctx.db, anchors);
    return true;
  });
}

/**
 * Finds the highlights of an essay in its current text, if that has changed, and counts the readers of each sentence.
 * Works in batches, so that its memory and its transactions are small however many highlights there are.
 */
export async function anchorHighlights(ctx: Ctx, essayId: string): Promise<void> {
  const queued = await queries.takeQueued(ctx.db, essayId);
  if (queued === null) return;
  const essay = await queries.findShelvedEssay(ctx.db, essayId);
  const texts = essay === null ? null : await findShelvedTexts(ctx, essay);
  if (essay === null || texts === null) return;
  const counter = createPassageCounter(await findSentences(SYSTEM_CALLER, texts));
  let last: HighlightRow | null = null;
  for (;;) {
    const rows: HighlightRow[] = await queries.listOfEssay(ctx.db, essayId, last, BATCH_SIZE);
    const anchors = queued.isStale ? await findAnchors(texts, rows) : rows;
    const changed = anchors.filter((anchor, index) => {
      const row = rows[index];
      return row !== undefined && isChanged(row, anchor);
    });
    if (changed.length > 0 && !(await saveAnchors(ctx, essay, changed))) return;
    rows.forEach((row, index) => {
      counter.add({ ...row, ...anchors[index] });
    });
    last = rows.at(-1) ?? null;
    if (rows.length < BATCH_SIZE) break;
  }
  await inTransaction(ctx, async (ctx) => {
    const passages = counter.passages();
    const hadPassages = await queries.savePassages(ctx.db, essayId, passages);
    if (hadPassages || passages.length > 0) invalidate(ctx, `essay:${essayId}`);
  });
}
