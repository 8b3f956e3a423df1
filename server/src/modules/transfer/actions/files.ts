import type { Ctx } from '../../../ctx.ts';
import * as queries from '../queries/runs.ts';
import type { TransferRow } from '../tables.ts';

/** The file of a run, unless somebody else has the same one. */
export async function forgetFile(ctx: Ctx, { id, filePath }: TransferRow): Promise<void> {
  if (filePath === null) return;
  await queries.updateTransfer(ctx.db, id, { filePath: null });
  if (!(await queries.isFileShared(ctx.db, filePath, id))) await ctx.services.files.remove(filePath);
}

const KEPT_MS = 7 * 86_400_000;

/** Exports are there to be fetched; after a week they only take room. */
export async function forgetOldFiles(ctx: Ctx): Promise<void> {
  const old = await queries.listWithOldFiles(ctx.db, new Date(ctx.now.getTime() - KEPT_MS));
  for (const row of old) await forgetFile(ctx, row);
}
