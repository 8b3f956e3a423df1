import { FLAG, IDENTITY } from '@mozhan/contract/enums.ts';
import { CallError, invalidField } from '@mozhan/contract/errors.ts';
import type * as calls from '@mozhan/contract/transfer.ts';
import type { Transfer } from '@mozhan/contract/transfer.ts';
import type { z } from 'zod';
import { type Ctx, inTransaction, logChange, type Viewer } from '../../../../ctx.ts';
import { chinaDayOf } from '../../../../day.ts';
import { newId } from '../../../../db/id.ts';
import { runIdempotent } from '../../../../idempotency.ts';
import { withOperationLog } from '../../../accounts/access/index.ts';
import { getSiteSettings } from '../../../platform/settings/index.ts';
import { toFileName } from '../../../platform/uploads/index.ts';
import { removeCheck } from '../queries/checks.ts';
import * as queries from '../queries/runs.ts';
import { findUser, listCategories } from '../queries/targets.ts';
import type { TransferRow, transfers } from '../tables.ts';
import { toTransfer } from '../views.ts';
import { removeRunFile, removeUnusedFile } from './files.ts';
import { giveUpPictures } from './remote-pictures.ts';
import { queueRun } from './run-transfer.ts';

const HOUR_MS = 3_600_000;

const toLogState = ({
  kind,
  scope,
  status,
  fileName,
}: Pick<TransferRow, 'kind' | 'scope' | 'status' | 'fileName'>) => ({
  name: fileName,
  kind,
  scope,
  status,
});

type NewTransfer = Omit<typeof transfers.$inferInsert, 'id' | 'status' | 'createdAt'>;

async function createRun(
  ctx: Ctx,
  given: NewTransfer,
  status: 'waiting' | 'checking' = 'waiting',
): Promise<string> {
  const id = newId();
  await queries.transferRows.insert(ctx.db, { ...given, id, status, createdAt: ctx.now });
  await queueRun(ctx, id);
  return id;
}

/** Only one import and one export of staff may run at a time. */
export async function requireNoneRunning(ctx: Ctx, kind: TransferRow['kind']): Promise<void> {
  if (await queries.isAnyUnfinished(ctx.db, kind)) throw new CallError('TRANSFER_BUSY');
}

const exportFileName = (owner: string, now: Date): string => toFileName(`${owner}-${chinaDayOf(now)}.zip`);

export function requestExport(
  ctx: Ctx,
  viewer: Viewer,
  { scope, authorId }: z.output<typeof calls.createExport.input>,
): Promise<queries.TransferWithUsers> {
  return inTransaction(ctx, async (ctx) => {
    await requireNoneRunning(ctx, 'export');
    const author = scope === 'author' ? await findUser(ctx.db, authorId ?? '') : null;
    if (scope === 'author' && author === null) throw invalidField('authorId', '没有这个人');
    const fileName = exportFileName(author?.displayName ?? (await getSiteSettings(ctx)).title, ctx.now);
    const id = await createRun(ctx, {
      kind: 'export',
      scope,
      format: 'mozhan',
      authorId: author?.id ?? null,
      userId: viewer.id,
      fileName,
    });
    const created = await queries.getTransfer(ctx.db, id);
    logChange(ctx, `transfer:${id}`, null, toLogState(created.transfer));
    return created;
  });
}

async function requireWriter(ctx: Ctx, id: string | undefined): Promise<void> {
  if (id === undefined) return;
  const user = await findUser(ctx.db, id);
  if (user?.curIdentity !== IDENTITY.writer) throw invalidField('authorId', '请选择一位作者');
}

type ImportInput = z.output<typeof calls.createImport.input>;

/** Stores the file before the transaction, which must not wait for storage; an unused file is removed. */
export async function requestImport(
  ctx: Ctx,
  viewer: Viewer,
  input: ImportInput,
  requestId: string | null,
): Promise<Transfer> {
  const { file } = ctx;
  const { authorId, categoryId } = input;
  if (file === null || file.bytes === 0) throw invalidField('file', '文件是空的，请重新选择');
  await requireWriter(ctx, authorId);
  if (categoryId !== undefined && !(await listCategories(ctx.db)).some(({ id }) => id === categoryId))
    throw invalidField('categoryId', '没有这个分类');
  const filePath = await ctx.services.files.storePrivate(file);
  const storedFile = { filePath, fileName: toFileName(file.name ?? '导入'), fileBytes: file.bytes };
  const call = 'POST core/sys/transfer/import';
  const work = (ctx: Ctx) =>
    withOperationLog(ctx, { call, summary: '导入', input }, (ctx) =>
      createImportRun(ctx, viewer, input, storedFile),
    );
  try {
    const result = requestId === null ? work(ctx) : runIdempotent(ctx, requestId, { call, input }, work);
    return (await result) as Transfer;
  } finally {
    await removeUnusedFile(ctx, filePath);
  }
}

