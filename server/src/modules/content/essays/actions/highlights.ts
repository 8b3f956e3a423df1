import { CONTEXT_LENGTH, compactText } from '@mozhan/contract/anchoring.ts';
import type { Page } from '@mozhan/contract/common.ts';
import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { CallError, invalidField } from '@mozhan/contract/errors.ts';
import { MAX_QUOTE_LENGTH } from '@mozhan/contract/highlight-colors.ts';
import type * as calls from '@mozhan/contract/highlights.ts';
import type { z } from 'zod';
import { addPageTags, type Ctx, inTransaction, type Viewer } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import type { PageQuery } from '../../../../db/page.ts';
import type { Prepared } from '../../../../prepared.ts';
import { callerOf } from '../../../../threads/fair-queue.ts';
import { findQuotes, type Passage, type QuoteTexts } from '../../../platform/text/index.ts';
import { findLockedText, findText } from '../queries/essays.ts';
import * as queries from '../queries/highlights.ts';
import { MAX_PER_ESSAY, MAX_PER_USER } from '../rules/highlights.ts';
import type { EssayRow, HighlightRow, StoredPassage } from '../tables.ts';
import { queueCount, queueCounts } from './anchor-queue.ts';
import { getReadableEssay } from './read.ts';

const quoteNotFound = (message?: string) =>
  new CallError('QUOTE_NOT_FOUND', message === undefined ? {} : { message });

/** The text on the shelf: all of it, and its public part if that is less. */
export async function findShelvedTexts(
  ctx: Ctx,
  { id, shelvedVersion }: Pick<EssayRow, 'id' | 'shelvedVersion'>,
): Promise<QuoteTexts | null> {
  if (shelvedVersion === null) return null;
  const [open, locked] = await Promise.all([
    findText(ctx.db, id, shelvedVersion),
    findLockedText(ctx.db, id, shelvedVersion),
  ]);
  if (open === null) return null;
  return locked === null
    ? { html: open.html, publicHtml: null }
    : { html: locked.html, publicHtml: open.html };
}

type HighlightInput = z.output<typeof calls.createHighlight.input>;

async function findPassage(
  ctx: Ctx,
  essay: EssayRow,
  mayReadAll: boolean,
  input: HighlightInput,
): Promise<Passage> {
  const exact = compactText(input.exact);
  if (exact === '') throw invalidField('exact', '请先选中一段文字');
  if (exact.length > MAX_QUOTE_LENGTH) throw invalidField('exact', `最多划 ${MAX_QUOTE_LENGTH} 个字`);
  const texts = await findShelvedTexts(ctx, essay);
  if (texts === null) throw quoteNotFound();
  const quote = {
    exact,
    prefix: compactText(input.prefix).slice(-CONTEXT_LENGTH),
    suffix: compactText(input.suffix).slice(0, CONTEXT_LENGTH),
    start: input.start,
    end: input.start + exact.length,
  };
  const [passage = null] = await findQuotes(callerOf(ctx), {
    ...texts,
    quotes: [quote],
    allowSimilar: false,
    publicOnly: !mayReadAll,
  });
  if (passage === null) throw quoteNotFound();
  return passage;
}

async function requireRoom(ctx: Ctx, userId: string, inEssay: number): Promise<void> {
  if (inEssay > MAX_PER_ESSAY)
    throw new CallError('TOO_MANY_HIGHLIGHTS', { message: `一篇文章最多划 ${MAX_PER_ESSAY} 处` });
  if ((await queries.countOf(ctx.db, userId)) >= MAX_PER_USER)
    throw new CallError('TOO_MANY_HIGHLIGHTS', { message: `最多划 ${MAX_PER_USER} 处，请先整理` });
}

const toRow = (
  ctx: Ctx,
  userId: string,
  { essayId, color, note = '' }: HighlightInput,
  passage: Passage,
): HighlightRow => ({
  id: newId(),
  userId,
  essayId,
  color,
  quote: passage.words,
  exact: passage.words,
  prefix: passage.prefix,
  suffix: passage.suffix,
  startAt: passage.start,
  endAt: passage.end,
  state: 'found',
  locked: passage.isLocked,
  note,
  commentId: null,
  thoughtStatus: null,
  createdAt: ctx.now,
  updatedAt: ctx.now,
});

/** Highlighting the same passage again changes its colour and thought. */
async function save(
  ctx: Ctx,
  viewer: Viewer,
  input: HighlightInput,
  passage: Passage,
): Promise<queries.HighlightWithEssay> {
  const row = toRow(ctx, viewer.id, input, passage);
  await queries.lockHighlightsOf(ctx.db, viewer.id);
  const existing = await queries.findAt(ctx.db, row);
  if (existing === null) {
    const { userId, essayId } = row;
    const inEssay = await queries.addToHighlightedEssay(ctx.db, { userId, essayId, by: 1, now: ctx.now });
    await requireRoom(ctx, userId, inEssay);
    await queries.insertHighlight(ctx.db, row);
    await queueCount(ctx, essayId);
    return getOwnHighlight(ctx, viewer, row.id);
  }
  const note = existing.commentId === null ? input.note : undefined;
  await queries.updateHighlight(ctx.db, existing.id, {
    color: input.color,
    ...(note !== undefined && { note }),
    updatedAt: ctx.now,
  });
  return getOwnHighlight(ctx, viewer, existing.id);
}

