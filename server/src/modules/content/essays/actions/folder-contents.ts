import { type Ctx, invalidate } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import * as queries from '../queries/collections.ts';
import { DEFAULT_FOLDER_NAME } from '../rules/collections.ts';
import type { FolderRow } from '../tables.ts';
import { retractCollected } from './collect-notices.ts';

/** Locks and returns the folders of a user. Creates the default folder if it is missing. */
export async function lockFolders(ctx: Ctx, userId: string): Promise<FolderRow[]> {
  if (!(await queries.lockDefaultFolder(ctx.db, userId))) {
    await queries.insertDefaultFolder(ctx.db, {
      id: newId(),
      userId,
      name: DEFAULT_FOLDER_NAME,
      isPublic: true,
      isDefault: true,
      createdAt: ctx.now,
    });
    await queries.lockDefaultFolder(ctx.db, userId);
  }
  return queries.listFolders(ctx.db, userId);
}

/** Moves collected essays into a folder. Moving to a private folder removes their trends and notices. */
export async function moveIntoFolder(
  ctx: Ctx,
  { id, userId, isPublic }: FolderRow,
  from: { essayIds: string[] } | { folderId: string },
): Promise<void> {
  const moved = await queries.moveEssays(ctx.db, { userId, from, to: id });
  if (moved.length === 0) return;
  await queries.recountFolders(ctx.db, [userId]);
  if (!isPublic) await retractCollected(ctx, userId, moved);
  invalidate(ctx, `collect:${userId}`);
}
