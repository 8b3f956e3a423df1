import { CallError } from '@mozhan/contract/errors.ts';
import { type Ctx, inTransaction } from '../../../../ctx.ts';
import { isForeignKeyViolation } from '../../../../db/errors.ts';
import { purgeTrends } from '../../../accounts/activity/index.ts';
import { removeUsers } from '../../../accounts/users/index.ts';
import { removeCategory } from '../../../content/categories/index.ts';
import { removeImportedComments } from '../../../content/comments/index.ts';
import {
  listEssayIdsOf,
  removeColumnAsStaff,
  undoDenialReason,
  undoImportedEssay,
} from '../../../content/essays/index.ts';
import { removeRedirectsOf } from '../../../content/redirects/index.ts';
import { listExclusiveFiles } from '../../../platform/uploads/index.ts';
import { removePictures } from '../queries/pictures.ts';
import { listAllItems, updateItem, updateItems } from '../queries/runs.ts';
import { removeSourcesOfEssay } from '../queries/sources.ts';
import * as targets from '../queries/targets.ts';
import type { ItemRow } from '../tables.ts';
import { removeStoredFiles } from './import-files.ts';
import { describeError, withRetries } from './import-state.ts';
import type { Run } from './run.ts';
import { type KeptReason, undoFriendLink, undoNavigation, undoPage } from './undo-frame.ts';
import { prepareUndoUpdate } from './undo-update.ts';

async function undoEssay(ctx: Ctx, { targetId, detail }: ItemRow, run: Run): Promise<KeptReason> {
  const essay = await targets.lockEssay(ctx.db, targetId ?? '');
  if (essay === null || essay.deletedAt !== null) return null;
  const reason = await undoDenialReason(ctx, essay, detail?.version ?? 1);
  if (reason !== null) return reason;
  if (await targets.hasNewComments(ctx.db, essay.id, run.row.createdAt)) return '之后有人评论';
  await undoImportedEssay(ctx, essay);
  await removeSourcesOfEssay(ctx.db, essay.id);
  return null;
}

/** Comments are removed with their essay; of an essay that stays, those of guests are removed. */
async function undoComments(ctx: Ctx, { targetId }: ItemRow, { row }: Run): Promise<KeptReason> {
  const essay = await targets.findEssay(ctx.db, targetId ?? '');
  if (essay === null || essay.deletedAt !== null) return null;
  if (row.format === 'mozhan') return '文章保留，评论也保留';
  const { keptIds } = await removeImportedComments(ctx, { transferId: row.id, essayId: essay.id });
  return keptIds.length > 0 ? `${keptIds.length} 条之后有人回复` : null;
}

async function undoColumn(ctx: Ctx, { targetId }: ItemRow): Promise<KeptReason> {
  const id = targetId ?? '';
  if ((await targets.findColumn(ctx.db, id)) === null) return null;
  if (await targets.hasColumnEssays(ctx.db, id)) return '里面还有文章';
  await removeColumnAsStaff(ctx, id);
  return null;
}

async function undoCategory(ctx: Ctx, { targetId }: ItemRow): Promise<KeptReason> {
  const id = targetId ?? '';
  if (!(await targets.listCategories(ctx.db)).some((each) => each.id === id)) return null;
  if (await targets.hasCategoryEssays(ctx.db, id)) return '里面还有文章';
  await removeCategory(ctx, id);
  return null;
}

async function undoAuthor(ctx: Ctx, { targetId }: ItemRow): Promise<KeptReason> {
  const id = targetId ?? '';
  if ((await targets.findUser(ctx.db, id)) === null) return null;
  if (await targets.isAccountInUse(ctx.db, id)) return '账号已在使用，或还有内容';
  await purgeTrends(ctx, [id, ...(await listEssayIdsOf(ctx.db, [id]))]);
  await removeUsers(ctx.db, [id]);
  return null;
}

type UndoStep = (ctx: Ctx, item: ItemRow, run: Run) => Promise<KeptReason>;

/** Dependent items come first. */
const undoSteps: [ItemRow['kind'], UndoStep][] = [
  ['redirect', () => Promise.resolve(null)],
  ['essay', undoEssay],
  ['comments', undoComments],
  ['column', undoColumn],
  ['navigation', undoNavigation],
  ['link', undoFriendLink],
  ['category', undoCategory],
  ['page', undoPage],
  ['author', undoAuthor],
];

/** Returns null for an unexpected error, so that the undo is tried again. */
function describeRefusal(error: unknown): string | null {
  if (isForeignKeyViolation(error)) return '别处还在用它';
  return error instanceof CallError && error.status < 500 ? describeError(error) : null;
}

async function undoItem(run: Run, item: ItemRow, undo: UndoStep): Promise<void> {
  const ctx = run.ctx();
  const isAuthor = item.kind === 'author' && item.targetId !== null;
  const files = isAuthor ? await listExclusiveFiles(ctx.db, [item.targetId ?? '']) : [];
  const work = async () => {
    const undoOne: UndoStep = item.detail?.isUpdate ? await prepareUndoUpdate(ctx, item, run) : undo;
    return inTransaction(ctx, async (ctx) => {
      const reason = await undoOne(ctx, item, run);
      await updateItem(ctx.db, item, { outcome: reason === null ? 'removed' : 'kept', note: reason ?? '' });
      return reason;
    });
  };
  const keptReason = await withRetries(run, work).catch(async (error: unknown) => {
    const note = describeRefusal(error);
    if (note === null) throw error;
    await updateItem(ctx.db, item, { outcome: 'kept', note });
    return note;
  });
  if (keptReason === null) for (const path of files) await ctx.services.files.remove(path);
}

/** Removes imported content; items that users have changed since are kept, and a later undo may remove them. */
export async function undoImport(run: Run): Promise<void> {
  await removePictures(run.ctx().db, run.row.id);
  const items = (await listAllItems(run.ctx().db, run.row.id)).filter(
    ({ outcome }) => outcome === 'created' || outcome === 'updated' || outcome === 'kept',
  );
  const undoable = items.filter(({ kind }) => undoSteps.some(([each]) => each === kind));
  run.setTotal(undoable.length);
  // A run that was stopped may have made redirects without having recorded them.
  await withRetries(run, () => removeRedirectsOf(run.ctx(), run.row.id));
  for (const [kind, undo] of undoSteps) {
    for (const item of undoable.filter((each) => each.kind === kind).toReversed()) {
      run.throwIfStopped();
      await undoItem(run, item, undo);
      run.advance();
    }
  }
  await undoFiles(
    run,
    items.filter(({ kind }) => kind === 'file'),
  );
}

const FILE_BATCH = 500;

/** Removes the rows of pictures and attachments that nothing uses any more; a job deletes their files later. */
async function undoFiles(run: Run, items: ItemRow[]): Promise<void> {
  for (let start = 0; start < items.length; start += FILE_BATCH) {
    run.throwIfStopped();
    const batch = items.slice(start, start + FILE_BATCH);
    const ids = batch.flatMap(({ targetId }) => targetId ?? []);
    const remove = () =>
      inTransaction(run.ctx(), async (ctx) => {
        await removeStoredFiles(ctx, ids);
        const left = await targets.listFileIds(ctx.db, ids);
        const keysOf = (isLeft: boolean) =>
          batch.filter(({ targetId }) => left.has(targetId ?? '') === isLeft).map(({ key }) => key);
        await updateItems(ctx.db, run.row.id, keysOf(false), { outcome: 'removed', note: '' });
        await updateItems(ctx.db, run.row.id, keysOf(true), { outcome: 'kept', note: '别处还在用它' });
      });
    await withRetries(run, remove);
  }
}
