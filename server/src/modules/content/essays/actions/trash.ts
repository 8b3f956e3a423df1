import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import { UNDO_MINUTES } from '@mozhan/contract/own-essays.ts';
import { type Ctx, inTransaction, invalidate, type Viewer } from '../../../../ctx.ts';
import { addJob } from '../../../../jobs.ts';
import * as queries from '../queries/essays.ts';
import { essayNotFound, isAuthor } from '../rules/essays.ts';
import { keepSlugOfErased } from './slugs.ts';
import { requireUnsold, scheduleShelving } from './status.ts';

const UNDO_MS = UNDO_MINUTES * 60_000;

const eraseLater = (ctx: Ctx, essayId: string, deletedAt: Date): Promise<void> =>
  addJob(
    ctx,
    'erase-essay',
    { essayId },
    { key: `erase:${essayId}`, runAt: new Date(deletedAt.getTime() + UNDO_MS) },
  );

/** Deletes an essay that is not on the shelf. Its content is erased by a job, until when it can be restored. */
export function trashEssay(ctx: Ctx, viewer: Viewer, id: string): Promise<boolean> {
  return inTransaction(ctx, async (ctx) => {
    const essay = await queries.lockEssay(ctx.db, id);
    if (!isAuthor(viewer, essay)) throw essayNotFound();
    if (essay.status === ESSAY_STATUS.onShelf)
      throw new CallError('TRANSITION_REFUSED', { message: '文章已上架，请先下架' });
    if (essay.status === ESSAY_STATUS.waiting)
      throw new CallError('TRANSITION_REFUSED', { message: '文章正在审核，请先撤回' });
    await requireUnsold(ctx, essay);
    await queries.updateDeletedAt(ctx.db, id, ctx.now);
    await eraseLater(ctx, id, ctx.now);
    invalidate(ctx, `essay:${id}`);
    return true;
  });
}

export function restoreTrashed(ctx: Ctx, viewer: Viewer, id: string): Promise<boolean> {
  return inTransaction(ctx, async (ctx) => {
    const essay = await queries.lockAnyEssay(ctx.db, id);
    if (essay === null || !isAuthor(viewer, essay)) throw essayNotFound();
    if (essay.deletedAt === null) return false;
    // Without its newest version the essay is erased.
    const isErased = (await queries.findRevisionBrief(ctx.db, id, essay.version)) === null;
    if (isErased || ctx.now.getTime() - essay.deletedAt.getTime() > UNDO_MS)
      throw new CallError('GONE', { message: `删除已超过 ${UNDO_MINUTES} 分钟，不能恢复了` });
    await queries.updateDeletedAt(ctx.db, id, null);
    // Its time may have come while it was deleted.
    if (essay.status === ESSAY_STATUS.approved && essay.scheduledAt !== null)
      await scheduleShelving(ctx, id, essay.scheduledAt);
    invalidate(ctx, `essay:${id}`);
    return true;
  });
}

/** The essay may have been restored, and deleted again, since the job was added. */
export function eraseTrashed(ctx: Ctx, id: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const essay = await queries.lockAnyEssay(ctx.db, id);
    if (essay === null || essay.deletedAt === null) return;
    // Deleted again since, or the job ran early because the clock of the database is ahead.
    if (ctx.now.getTime() - essay.deletedAt.getTime() < UNDO_MS) return eraseLater(ctx, id, essay.deletedAt);
    await queries.eraseEssay(ctx.db, id, essay.deletedAt);
    await keepSlugOfErased(ctx, essay);
  });
}
