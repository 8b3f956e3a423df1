import { CallError } from '@mozhan/contract/errors.ts';
import type { Ctx } from '../../../../ctx.ts';
import { prepareImportedContent, restoreWithdrawn } from '../../../content/essays/index.ts';
import { prepareImportedPage } from '../../../content/site/index.ts';
import { findRestore, transferRows } from '../queries/runs.ts';
import { findSourceOf, upsertSource } from '../queries/sources.ts';
import type { ItemRow, Restore } from '../tables.ts';
import { describeError } from './import-state.ts';
import type { Run } from './run.ts';
import type { KeptReason } from './undo-frame.ts';

const CHANGED = '之后有人改过，没有还原';
const UPDATED = '之后的导入又更新过，请先撤销那一次';

type UndoWork = (ctx: Ctx) => Promise<KeptReason>;
const keep =
  (reason: KeptReason): UndoWork =>
  () =>
    Promise.resolve(reason);

async function prepareRestore(
  ctx: Ctx,
  { targetId, detail }: ItemRow,
  { essay, page }: Restore,
): Promise<UndoWork> {
  const id = targetId ?? '';
  if (page !== undefined) {
    const publishedAt = page.publishedAt === null ? null : new Date(page.publishedAt);
    const restored = { ...page, publishedAt, updatedAt: new Date(page.updatedAt) };
    const replace = await prepareImportedPage(ctx, id, () => restored);
    return async (ctx) => ((await replace(ctx)) === null ? CHANGED : null);
  }
  if (essay === undefined) return keep(null);
  const { updatedAt, withdrawn, ...content } = essay;
  const replace = await prepareImportedContent(ctx, {
    essayId: id,
    version: detail?.version ?? 1,
    updatedAt: new Date(updatedAt),
    change: () => content,
  });
  return async (ctx) => {
    if ((await replace(ctx)) === null) return CHANGED;
    if (withdrawn !== null && !(await restoreWithdrawn(ctx, id, withdrawn)))
      return '正文已还原，文章仍不公开';
    return null;
  };
}

/** Restores what an essay or page was before the run updated it. */
export async function prepareUndoUpdate(ctx: Ctx, item: ItemRow, run: Run): Promise<UndoWork> {
  const { kind, targetId } = item;
  const target = kind === 'page' ? { essayId: null, pageId: targetId } : { essayId: targetId, pageId: null };
  const source = await findSourceOf(ctx.db, target);
  const restore = await findRestore(ctx.db, item);
  // The import that created it was undone before.
  if (source === null || restore === null) return keep(null);
  if (source.transferId !== run.row.id) return keep(UPDATED);
  const { transferId, contentHash } = restore;
  const earlier = transferId === null ? null : await transferRows.find(ctx.db, transferId);
  try {
    const work = await prepareRestore(ctx, item, restore);
    return async (ctx) => {
      const reason = await work(ctx);
      if (reason === null)
        await upsertSource(ctx.db, { ...source, transferId: earlier?.id ?? null, contentHash });
      return reason;
    };
  } catch (error) {
    if (!(error instanceof CallError) || error.status >= 500) throw error;
    return keep(describeError(error));
  }
}
