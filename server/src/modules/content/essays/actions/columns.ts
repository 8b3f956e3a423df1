import type * as calls from '@mozhan/contract/columns.ts';
import { IDENTITY } from '@mozhan/contract/enums.ts';
import { CallError, invalidField } from '@mozhan/contract/errors.ts';
import type { z } from 'zod';
import { addPageTags, type Ctx, inTransaction, invalidate, logChange, type Viewer } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import { notify } from '../../../accounts/users/index.ts';
import { screenText } from '../../../platform/sensitive-words/index.ts';
import { hasUpload } from '../../../platform/uploads/index.ts';
import { isLibraryCover } from '../../covers/index.ts';
import * as queries from '../queries/columns.ts';
import { isSold } from '../queries/reader-state.ts';
import { sortColumnEssays } from '../queries/shelf.ts';
import { findActiveUser } from '../queries/users.ts';
import { columnPathOf } from '../rules/essays.ts';
import type { ColumnRow } from '../tables.ts';
import { indexColumnNames, reindexColumn } from './column-names.ts';

const MAX_COLUMNS = 50;

function invalidateColumn(ctx: Ctx, { id, authorId }: ColumnRow): void {
  invalidate(ctx, `column:${id}`, `user:${authorId}`);
}

/** Staff who act for the author use their own pictures too. */
async function checkCover(ctx: Ctx, authorId: string, cover: string | undefined): Promise<void> {
  const owners = ctx.viewer === null ? [authorId] : [authorId, ctx.viewer.id];
  if (!cover || (await isLibraryCover(ctx.db, cover)) || (await hasUpload(ctx.db, owners, cover))) return;
  throw invalidField('cover', '请先上传图片，再设为封面');
}

/** Columns are public without an audit, so a sensitive word of any level is refused. */
async function checkSensitiveWords(ctx: Ctx, given: { name?: string; summary?: string }): Promise<void> {
  for (const field of ['name', 'summary'] as const) {
    const { words } = await screenText(ctx, given[field] ?? '');
    if (words[0] !== undefined) throw invalidField(field, `不能有「${words[0]}」，请换个说法`);
  }
}

export async function getColumn(ctx: Ctx, id: string): Promise<queries.ColumnCard> {
  addPageTags(ctx, `column:${id}`);
  return queries.getColumn(ctx.db, id);
}

export async function listColumns(ctx: Ctx, query: z.output<typeof calls.listColumns.input>) {
  const authorId = query.authorId ?? ctx.viewer?.id;
  if (authorId === undefined) throw new CallError('SIGN_IN_REQUIRED');
  addPageTags(ctx, `user:${authorId}`);
  return queries.listColumns(ctx.db, { ...query, authorId });
}

export function createColumn(
  ctx: Ctx,
  viewer: Pick<Viewer, 'id'>,
  input: z.output<typeof calls.createColumn.input>,
  id = newId(),
): Promise<queries.ColumnCard> {
  return inTransaction(ctx, async (ctx) => {
    if ((await queries.countColumns(ctx.db, viewer.id)) >= MAX_COLUMNS)
      throw new CallError('TOO_MANY_COLUMNS');
    await checkCover(ctx, viewer.id, input.cover);
    await checkSensitiveWords(ctx, input);
    await queries.columnRows.insert(ctx.db, { id, authorId: viewer.id, ...input, createdAt: ctx.now });
    invalidate(ctx, `user:${viewer.id}`);
    return queries.getColumn(ctx.db, id);
  });
}

async function lockOwnColumn(ctx: Ctx, viewer: Viewer, id: string): Promise<ColumnRow> {
  const column = await queries.columnRows.lock(ctx.db, id);
  if (column.authorId !== viewer.id) throw new CallError('FORBIDDEN', { message: '只有作者能修改这个专栏' });
  return column;
}

