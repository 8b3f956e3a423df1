import { compactText } from '@mozhan/contract/anchoring.ts';
import { ESSAY_STATUS, TREND_TYPE } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import { MAX_POSTER_QUOTE_LENGTH } from '@mozhan/contract/highlight-colors.ts';
import type * as calls from '@mozhan/contract/shares.ts';
import type { z } from 'zod';
import { addPageTags, type Ctx, inTransaction, invalidate, type Viewer } from '../../../ctx.ts';
import { chinaDayOf } from '../../../day.ts';
import { newId } from '../../../db/id.ts';
import { mapPage, type PageQuery } from '../../../db/page.ts';
import type { Caller } from '../../../threads/fair-queue.ts';
import { recordTrend } from '../../accounts/activity/index.ts';
import { getUser } from '../../accounts/users/index.ts';
import { getSiteSettings } from '../../platform/settings/index.ts';
import { findQuotes } from '../../platform/text/index.ts';
import {
  addToEssayCounters,
  essayNotFound,
  findShelvedTexts,
  isRobot,
  listCardsByIds,
  readerKeyOf,
  toCards,
} from '../essays/index.ts';
import type { EssayRow } from '../essays/tables.ts';
import type { PosterContent } from './poster.ts';
import * as queries from './queries.ts';
import { createShareCode, shareUrlOf } from './rules.ts';
import type { ShareRow } from './tables.ts';

export const baseUrlOf = ({ services: { config } }: Ctx): string => config.siteUrl ?? config.basePath;

export function requireShelved(essay: EssayRow | null): EssayRow {
  if (essay === null) throw essayNotFound();
  if (essay.deletedAt !== null) throw new CallError('GONE', { message: '这篇文章已被删除' });
  if (essay.status !== ESSAY_STATUS.onShelf) throw essayNotFound();
  return essay;
}

/** Returns the share of this user, essay and channel. It is counted once, unless `prepare` is set. */
export function shareEssay(
  ctx: Ctx,
  viewer: Viewer,
  { essayId, channel, prepare }: z.output<typeof calls.shareEssay.input>,
): Promise<queries.ShareWithEssay> {
  return inTransaction(ctx, async (ctx) => {
    const essay = requireShelved(await queries.lockEssay(ctx.db, essayId));
    const share = await findOrCreate(ctx, { userId: viewer.id, essayId, channel });
    return { share: share.counted || prepare === true ? share : await countShare(ctx, share), essay };
  });
}

/** The essay must be locked. */
async function findOrCreate(ctx: Ctx, key: queries.ShareKey): Promise<ShareRow> {
  const existing = await queries.findShare(ctx.db, key);
  if (existing !== null) return existing;
  const share = {
    ...key,
    id: newId(),
    code: createShareCode(),
    isFirst: false,
    counted: false,
    readCount: 0,
  };
  await queries.insertShare(ctx.db, { ...share, createdAt: ctx.now });
  return { ...share, createdAt: ctx.now };
}

/** Marks the share as counted. The essay must be locked. */
async function countShare(ctx: Ctx, { id, userId, essayId }: ShareRow): Promise<ShareRow> {
  const isFirst = !(await queries.hasShared(ctx.db, userId, essayId));
  const share = await queries.markCounted(ctx.db, id, { id: newId(), isFirst, createdAt: ctx.now });
  await addToEssayCounters(ctx, [{ essayId, shares: 1 }]);
  if (isFirst) {
    await recordTrend(ctx, { userId, type: TREND_TYPE.share, targetKind: 'essay', targetId: essayId });
    invalidate(ctx, `trend:${userId}`);
  }
  return share;
}

/** The first visit by a prepared code proves that it was shared, so the share is counted now. */
async function countPreparedShare(ctx: Ctx, { share }: queries.ShareWithEssay): Promise<ShareRow> {
  if (share.counted) return share;
  return inTransaction(ctx, async (ctx) => {
    await queries.lockEssay(ctx.db, share.essayId);
    const now = await queries.findShare(ctx.db, share);
    return now === null || now.counted ? (now ?? share) : countShare(ctx, now);
  });
}

/** Counts a visitor once per share and day, never robots or the sharer. */
export async function countVisit(ctx: Ctx, code: string, essayId?: string): Promise<boolean> {
  const found = await queries.findShareByCode(ctx.db, code);
  if (found === null || (essayId !== undefined && found.share.essayId !== essayId))
    throw new CallError('NOT_FOUND', { message: '没有这个分享码' });
  requireShelved(found.essay);
  if (isRobot(ctx) || ctx.viewer?.id === found.share.userId) return false;
  const share = await countPreparedShare(ctx, found);
  const visit = { day: chinaDayOf(ctx.now), shareId: share.id, reader: readerKeyOf(ctx) };
  return inTransaction(ctx, async (ctx) => {
    if (!(await queries.insertVisit(ctx.db, visit))) return false;
    await queries.incrementReadCount(ctx.db, share.id);
    if (!(await queries.hasOtherVisit(ctx.db, visit))) await recordShareReadTrend(ctx, share);
    return true;
  });
}