/** Finds the passage before the transaction, because a long text takes some time. */
export async function prepareHighlight(
  ctx: Ctx,
  viewer: Viewer,
  input: HighlightInput,
): Promise<Prepared<queries.HighlightWithEssay>> {
  const { essay, mayReadAll } = await getReadableEssay(ctx, input.essayId);
  if (essay.status !== ESSAY_STATUS.onShelf) throw quoteNotFound('文章不在架上，不能划线');
  const passage = await findPassage(ctx, essay, mayReadAll, input);
  return (ctx) =>
    inTransaction(ctx, async (ctx) => {
      const now = await queries.lockShelvedEssay(ctx.db, essay.id);
      if (now?.status !== essay.status || now.updatedAt.getTime() !== essay.updatedAt.getTime())
        throw new CallError('STALE_VERSION', { message: '文章刚刚修订过，请刷新后再划' });
      return save(ctx, viewer, input, passage);
    });
}

export async function getOwnHighlight(
  ctx: Ctx,
  viewer: Viewer,
  id: string,
): Promise<queries.HighlightWithEssay> {
  const found = await queries.findOwn(ctx.db, id, viewer.id);
  if (found === null) throw new CallError('NOT_FOUND', { message: '没有找到这处划线，它可能已被删除' });
  return found;
}

/** Until the transaction ends, the highlight cannot be deleted. */
export const lockOwnHighlight = (ctx: Ctx, viewer: Viewer, id: string): Promise<HighlightRow> =>
  queries.lockOwn(ctx.db, id, viewer.id);

/** Whether the reader may read the current words of their highlight, which a revision may have changed. */
export async function mayReadWords(ctx: Ctx, { essayId, locked }: HighlightRow): Promise<boolean> {
  if (!locked) return true;
  try {
    return (await getReadableEssay(ctx, essayId)).mayReadAll;
  } catch (error) {
    if (error instanceof CallError) return false;
    throw error;
  }
}

const requirePrivate = ({ commentId }: HighlightRow): void => {
  if (commentId !== null) throw new CallError('THOUGHT_IS_PUBLIC');
};

export function updateHighlight(
  ctx: Ctx,
  viewer: Viewer,
  { id, color, note }: z.output<typeof calls.updateHighlight.input>,
): Promise<queries.HighlightWithEssay> {
  return inTransaction(ctx, async (ctx) => {
    const highlight = await queries.lockOwn(ctx.db, id, viewer.id);
    if (note !== undefined && note !== highlight.note) requirePrivate(highlight);
    await queries.updateHighlight(ctx.db, id, {
      ...(color !== undefined && { color }),
      ...(note !== undefined && { note }),
      updatedAt: ctx.now,
    });
    return getOwnHighlight(ctx, viewer, id);
  });
}

export function removeHighlight(ctx: Ctx, viewer: Viewer, id: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    await queries.lockHighlightsOf(ctx.db, viewer.id);
    const highlight = await queries.lockOwn(ctx.db, id, viewer.id);
    requirePrivate(highlight);
    const { userId, essayId } = highlight;
    await queries.removeHighlight(ctx.db, id);
    await queries.addToHighlightedEssay(ctx.db, { userId, essayId, by: -1, now: ctx.now });
    await queueCount(ctx, essayId);
  });
}

export const listHighlights = (
  ctx: Ctx,
  viewer: Viewer,
  query: z.output<typeof calls.listHighlights.input>,
): Promise<Page<queries.HighlightWithEssay>> => queries.listOwn(ctx.db, { ...query, userId: viewer.id });

export const listHighlightedEssays = (
  ctx: Ctx,
  viewer: Viewer,
  query: PageQuery,
): Promise<Page<queries.HighlightedEssayRow>> =>
  queries.listHighlightedEssays(ctx.db, { ...query, userId: viewer.id });

/** What the page of an essay paints: own highlights, and passages that many readers highlighted. */
export async function getMarks(
  ctx: Ctx,
  essayId: string,
): Promise<{ mine: queries.HighlightWithEssay[]; passages: StoredPassage[]; mayReadAll: boolean }> {
  const { essay, mayReadAll } = await getReadableEssay(ctx, essayId);
  addPageTags(ctx, `essay:${essayId}`);
  if (essay.status !== ESSAY_STATUS.onShelf) return { mine: [], passages: [], mayReadAll };
  const [mine, { passages, isStale }] = await Promise.all([
    ctx.viewer === null
      ? []
      : queries.listOwnOfEssay(ctx.db, { userId: ctx.viewer.id, essayId, limit: MAX_PER_ESSAY }),
    queries.findPassages(ctx.db, essayId),
  ]);
  return {
    mine,
    passages: isStale ? [] : passages.filter(({ locked }) => mayReadAll || !locked),
    mayReadAll,
  };
}

/** Deletes highlights before their users are deleted or erased. */
export async function purgeHighlights(ctx: Ctx, userIds: string[]): Promise<void> {
  const essayIds = await queries.removeHighlightsOf(ctx.db, userIds);
  await queueCounts(ctx, essayIds);
}
