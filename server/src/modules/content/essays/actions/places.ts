import { type Ctx, touch } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import * as queries from '../queries/collections.ts';
import { DEFAULT_NAME } from '../rules/collections.ts';
import type { FolderRow } from '../tables.ts';
import { hide } from './told.ts';

/** A person's folders as nobody else changes them until the transaction ends; the default one is made now if there is none. */
export async function lockFolders(ctx: Ctx, userId: string): Promise<FolderRow[]> {
  if (!(await queries.lockDefault(ctx.db, userId))) {
    await queries.insertDefault(ctx.db, {
      id: newId(),
      userId,
      name: DEFAULT_NAME,
      isPublic: true,
      isDefault: true,
      createdAt: ctx.now,
    });
    await queries.lockDefault(ctx.db, userId);
  }
  return queries.listFolders(ctx.db, userId);
}

/** Moves what the owner has elsewhere into a folder. */
export async function moveInto(
  ctx: Ctx,
  { id, userId, isPublic }: FolderRow,
  from: { essayIds: string[] } | { folderId: string },
): Promise<void> {
  const moved = await queries.moveEssays(ctx.db, { userId, from, to: id });
  if (moved.length === 0) return;
  await queries.recountFolders(ctx.db, [userId]);
  if (!isPublic) await hide(ctx, userId, moved);
  touch(ctx, `collect:${userId}`);
}
