import type { CollectState } from '@mozhan/contract/collections.ts';
import { TREND_TYPE } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import { type Ctx, inTx, shows, touch, type Viewer } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import type { PageQuery } from '../../../../db/page.ts';
import { forgetTrends } from '../../../accounts/activity/index.ts';
import { getUser } from '../../../accounts/users/index.ts';
import * as queries from '../queries/collections.ts';
import { addToEssays } from '../queries/counters.ts';
import { listCardsByIds } from '../queries/lists.ts';
import { countAll, MOST_COLLECTED, pickFolder, requireShelved } from '../rules/collections.ts';
import { noEssay } from '../rules/essays.ts';
import type { EssayRow } from '../tables.ts';
import { lockFolders, moveInto } from './places.ts';
import { toCards } from './read.ts';
import { hide, tell } from './told.ts';

async function addToEssay(ctx: Ctx, essay: EssayRow, collects: 1 | -1): Promise<number> {
  const [changed] = await addToEssays(ctx, [{ essayId: essay.id, collects }]);
  return changed?.collectCount ?? essay.collectCount;
}

export function collectEssay(
  ctx: Ctx,
  viewer: Viewer,
  { essayId, folderId }: { essayId: string; folderId?: string | undefined },
): Promise<CollectState> {
  return inTx(ctx, async (ctx) => {
    const folders = await lockFolders(ctx, viewer.id);
    const folder = pickFolder(folders, folderId);
    const essay = requireShelved(await queries.lockEssay(ctx.db, essayId));
    const place = await queries.findPlace(ctx.db, viewer.id, essayId);
    if (place !== null) {
      if (folderId !== undefined) await moveInto(ctx, folder, { essayIds: [essayId] });
      return { collected: true, collectCount: essay.collectCount, folderId: folderId ?? place };
    }
    if (countAll(folders) >= MOST_COLLECTED) throw new CallError('TOO_MANY_COLLECTED');
    const collected = { userId: viewer.id, essayId, folderId: folder.id };
    await queries.insertCollected(ctx.db, { id: newId(), ...collected, createdAt: ctx.now });
    await queries.addToFolder(ctx.db, folder.id, 1);
    touch(ctx, `collect:${viewer.id}`);
    const collectCount = await addToEssay(ctx, essay, 1);
    if (folder.isPublic) await tell(ctx, viewer.id, essay);
    return { collected: true, collectCount, folderId: folder.id };
  });
}

/** From all that was on the shelf once, even if it was deleted since. */
export function uncollectEssay(ctx: Ctx, viewer: Viewer, essayId: string): Promise<CollectState> {
  return inTx(ctx, async (ctx) => {
    await queries.lockDefault(ctx.db, viewer.id);
    const essay = await queries.lockEssay(ctx.db, essayId);
    if (essay?.publishedAt == null) throw noEssay();
    const state = { collected: false, collectCount: essay.collectCount, folderId: null };
    const place = await queries.removeCollected(ctx.db, viewer.id, essayId);
    if (place === null) return state;
    await queries.addToFolder(ctx.db, place, -1);
    touch(ctx, `collect:${viewer.id}`);
    const collectCount = await addToEssay(ctx, essay, -1);
    await hide(ctx, viewer.id, [{ essayId, authorId: essay.authorId }]);
    return { ...state, collectCount };
  });
}

/** Those that are not among one's own are passed over. */
export function moveCollected(
  ctx: Ctx,
  viewer: Viewer,
  { essayIds, folderId }: { essayIds: string[]; folderId: string },
): Promise<void> {
  return inTx(ctx, async (ctx) => {
    const folder = pickFolder(await lockFolders(ctx, viewer.id), folderId);
    await moveInto(ctx, folder, { essayIds });
  });
}

/** One's own, all of it; another's, what is in public folders while they let others see it. */
export async function listVisibleCollected(
  ctx: Ctx,
  userId: string,
  query: PageQuery & { folderId?: string | undefined; keyword?: string | undefined },
) {
  shows(ctx, `user:${userId}`, `collect:${userId}`);
  const { privacy } = await getUser(ctx.db, userId);
  const isOwn = ctx.viewer?.id === userId;
  if (!isOwn && privacy.collect === false)
    return { list: [], total: 0, page: query.page, pageSize: query.pageSize, next: null };
  const page = await queries.listCollected(ctx.db, { ...query, userId, isPublicOnly: !isOwn });
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

/** Takes these people's collections out of what is counted, and what they wrote out of others' folders, before they go. */
export async function releaseCollections(
  ctx: Ctx,
  userIds: string[],
  { ofOthersToo = true }: { ofOthersToo?: boolean } = {},
): Promise<void> {
  const removed = await queries.removeCollectedAround(ctx.db, userIds, ofOthersToo);
  const holders = [...new Set(removed.map((row) => row.userId))];
  await queries.recountFolders(ctx.db, holders);
  touch(ctx, ...holders.map((userId) => `collect:${userId}`));
  await forgetTrends(
    ctx,
    removed.map(({ userId, essayId }) => ({ userId, type: TREND_TYPE.collect, targetId: essayId })),
  );
  const byEssay = Map.groupBy(removed, (row) => row.essayId);
  await addToEssays(
    ctx,
    [...byEssay].map(([essayId, rows]) => ({ essayId, collects: -rows.length })),
  );
}
