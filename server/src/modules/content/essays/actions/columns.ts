import type * as calls from '@mozhan/contract/columns.ts';
import { CallError, invalid } from '@mozhan/contract/errors.ts';
import type { z } from 'zod';
import { type Ctx, changed, inTx, shows, touch, type Viewer } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import { screenText } from '../../../platform/sensitive-words/index.ts';
import { hasUpload } from '../../../platform/uploads/index.ts';
import { isLibraryCover } from '../../covers/index.ts';
import * as queries from '../queries/columns.ts';
import { isSold } from '../queries/marks.ts';
import { orderColumn } from '../queries/shelf.ts';
import type { ColumnRow } from '../tables.ts';

const MOST_COLUMNS = 50;

/** Pages that name the column, or show its essays in order. */
function touchColumn(ctx: Ctx, { id, authorId }: ColumnRow): void {
  touch(ctx, `column:${id}`, `user:${authorId}`);
}

async function checkCover(ctx: Ctx, authorId: string, cover: string | undefined): Promise<void> {
  if (!cover || (await isLibraryCover(ctx.db, cover)) || (await hasUpload(ctx.db, authorId, cover))) return;
  throw invalid('cover', '请先上传图片，再设为封面');
}

/** Shown at once and to everyone: any word of the list refuses it. */
async function checkWords(ctx: Ctx, given: { name?: string; summary?: string }): Promise<void> {
  for (const field of ['name', 'summary'] as const) {
    const { words } = await screenText(ctx, given[field] ?? '');
    if (words[0] !== undefined) throw invalid(field, `不能有「${words[0]}」，请换个说法`);
  }
}

export async function getColumn(ctx: Ctx, id: string): Promise<queries.ColumnCard> {
  shows(ctx, `column:${id}`);
  return queries.getColumn(ctx.db, id);
}

export async function listColumns(ctx: Ctx, query: z.output<typeof calls.listColumns.input>) {
  const authorId = query.authorId ?? ctx.viewer?.id;
  if (authorId === undefined) throw new CallError('SIGN_IN_REQUIRED');
  shows(ctx, `user:${authorId}`);
  return queries.listColumns(ctx.db, { ...query, authorId });
}

export function createColumn(
  ctx: Ctx,
  viewer: Viewer,
  input: z.output<typeof calls.createColumn.input>,
  id = newId(),
): Promise<queries.ColumnCard> {
  return inTx(ctx, async (ctx) => {
    if ((await queries.countColumns(ctx.db, viewer.id)) >= MOST_COLUMNS)
      throw new CallError('TOO_MANY_COLUMNS');
    await checkCover(ctx, viewer.id, input.cover);
    await checkWords(ctx, input);
    await queries.columnRows.insert(ctx.db, { id, authorId: viewer.id, ...input, createdAt: ctx.now });
    touch(ctx, `user:${viewer.id}`);
    return queries.getColumn(ctx.db, id);
  });
}

async function lockOwn(ctx: Ctx, viewer: Viewer, id: string): Promise<ColumnRow> {
  const column = await queries.columnRows.lock(ctx.db, id);
  if (column.authorId !== viewer.id) throw new CallError('FORBIDDEN', { message: '只有作者能修改这个专栏' });
  return column;
}

export function updateColumn(
  ctx: Ctx,
  viewer: Viewer,
  { id, essayIds, ...input }: z.output<typeof calls.updateColumn.input>,
): Promise<queries.ColumnCard> {
  return inTx(ctx, async (ctx) => {
    // Essays before their column, as shelving locks them.
    if (essayIds !== undefined) await queries.lockEssaysOf(ctx.db, id);
    const column = await lockOwn(ctx, viewer, id);
    await checkCover(ctx, viewer.id, input.cover);
    await checkWords(ctx, input);
    await queries.columnRows.update(ctx.db, id, input);
    if (essayIds !== undefined) {
      const inColumn = new Set(await queries.listEssayIds(ctx.db, id));
      if (new Set(essayIds).size < essayIds.length) throw invalid('essayIds', '有的文章重复了');
      if (essayIds.some((each) => !inColumn.has(each))) throw invalid('essayIds', '有的文章不在这个专栏里');
      await orderColumn(ctx.db, id, essayIds);
    }
    touchColumn(ctx, column);
    return queries.getColumn(ctx.db, id);
  });
}

async function requireUnsold(ctx: Ctx, id: string): Promise<void> {
  if (await isSold(ctx.db, [id])) throw new CallError('COLUMN_SOLD');
}

export function removeColumn(ctx: Ctx, viewer: Viewer, id: string): Promise<void> {
  return inTx(ctx, async (ctx) => {
    await queries.lockEssaysOf(ctx.db, id);
    const column = await lockOwn(ctx, viewer, id);
    await requireUnsold(ctx, id);
    await queries.columnRows.remove(ctx.db, id);
    touchColumn(ctx, column);
  });
}

const toLog = ({ name, summary }: ColumnRow) => ({ name, summary });

export function updateAnyColumn(
  ctx: Ctx,
  { id, ...input }: z.output<typeof calls.updateStaffColumn.input>,
): Promise<queries.ColumnCard> {
  return inTx(ctx, async (ctx) => {
    const before = await queries.columnRows.lock(ctx.db, id);
    await queries.columnRows.update(ctx.db, id, input);
    touchColumn(ctx, before);
    const after = await queries.getColumn(ctx.db, id);
    changed(ctx, `column:${id}`, toLog(before), toLog(after.column));
    return after;
  });
}

export function removeAnyColumn(ctx: Ctx, id: string): Promise<void> {
  return inTx(ctx, async (ctx) => {
    await queries.lockEssaysOf(ctx.db, id);
    const before = await queries.columnRows.lock(ctx.db, id);
    await requireUnsold(ctx, id);
    await queries.columnRows.remove(ctx.db, id);
    touchColumn(ctx, before);
    changed(ctx, `column:${id}`, toLog(before), null);
  });
}
