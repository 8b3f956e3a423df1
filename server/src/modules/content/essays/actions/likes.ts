import type { Page } from '@mozhan/contract/common.ts';
import { TREND_TYPE } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type { LikeState } from '@mozhan/contract/likes.ts';
import { addPageTags, type Ctx, inTransaction, invalidate, oncePerApp } from '../../../../ctx.ts';
import { createBatcher } from '../../../../db/batch.ts';
import type { PageQuery } from '../../../../db/page.ts';
import { systemCtx } from '../../../../jobs.ts';
import { recordTrends, removeTrends } from '../../../accounts/activity/index.ts';
import { getUser, lockInboxes, notify, removeNotices } from '../../../accounts/users/index.ts';
import { addToEssayCounters } from '../queries/counters.ts';
import * as queries from '../queries/likes.ts';
import { listCardsByIds } from '../queries/lists.ts';
import { essayPathOf } from '../rules/essays.ts';
import { findLikeError, type LikeRequest, lastRequests, toLikeChanges } from '../rules/likes.ts';
import type { EssayRow } from '../tables.ts';
import { getReadableEssay, toCards } from './read.ts';

type LikeResults = Map<LikeRequest, LikeState | CallError>;

const MAX_BATCH_SIZE = 1000;

/** Likes that arrive while a batch is being written go into the next batch. */
const writerOf = oncePerApp((services) =>
  createBatcher(async (requests: LikeRequest[]) => {
    const results: LikeResults = new Map();
    for (let from = 0; from < requests.length; from += MAX_BATCH_SIZE) {
      const batch = requests.slice(from, from + MAX_BATCH_SIZE);
      const written = await inTransaction(systemCtx(services), (ctx) => writeLikes(ctx, batch));
      for (const [request, result] of written) results.set(request, result);
    }
    return results;
  }),
);

/** Resolves after the commit of the batch; inside a transaction it writes directly in that one. */
export async function setEssayLiked(ctx: Ctx, request: LikeRequest): Promise<LikeState> {
  const results = await (ctx.effects === null ? writerOf(ctx.services)(request) : writeLikes(ctx, [request]));
  const result = results.get(request);
  if (result === undefined) throw new Error('no result for a like request');
  if (result instanceof CallError) throw result;
  return result;
}

export async function writeLikes(ctx: Ctx, requests: LikeRequest[]): Promise<LikeResults> {
  const locked = await queries.lockEssays(ctx.db, [...new Set(requests.map((request) => request.essayId))]);
  const essays = new Map(locked.map((essay) => [essay.id, essay]));
  const errors = new Map(
    requests.map((request) => [request, findLikeError(essays.get(request.essayId), request)]),
  );
  const latest = lastRequests(requests.filter((request) => errors.get(request) === null));
  const added = await queries.insertLikes(
    ctx.db,
    latest.filter((request) => request.liked),
    ctx.now,
  );
  const removed = await queries.removeLikes(
    ctx.db,
    latest.filter((request) => !request.liked),
  );
  const changed = await addToEssayCounters(ctx, toLikeChanges(added, removed));
  if (added.length > 0 && removed.length > 0)
    await lockInboxes(
      ctx,
      [...added, ...removed].flatMap(({ essayId }) => essays.get(essayId)?.authorId ?? []),
    );
  await publishLikes(ctx, essays, added);
  await retractLikes(ctx, essays, removed);
  const counts = new Map([...locked, ...changed].map(({ id, likeCount }) => [id, likeCount]));
  return new Map(
    requests.map((request) => {
      const { essayId, liked } = request;
      return [request, errors.get(request) ?? { liked, likeCount: counts.get(essayId) ?? 0 }];
    }),
  );
}

const toTrend = ({ userId, essayId }: queries.LikeKey) =>
  ({ userId, type: TREND_TYPE.like, targetId: essayId, targetKind: 'essay' }) as const;

async function publishLikes(
  ctx: Ctx,
  essays: Map<string, EssayRow>,
  added: (queries.LikeKey & { isVisible: boolean })[],
): Promise<void> {
  invalidate(ctx, ...added.map(({ userId }) => `trend:${userId}`));
  await recordTrends(ctx, added.map(toTrend));
  await notify(
    ctx,
    ...added.flatMap(({ userId: actorId, essayId, isVisible }) => {
      const essay = essays.get(essayId);
      // A user who hides their likes is not named in a notice.
      if (essay === undefined || !isVisible) return [];
      const { id, title, authorId } = essay;
      const target = { id, title, url: essayPathOf(essay) };
      return [{ userId: authorId, kind: 'like' as const, actorId, text: '赞了你的文章', target }];
    }),
  );
}

async function retractLikes(
  ctx: Ctx,
  essays: Map<string, EssayRow>,
  removed: queries.LikeKey[],
): Promise<void> {
  invalidate(ctx, ...removed.map(({ userId }) => `trend:${userId}`));
  await removeTrends(ctx, removed.map(toTrend));
  await removeNotices(
    ctx,
    removed.map(({ userId: actorId, essayId }) => ({
      userId: essays.get(essayId)?.authorId ?? '',
      kind: 'like',
      actorId,
      targetId: essayId,
    })),
  );
}

export async function listVisibleLikers(
  ctx: Ctx,
  essayId: string,
  query: PageQuery,
): Promise<Page<queries.LikerRow>> {
  addPageTags(ctx, `essay:${essayId}`);
  await getReadableEssay(ctx, essayId);
  return queries.listLikers(ctx.db, { ...query, essayId, viewerId: ctx.viewer?.id ?? null });
}

/** Another user's likes are listed only if their privacy setting allows it. */
export async function listVisibleLiked(ctx: Ctx, userId: string, query: PageQuery) {
  addPageTags(ctx, `user:${userId}`, `trend:${userId}`);
  const { privacy } = await getUser(ctx.db, userId);
  if (ctx.viewer?.id !== userId && privacy.like === false)
    return { list: [], total: 0, page: query.page, pageSize: query.pageSize, next: null };
  const page = await queries.listLikedEssays(ctx.db, { ...query, userId });
  const rows = await listCardsByIds(
    ctx.db,
    page.list.map((row) => row.essayId),
  );
  const likedAt = new Map(page.list.map((row) => [row.essayId, row.createdAt.toISOString()]));
  const list = toCards(ctx, rows).map((card) => ({ ...card, likedAt: likedAt.get(card.id) ?? '' }));
  return { ...page, list };
}

/** Removes the likes of these users and the likes of their essays before the users are deleted. */
export async function purgeLikes(ctx: Ctx, userIds: string[]): Promise<void> {
  const removed = await queries.removeLikesForUsers(ctx.db, userIds);
  await removeTrends(ctx, removed.map(toTrend));
  await addToEssayCounters(ctx, toLikeChanges([], removed));
}