async function createImportRun(
  ctx: Ctx,
  viewer: Viewer,
  { format, authorId, categoryId, asDrafts, fetchPictures, check }: ImportInput,
  storedFile: Pick<TransferRow, 'filePath' | 'fileName' | 'fileBytes'>,
): Promise<Transfer> {
  await requireNoneRunning(ctx, 'import');
  const run: NewTransfer = {
    kind: 'import',
    scope: 'site',
    format,
    authorId: authorId ?? null,
    userId: viewer.id,
    options: {
      ...(categoryId === undefined ? {} : { categoryId }),
      asDrafts: asDrafts === FLAG.on,
      fetchPictures: fetchPictures === FLAG.on,
    },
    ...storedFile,
  };
  const id = await createRun(ctx, run, check === FLAG.on ? 'checking' : 'waiting');
  const created = await queries.getTransfer(ctx.db, id);
  logChange(ctx, `transfer:${id}`, null, toLogState(created.transfer));
  return toTransfer(created, ctx.now);
}

const isUnfinished = ({ status }: TransferRow): boolean => queries.UNFINISHED.some((each) => each === status);

export const refusedError = (message: string) => new CallError('TRANSFER_REFUSED', { message });

export function changeTransfer(
  ctx: Ctx,
  id: string,
  next: (ctx: Ctx, row: TransferRow) => Promise<Partial<TransferRow>>,
): Promise<queries.TransferWithUsers> {
  return inTransaction(ctx, async (ctx) => {
    const before = await queries.lockTransfer(ctx.db, id);
    await queries.transferRows.update(ctx.db, id, await next(ctx, before));
    const after = await queries.getTransfer(ctx.db, id);
    logChange(ctx, `transfer:${id}`, toLogState(before), toLogState(after.transfer));
    return after;
  });
}

const CANCELLABLE = ['checking', 'ready', 'waiting', 'running'];

export async function cancelTransfer(ctx: Ctx, id: string): Promise<queries.TransferWithUsers> {
  let checked: TransferRow | null = null;
  const cancelled = await changeTransfer(ctx, id, async (ctx, row) => {
    if (!CANCELLABLE.includes(row.status)) throw refusedError('它已经结束了');
    if (row.status === 'ready') {
      checked = row;
      await removeCheck(ctx.db, id);
    }
    await giveUpPictures(ctx, id);
    return {
      status: 'cancelled',
      endedAt: ctx.now,
      report: await queries.summarise(ctx.db, id),
      runner: null,
    };
  });
  // No process works on it, which would remove the file.
  if (checked !== null) await removeRunFile(ctx, checked);
  return cancelled;
}

export const requestUndo = (ctx: Ctx, id: string): Promise<queries.TransferWithUsers> =>
  changeTransfer(ctx, id, async (ctx, row) => {
    const hasKeptItems = row.report.some(({ outcome }) => outcome === 'kept');
    const isOver = ['done', 'failed', 'cancelled', ...(hasKeptItems ? ['undone'] : [])].includes(row.status);
    if (row.kind !== 'import' || !isOver) throw refusedError('只有结束了的导入可以撤销');
    await requireNoneRunning(ctx, 'import');
    await queueRun(ctx, id);
    const reset = { total: 0, done: 0, message: '', endedAt: null, runner: null, aliveAt: null, failures: 0 };
    return { ...reset, status: 'undoing' };
  });

export async function removeTransfer(ctx: Ctx, id: string): Promise<void> {
  const row = await inTransaction(ctx, async (ctx) => {
    const row = await queries.lockTransfer(ctx.db, id);
    if (isUnfinished(row)) throw refusedError('它还在进行，请先停止');
    await queries.transferRows.remove(ctx.db, id);
    logChange(ctx, `transfer:${id}`, toLogState(row), null);
    return row;
  });
  await removeRunFile(ctx, row);
}

/** Exports the user's own essays, at most once an hour, and removes the file of the previous export. */
export async function requestOwnExport(ctx: Ctx, viewer: Viewer): Promise<TransferRow> {
  const last = await queries.findOwnExport(ctx.db, viewer.id);
  const row = await createOwnExportRun(ctx, viewer);
  if (last !== null) await removeRunFile(ctx, last);
  return row;
}

function createOwnExportRun(ctx: Ctx, viewer: Viewer): Promise<TransferRow> {
  return inTransaction(ctx, async (ctx) => {
    await queries.lockOwnExports(ctx.db, viewer.id);
    const last = await queries.findOwnExport(ctx.db, viewer.id);
    if (last !== null && isUnfinished(last))
      throw new CallError('EXPORT_TOO_SOON', { message: '上一次导出还没有完成，请稍后再试' });
    if (last !== null && last.status !== 'failed' && ctx.now.getTime() - last.createdAt.getTime() < HOUR_MS)
      throw new CallError('EXPORT_TOO_SOON');
    const id = await createRun(ctx, {
      kind: 'export',
      scope: 'author',
      format: 'mozhan',
      authorId: viewer.id,
      userId: viewer.id,
      own: true,
      fileName: exportFileName(viewer.displayName, ctx.now),
    });
    const row = await queries.transferRows.find(ctx.db, id);
    if (row === null) throw queries.transferRows.notFoundError();
    return row;
  });
}