export function updateColumn(
  ctx: Ctx,
  viewer: Viewer,
  { id, essayIds, ...input }: z.output<typeof calls.updateColumn.input>,
): Promise<queries.ColumnCard> {
  return inTransaction(ctx, async (ctx) => {
    // Locks essays before their column, in the same order as shelving does, to avoid a deadlock.
    if (essayIds !== undefined) await queries.lockColumnEssays(ctx.db, id);
    const column = await lockOwnColumn(ctx, viewer, id);
    await checkCover(ctx, viewer.id, input.cover);
    await checkSensitiveWords(ctx, input);
    await queries.columnRows.update(ctx.db, id, input);
    if (input.name !== undefined && input.name !== column.name) await reindexColumn(ctx, id);
    if (essayIds !== undefined) {
      const inColumn = new Set(await queries.listEssayIds(ctx.db, id));
      if (new Set(essayIds).size < essayIds.length) throw invalidField('essayIds', '有的文章重复了');
      if (essayIds.some((each) => !inColumn.has(each)))
        throw invalidField('essayIds', '有的文章不在这个专栏里');
      await sortColumnEssays(ctx.db, id, essayIds);
    }
    invalidateColumn(ctx, column);
    return queries.getColumn(ctx.db, id);
  });
}

async function requireUnsold(ctx: Ctx, id: string): Promise<void> {
  if (await isSold(ctx.db, [id])) throw new CallError('COLUMN_SOLD');
}

export function removeColumn(ctx: Ctx, viewer: Viewer, id: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    await queries.lockColumnEssays(ctx.db, id);
    const column = await lockOwnColumn(ctx, viewer, id);
    await requireUnsold(ctx, id);
    await reindexColumn(ctx, id);
    await queries.columnRows.remove(ctx.db, id);
    await indexColumnNames(ctx, [id]);
    invalidateColumn(ctx, column);
  });
}

const toLog = ({ name, summary, cover, price }: ColumnRow) => ({ name, summary, cover, price });

const notifyAuthor = (ctx: Ctx, { id, authorId, name }: ColumnRow, what: string): Promise<void> =>
  notify(ctx, {
    userId: authorId,
    kind: 'audit',
    text: `编辑${what}专栏《${name}》`,
    target: { id, title: name, url: columnPathOf(id) },
  });

export async function createColumnAsStaff(
  ctx: Ctx,
  { authorId, ...input }: z.output<typeof calls.createStaffColumn.input>,
): Promise<queries.ColumnCard> {
  const author = await findActiveUser(ctx.db, authorId);
  if (author?.curIdentity !== IDENTITY.writer) throw invalidField('authorId', '没有这位作者，或账号已停用');
  return inTransaction(ctx, async (ctx) => {
    const card = await createColumn(ctx, author, input);
    logChange(ctx, `column:${card.column.id}`, null, toLog(card.column));
    await notifyAuthor(ctx, card.column, '代你新建了');
    return card;
  });
}

export function updateColumnAsStaff(
  ctx: Ctx,
  { id, ...input }: z.output<typeof calls.updateStaffColumn.input>,
): Promise<queries.ColumnCard> {
  return inTransaction(ctx, async (ctx) => {
    const before = await queries.columnRows.lock(ctx.db, id);
    if (input.cover !== before.cover) await checkCover(ctx, before.authorId, input.cover);
    await checkSensitiveWords(ctx, input);
    await queries.columnRows.update(ctx.db, id, input);
    if (input.name !== undefined && input.name !== before.name) await reindexColumn(ctx, id);
    invalidateColumn(ctx, before);
    const after = await queries.getColumn(ctx.db, id);
    logChange(ctx, `column:${id}`, toLog(before), toLog(after.column));
    await notifyAuthor(ctx, after.column, '修改了你的');
    return after;
  });
}

export function removeColumnAsStaff(ctx: Ctx, id: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    await queries.lockColumnEssays(ctx.db, id);
    const before = await queries.columnRows.lock(ctx.db, id);
    await requireUnsold(ctx, id);
    await reindexColumn(ctx, id);
    await queries.columnRows.remove(ctx.db, id);
    await indexColumnNames(ctx, [id]);
    invalidateColumn(ctx, before);
    logChange(ctx, `column:${id}`, toLog(before), null);
  });
}