/** Called once per share and day. */
async function recordShareReadTrend(ctx: Ctx, { userId, essayId }: ShareRow): Promise<void> {
  await recordTrend(ctx, { userId, type: TREND_TYPE.shareRead, targetKind: 'essay', targetId: essayId });
  invalidate(ctx, `trend:${userId}`);
}

/** An invalid code must not fail the read. */
export async function countVisitIfValid(ctx: Ctx, code: string, essayId: string): Promise<void> {
  await countVisit(ctx, code, essayId).catch((error: unknown) => {
    if (!(error instanceof CallError)) throw error;
  });
}

const cardsOf = async (ctx: Ctx, rows: ShareRow[]) =>
  new Map(
    toCards(ctx, await listCardsByIds(ctx.db, [...new Set(rows.map((row) => row.essayId))])).map((card) => [
      card.id,
      card,
    ]),
  );

export async function listOwnShares(ctx: Ctx, viewer: Viewer, query: PageQuery) {
  const page = await queries.listCountedShares(ctx.db, { ...query, userId: viewer.id });
  const cards = await cardsOf(ctx, page.list);
  return mapPage(page, (share) => ({ share, essay: cards.get(share.essayId) ?? null }));
}

/** Another user's shares are listed only if their privacy setting allows it. */
export async function listVisibleShared(ctx: Ctx, userId: string, query: PageQuery) {
  addPageTags(ctx, `user:${userId}`, `trend:${userId}`);
  const { privacy } = await getUser(ctx.db, userId);
  if (ctx.viewer?.id !== userId && privacy.share === false)
    return { list: [], total: 0, page: query.page, pageSize: query.pageSize, next: null };
  const page = await queries.listSharedEssays(ctx.db, { ...query, userId });
  const cards = await cardsOf(ctx, page.list);
  const list = page.list.flatMap(({ essayId, createdAt }) => {
    const card = cards.get(essayId);
    return card === undefined ? [] : [{ ...card, sharedAt: createdAt.toISOString() }];
  });
  return { ...page, list };
}

/** Removes the shares of these users, with their counts, before the users are deleted. */
export async function purgeShares(ctx: Ctx, userIds: string[]): Promise<void> {
  const removed = await queries.removeSharesOf(ctx.db, userIds);
  await addToEssayCounters(
    ctx,
    removed.map(({ essayId, count }) => ({ essayId, shares: -count })),
  );
}

/** Contains public data only. */
/** Posters are public, so they show only words of the public text. */
async function getPublicWords(ctx: Ctx, essay: EssayRow, caller: Caller, words: string): Promise<string> {
  const texts = await findShelvedTexts(ctx, essay);
  const exact = compactText(words);
  if (texts === null || exact === '' || exact.length > MAX_POSTER_QUOTE_LENGTH)
    throw new CallError('NOT_FOUND', { message: '正文里没有这段文字' });
  const [passage = null] = await findQuotes(caller, {
    html: texts.publicHtml ?? texts.html,
    publicHtml: null,
    quotes: [{ exact, prefix: '', suffix: '', start: 0, end: exact.length }],
    allowSimilar: false,
    publicOnly: false,
  });
  if (passage === null) throw new CallError('NOT_FOUND', { message: '公开的正文里没有这段文字' });
  return passage.words;
}

export async function getPosterContent(
  ctx: Ctx,
  essayId: string,
  code: string | null,
  quote: { words: string; caller: Caller } | null = null,
): Promise<PosterContent> {
  const row = await queries.findPosterRow(ctx.db, essayId);
  const essay = requireShelved(row?.essay ?? null);
  const found = code === null ? null : await queries.findShareByCode(ctx.db, code);
  if (row === null || (code !== null && found?.share.essayId !== essayId))
    throw new CallError('NOT_FOUND', { message: '没有这个分享码' });
  const { title: site } = await getSiteSettings(ctx);
  return {
    title: essay.title,
    excerpt: essay.summary,
    quote: quote === null ? null : await getPublicWords(ctx, essay, quote.caller, quote.words),
    category: row.category ?? '',
    author: row.author,
    face: row.face,
    cover: essay.cover,
    site,
    url: shareUrlOf(baseUrlOf(ctx), essay, code),
    day: chinaDayOf(essay.publishedAt ?? essay.updatedAt),
    readMinutes: essay.readMinutes,
  };
}
