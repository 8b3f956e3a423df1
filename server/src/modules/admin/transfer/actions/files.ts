import type { Ctx } from '../../../../ctx.ts';
import * as queries from '../queries/runs.ts';
import type { TransferRow } from '../tables.ts';

/** A file that was kept, unless it has come to be somebody's. */
export async function dropFile(ctx: Ctx, path: string, but: string | null = null): Promise<void> {
  if (!(await queries.isFileNamed(ctx.db, path, but))) await ctx.services.files.remove(path);
}

/** The file of a run. Named until it is gone, so that what could not be removed is removed another time. */
export async function forgetFile(ctx: Ctx, { id, filePath }: TransferRow): Promise<void> {
  if (filePath === null) return;
  await dropFile(ctx, filePath, id);
  await queries.transferRows.update(ctx.db, id, { filePath: null });
}

const KEPT_MS = 7 * 86_400_000;

/** Exports are there to be fetched; after a week they only take room. */
export async function forgetOldFiles(ctx: Ctx): Promise<void> {
  const old = await queries.listWithOldFiles(ctx.db, new Date(ctx.now.getTime() - KEPT_MS));
  for (const row of old) await forgetFile(ctx, row);
}
