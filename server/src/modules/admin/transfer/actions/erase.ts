import type { Ctx, Viewer } from '../../../../ctx.ts';
import { removeChecksWith } from '../queries/checks.ts';
import { listOwnExports, transferRows } from '../queries/runs.ts';
import { removeRunFile } from './files.ts';

/** Runs of staff stay, also those about this user. */
export async function eraseTransfers(ctx: Ctx, { id }: Viewer): Promise<void> {
  await removeChecksWith(ctx.db, id);
  for (const row of await listOwnExports(ctx.db, id)) {
    await removeRunFile(ctx, row);
    await transferRows.remove(ctx.db, row.id);
  }
}
