import { ESSAY_STATUS, TREND_TYPE } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type * as calls from '@mozhan/contract/shares.ts';
import type { z } from 'zod';
import { type Ctx, inTx, shows, touch, type Viewer } from '../../../ctx.ts';
import { dayOf } from '../../../day.ts';
import { newId } from '../../../db/id.ts';
import { mapPage, type PageQuery } from '../../../db/page.ts';
import { recordTrend } from '../../accounts/activity/index.ts';
import { getUser } from '../../accounts/users/index.ts';
import { getSiteSettings } from '../../platform/settings/index.ts';
import { addToEssays, isRobot, listCardsByIds, noEssay, readerOf, toCards } from '../essays/index.ts';
import type { EssayRow } from '../essays/tables.ts';
import type { PosterContent } from './poster.ts';
import * as queries from './queries.ts';
import { addressOf, newCode } from './rules.ts';
import type { ShareRow } from './tables.ts';

/** What addresses begin with. */
export const baseOf = ({ services: { config } }: Ctx): string => config.siteUrl ?? config.basePath;

/** Only what everyone may see is handed on. */
export function requireShelved(essay: EssayRow | null): EssayRow {
  if (essay === null) throw noEssay();
  if (essay.deletedAt !== null) throw new CallError('GONE', { message: '这篇文章已被删除' });
  if (essay.status !== ESSAY_STATUS.onShelf) throw noEssay();
  return essay;
}

/** The code of a person's share; counted once, and not yet when it is only prepared. */
export function shareEssay(
  ctx: Ctx,
  viewer: Viewer,
  { essayId, channel, prepare }: z.output<typeof calls.shareEssay.input>,
): Promise<ShareRow> {
  return inTx(ctx, async (ctx) => {
    requireShelved(await queries.lockEssay(ctx.db, essayId));
    const share = await findOrMake(ctx, { userId: viewer.id, essayId, channel });
    return share.counted || prepare === true ? share : count(ctx, share);
  });
}

/** By whoever holds the essay. */
async function findOrMake(ctx: Ctx, key: queries.Key): Promise<ShareRow> {
  const made = await queries.findShare(ctx.db, key);
  if (made !== null) return made;
  const share = { ...key, id: newId(), code: newCode(), isFirst: false, counted: false, readCount: 0 };
  await queries.insertShare(ctx.db, { ...share, createdAt: ctx.now });
  return { ...share, createdAt: ctx.now };
}

/** By whoever holds the essay: the share is one from now on. */
async function count(ctx: Ctx, { id, userId, essayId }: ShareRow): Promise<ShareRow> {
  const isFirst = !(await queries.hasShared(ctx.db, userId, essayId));
  const share = await queries.updateCounted(ctx.db, id, { id: newId(), isFirst, createdAt: ctx.now });
  await addToEssays(ctx, [{ essayId, shares: 1 }]);
  if (isFirst) {
    await recordTrend(ctx, { userId, type: TREND_TYPE.share, targetKind: 'essay', targetId: essayId });
    touch(ctx, `trend:${userId}`);
  }
  return share;
}

/** Somebody has come by a code that was only shown: whoever showed it has shared it. */
async function countShown(ctx: Ctx, { share }: queries.SharedRow): Promise<ShareRow> {
  if (share.counted) return share;
  return inTx(ctx, async (ctx) => {
    await queries.lockEssay(ctx.db, share.essayId);
    const now = await queries.findShare(ctx.db, share);
    return now === null || now.counted ? (now ?? share) : count(ctx, now);
  });
}

/** Credits who shared with a visitor, once a day for each: never a robot, nor who shared. */
export async function countVisit(ctx: Ctx, code: string, essayId?: string): Promise<boolean> {
  const found = await queries.findByCode(ctx.db, code);
  if (found === null || (essayId !== undefined && found.share.essayId !== essayId))
    throw new CallError('NOT_FOUND', { message: '没有这个分享码' });
  requireShelved(found.essay);
  if (isRobot(ctx) || ctx.viewer?.id === found.share.userId) return false;
  const share = await countShown(ctx, found);
  const visit = { day: dayOf(ctx.now), shareId: share.id, reader: readerOf(ctx) };
  return inTx(ctx, async (ctx) => {
    if (!(await queries.insertVisit(ctx.db, visit))) return false;
    await queries.addVisit(ctx.db, share.id);
    if (!(await queries.hasOtherVisit(ctx.db, visit))) await tell(ctx, share);
    return true;
  });
}

/** Once a day for a share, however many come. */
async function tell(ctx: Ctx, { userId, essayId }: ShareRow): Promise<void> {
  await recordTrend(ctx, { userId, type: TREND_TYPE.shareRead, targetKind: 'essay', targetId: essayId });
  touch(ctx, `trend:${userId}`);
}

/** Reading goes on whatever the code is. */
export async function tryVisit(ctx: Ctx, code: string, essayId: string): Promise<void> {
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
  const page = await queries.listOwn(ctx.db, { ...query, userId: viewer.id });
  const cards = await cardsOf(ctx, page.list);
  return mapPage(page, (share) => ({ share, essay: cards.get(share.essayId) ?? null }));
}

/** One's own always; another's while they let others see it. */
export async function listVisibleShared(ctx: Ctx, userId: string, query: PageQuery) {
  shows(ctx, `user:${userId}`, `trend:${userId}`);
  const { privacy } = await getUser(ctx.db, userId);
  if (ctx.viewer?.id !== userId && privacy.share === false)
    return { list: [], total: 0, page: query.page, pageSize: query.pageSize, next: null };
  const page = await queries.listShared(ctx.db, { ...query, userId });
  const cards = await cardsOf(ctx, page.list);
  const list = page.list.flatMap(({ essayId, createdAt }) => {
    const card = cards.get(essayId);
    return card === undefined ? [] : [{ ...card, sharedAt: createdAt.toISOString() }];
  });
  return { ...page, list };
}

/** Takes these people's shares out of what is counted, before they go. */
export async function releaseShares(ctx: Ctx, userIds: string[]): Promise<void> {
  const gone = await queries.removeSharesOf(ctx.db, userIds);
  await addToEssays(
    ctx,
    gone.map(({ essayId, count }) => ({ essayId, shares: -count })),
  );
}

/** What a poster of an essay shows: what everyone may read, as a summary is. */
export async function getPosterContent(
  ctx: Ctx,
  essayId: string,
  code: string | null,
): Promise<PosterContent> {
  const row = await queries.findPoster(ctx.db, essayId);
  const essay = requireShelved(row?.essay ?? null);
  const found = code === null ? null : await queries.findByCode(ctx.db, code);
  if (row === null || (code !== null && found?.share.essayId !== essayId))
    throw new CallError('NOT_FOUND', { message: '没有这个分享码' });
  const { title: site } = await getSiteSettings(ctx);
  return {
    title: essay.title,
    excerpt: essay.summary,
    category: row.category ?? '',
    author: row.author,
    face: row.face,
    cover: essay.cover,
    site,
    url: addressOf(baseOf(ctx), essayId, code),
    day: dayOf(essay.publishedAt ?? essay.updatedAt),
    readMinutes: essay.readMinutes,
  };
}
