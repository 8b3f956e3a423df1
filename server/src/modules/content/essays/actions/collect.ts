import type { CollectState } from '@mozhan/contract/collections.ts';
import { TREND_TYPE } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import { addPageTags, type Ctx, inTransaction, invalidate, type Viewer } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import type { PageQuery } from '../../../../db/page.ts';
import { removeTrends } from '../../../accounts/activity/index.ts';
import { getUser } from '../../../accounts/users/index.ts';
import * as queries from '../queries/collections.ts';
import { addToEssayCounters } from '../queries/counters.ts';
import { listCardsByIds } from '../queries/lists.ts';
import { countCollected, getFolderOrDefault, MAX_COLLECTED, requireShelved } from '../rules/collections.ts';
import { essayNotFound } from '../rules/essays.ts';
import type { EssayRow } from '../tables.ts';
import { publishCollected, retractCollected } from './collect-notices.ts';
import { lockFolders, moveIntoFolder } from './folder-contents.ts';
import { matchKeyword } from './own-search.ts';
import { toCards } from './read.ts';

async function addToEssay(ctx: Ctx, essay: EssayRow, collects: 1 | -1): Promise<number> {
  const [changed] = await addToEssayCounters(ctx, [{ essayId: essay.id, collects }]);
  return changed?.collectCount ?? essay.collectCount;
}

export function collectEssay(
  ctx: Ctx,
  viewer: Viewer,
  { essayId, folderId }: { essayId: string; folderId?: string | undefined },
): Promise<CollectState> {
  return inTransaction(ctx, async (ctx) => {
    const folders = await lockFolders(ctx, viewer.id);
    const folder = getFolderOrDefault(folders, folderId);
    const essay = requireShelved(await queries.lockEssay(ctx.db, essayId));
    const currentFolderId = await queries.findCollectedFolderId(ctx.db, viewer.id, essayId);
    if (currentFolderId !== null) {
      if (folderId !== undefined) await moveIntoFolder(ctx, folder, { essayIds: [essayId] });
      return { collected: true, collectCount: essay.collectCount, folderId: folderId ?? currentFolderId };
    }
    if (countCollected(folders) >= MAX_COLLECTED) throw new CallError('TOO_MANY_COLLECTED');
    const collected = { userId: viewer.id, essayId, folderId: folder.id };
    await queries.insertCollected(ctx.db, { id: newId(), ...collected, createdAt: ctx.now });
    await queries.addToFolder(ctx.db, folder.id, 1);
    invalidate(ctx, `collect:${viewer.id}`);
    const collectCount = await addToEssay(ctx, essay, 1);
    if (folder.isPublic) await publishCollected(ctx, viewer.id, essay);
    return { collected: true, collectCount, folderId: folder.id };
  });
}

/** Also works for essays that have left the shelf or were deleted. */
export function uncollectEssay(ctx: Ctx, viewer: Viewer, essayId: string): Promise<CollectState> {
  return inTransaction(ctx, async (ctx) => {
    await queries.lockDefaultFolder(ctx.db, viewer.id);
    const essay = await queries.lockEssay(ctx.db, essayId);
    if (essay?.publishedAt == null) throw essayNotFound();
    const state = { collected: false, collectCount: essay.collectCount, folderId: null };
    const currentFolderId = await queries.removeCollected(ctx.db, viewer.id, essayId);
    if (currentFolderId === null) return state;
    await queries.addToFolder(ctx.db, currentFolderId, -1);
    invalidate(ctx, `collect:${viewer.id}`);
    const collectCount = await addToEssay(ctx, essay, -1);
    await retractCollected(ctx, viewer.id, [{ essayId, authorId: essay.authorId }]);
    return { ...state, collectCount };
  });
}

/** Ignores essays that the user has not collected. */
export function moveCollectedEssays(
  ctx: Ctx,
  viewer: Viewer,
  { essayIds, folderId }: { essayIds: string[]; folderId: string },
): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const folder = getFolderOrDefault(await lockFolders(ctx, viewer.id), folderId);
    await moveIntoFolder(ctx, folder, { essayIds });
  });
}

/** Lists all of the viewer's own collection; of another user only public folders, if their privacy setting allows it. */
export async function listVisibleCollected(
  ctx: Ctx,
  userId: string,
  query: PageQuery & { folderId?: string | undefined; keyword?: string | undefined },
) {
  addPageTags(ctx, `user:${userId}`, `collect:${userId}`);
  const { privacy } = await getUser(ctx.db, userId);
  const isOwn = ctx.viewer?.id === userId;
  if (!isOwn && privacy.collect === false)
    return { list: [], total: 0, page: query.page, pageSize: query.pageSize, next: null };
  const { keyword = '' } = query;
  const match = keyword === '' ? undefined : await matchKeyword(ctx, keyword);
  const page = await queries.listCollectedEssays(ctx.db, { ...query, userId, match, isPublicOnly: !isOwn });
  const rows = await listCardsByIds(
    ctx.db,
    page.list.map((row) => row.essayId),
  );
  const byEssay = new Map(page.list.map((row) => [row.essayId, row]));
  const list = toCards(ctx, rows).flatMap((card) => {
    const row = byEssay.get(card.id);
    return row === undefined
      ? []
      : [{ ...card, collectedAt: row.createdAt.toISOString(), folderId: row.folderId }];
  });
  return { ...page, list };
}

/** Removes what these users collected, and by default their essays from the folders of others, before the users are deleted. */
export async function purgeCollections(
  ctx: Ctx,
  userIds: string[],
  { includeOthers = true }: { includeOthers?: boolean } = {},
): Promise<void> {
  const removed = await queries.removeCollectedForUsers(ctx.db, userIds, includeOthers);
  const affectedUsers = [...new Set(removed.map((row) => row.userId))];
  await queries.recountFolders(ctx.db, affectedUsers);
  invalidate(ctx, ...affectedUsers.map((userId) => `collect:${userId}`));
  await removeTrends(
    ctx,
    removed.map(({ userId, essayId }) => ({ userId, type: TREND_TYPE.collect, targetId: essayId })),
  );
  const byEssay = Map.groupBy(removed, (row) => row.essayId);
  await addToEssayCounters(
    ctx,
    [...byEssay].map(([essayId, rows]) => ({ essayId, collects: -rows.length })),
  );
}
