import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { invalidField } from '@mozhan/contract/errors.ts';
import type { changeOwnEssays as call, OwnEssayAct, OwnEssayResult } from '@mozhan/contract/own-essays.ts';
import type { z } from 'zod';
import { TIME_LIMIT_FACTOR } from '../../../../config/time-limits.ts';
import type { Ctx, Viewer } from '../../../../ctx.ts';
import { columnRows } from '../queries/columns.ts';
import { listOwnBriefs } from '../queries/essays.ts';
import type { ColumnRow } from '../tables.ts';
import { messageOf, moveToColumn } from './bulk-change.ts';
import { changeStatus } from './status.ts';
import { restoreTrashed, trashEssay } from './trash.ts';

/** Essays that are not reached in this time are reported as unchanged; shorter than the request timeout of the server. */
const MAX_DURATION_MS = 15_000 * TIME_LIMIT_FACTOR;

const NO_ESSAY = { title: '', columnId: null, pinPosition: null };

type ChangeOne = (ctx: Ctx, viewer: Viewer, id: string) => Promise<boolean>;

const changeStatusTo =
  (status: typeof ESSAY_STATUS.onShelf | typeof ESSAY_STATUS.offShelf): ChangeOne =>
  async (ctx, viewer, id) => {
    await changeStatus(ctx, viewer, { id, status });
    return true;
  };

const acts: Record<Exclude<OwnEssayAct, 'move'>, ChangeOne> = {
  shelve: changeStatusTo(ESSAY_STATUS.onShelf),
  unshelve: changeStatusTo(ESSAY_STATUS.offShelf),
  remove: trashEssay,
  restore: restoreTrashed,
};

async function getOwnColumn(ctx: Ctx, viewer: Viewer, columnId: string | null | undefined) {
  if (columnId === undefined) throw invalidField('columnId', '请选择专栏');
  if (columnId === null) return null;
  const column = await columnRows.find(ctx.db, columnId);
  if (column?.authorId !== viewer.id) throw invalidField('columnId', '没有这个专栏');
  return column;
}

/** Every essay is changed in a transaction of its own, so that one that cannot be changed does not stop the others. */
export async function changeOwnEssays(
  ctx: Ctx,
  viewer: Viewer,
  { ids, act, columnId }: z.output<typeof call.input>,
): Promise<OwnEssayResult[]> {
  let column: ColumnRow | null = null;
  if (act === 'move') column = await getOwnColumn(ctx, viewer, columnId);
  const change: ChangeOne =
    act === 'move' ? (ctx, viewer, id) => moveToColumn(ctx, viewer, id, column) : acts[act];
  const uniqueIds = [...new Set(ids)];
  const own = new Map(
    (await listOwnBriefs(ctx.db, viewer.id, uniqueIds)).map((essay) => [essay.id, essay] as const),
  );
  const startedAt = Date.now();
  const results: OwnEssayResult[] = [];
  for (const id of uniqueIds) {
    const essay = own.get(id);
    const { title, columnId, pinPosition } = essay ?? NO_ESSAY;
    const result = { id, title, columnId, pinPosition, changed: false };
    // Staff may be allowed to change essays of others, but not here.
    if (essay === undefined) results.push({ ...result, error: '没有找到这篇文章' });
    else if (ctx.signal?.aborted || Date.now() - startedAt > MAX_DURATION_MS)
      results.push({ ...result, error: '还没有轮到，请再提交一次' });
    else {
      try {
        results.push({ ...result, changed: await change(ctx, viewer, id), error: null });
      } catch (error) {
        results.push({ ...result, error: messageOf(ctx, error) });
      }
    }
  }
  return results;
}
