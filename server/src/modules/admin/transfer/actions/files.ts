import type { Ctx } from '../../../../ctx.ts';
import * as queries from '../queries/runs.ts';
import type { TransferRow } from '../tables.ts';

/** Removes a stored file unless a run or attachment refers to it. */
export async function removeUnusedFile(
  ctx: Ctx,
  path: string,
  exceptId: string | null = null,
): Promise<void> {
  if (!(await queries.isFileReferenced(ctx.db, path, exceptId))) await ctx.services.files.remove(path);
}

/** Clears the path only after the removal, so that a failed removal is repeated later. */
export async function removeRunFile(ctx: Ctx, { id, filePath }: TransferRow): Promise<void> {
  if (filePath === null) return;
  await removeUnusedFile(ctx, filePath, id);
  await queries.transferRows.update(ctx.db, id, { filePath: null });
}

const RETENTION_MS = 7 * 86_400_000;

export async function removeOldFiles(ctx: Ctx): Promise<void> {
  const old = await queries.listWithOldFiles(ctx.db, new Date(ctx.now.getTime() - RETENTION_MS));
  for (const row of old) await removeRunFile(ctx, row);
}
