import type { Ctx } from '../../../../ctx.ts';
import { expireChecked, removeCheck } from '../queries/checks.ts';
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
  const before = new Date(ctx.now.getTime() - RETENTION_MS);
  const message = '检查后七天没有开始，上传的文件已删除';
  const expired = await expireChecked(ctx.db, { before, now: ctx.now, message });
  for (const { id } of expired) await removeCheck(ctx.db, id);
  const old = await queries.listWithOldFiles(ctx.db, before);
  for (const row of [...expired, ...old]) await removeRunFile(ctx, row);
}
