import { FLAG, IDENTITY } from '@mozhan/contract/enums.ts';
import { CallError, invalid } from '@mozhan/contract/errors.ts';
import type * as calls from '@mozhan/contract/transfer.ts';
import type { Transfer } from '@mozhan/contract/transfer.ts';
import type { z } from 'zod';
import { type Ctx, changed, inTx, type Viewer } from '../../../../ctx.ts';
import { dayOf } from '../../../../day.ts';
import { newId } from '../../../../db/id.ts';
import { once } from '../../../../idempotency.ts';
import { logged } from '../../../accounts/access/index.ts';
import { getSiteSettings } from '../../../platform/settings/index.ts';
import { toFileName } from '../../../platform/uploads/index.ts';
import * as queries from '../queries/runs.ts';
import { findUser, listCategories } from '../queries/targets.ts';
import type { TransferRow, transfers } from '../tables.ts';
import { toTransfer } from '../views.ts';
import { dropFile, forgetFile } from './files.ts';
import { startRun } from './work.ts';

/** What staff order; the work itself is a job. */

const HOUR_MS = 3_600_000;

const stateOf = ({
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

async function begin(ctx: Ctx, given: NewTransfer): Promise<string> {
  const id = newId();
  await queries.transferRows.insert(ctx.db, { ...given, id, status: 'waiting', createdAt: ctx.now });
  await startRun(ctx, id);
  return id;
}

/** One of a kind at a time: they would only be in each other's way. */
async function requireQuiet(ctx: Ctx, kind: TransferRow['kind']): Promise<void> {
  if (await queries.isBusy(ctx.db, kind)) throw new CallError('TRANSFER_BUSY');
}

/** The name says whose it is, and of which day. */
const nameOf = (whose: string, now: Date): string => toFileName(`${whose}-${dayOf(now)}.zip`);

export function orderExport(
  ctx: Ctx,
  viewer: Viewer,
  { scope, authorId }: z.output<typeof calls.createExport.input>,
): Promise<queries.TransferPart> {
  return inTx(ctx, async (ctx) => {
    await requireQuiet(ctx, 'export');
    const author = scope === 'author' ? await findUser(ctx.db, authorId ?? '') : null;
    if (scope === 'author' && author === null) throw invalid('authorId', '没有这个人');
    const fileName = nameOf(author?.displayName ?? (await getSiteSettings(ctx)).title, ctx.now);
    const id = await begin(ctx, {
      kind: 'export',
      scope,
      format: 'mozhan',
      authorId: author?.id ?? null,
      userId: viewer.id,
      fileName,
    });
    const made = await queries.getTransfer(ctx.db, id);
    changed(ctx, `transfer:${id}`, null, stateOf(made.transfer));
    return made;
  });
}

async function requireWriter(ctx: Ctx, id: string | undefined): Promise<void> {
  if (id === undefined) return;
  const user = await findUser(ctx.db, id);
  if (user?.curIdentity !== IDENTITY.writer) throw invalid('authorId', '请选择一位作者');
}

type Wanted = z.output<typeof calls.createImport.input>;

/** The file is kept first: the transaction that names it may wait for nothing. Where none does, it goes again. */
export async function orderImport(
  ctx: Ctx,
  viewer: Viewer,
  input: Wanted,
  requestId: string | null,
): Promise<Transfer> {
  const { file } = ctx;
  const { authorId, categoryId } = input;
  if (file === null || file.bytes === 0) throw invalid('file', '文件是空的，请重新选择');
  await requireWriter(ctx, authorId);
  if (categoryId !== undefined && !(await listCategories(ctx.db)).some(({ id }) => id === categoryId))
    throw invalid('categoryId', '没有这个分类');
  const filePath = await ctx.services.files.keepPrivate(file);
  const kept = { filePath, fileName: toFileName(file.name ?? '导入'), fileBytes: file.bytes };
  const call = 'POST core/sys/transfer/import';
  const work = (ctx: Ctx) =>
    logged(ctx, { call, summary: '导入', input }, (ctx) => beginImport(ctx, viewer, input, kept));
  try {
    const made = requestId === null ? work(ctx) : once(ctx, requestId, { call, input }, work);
    return (await made) as Transfer;
  } finally {
    await dropFile(ctx, filePath);
  }
}

async function beginImport(
  ctx: Ctx,
  viewer: Viewer,
  { format, authorId, categoryId, asDrafts }: Wanted,
  kept: Pick<TransferRow, 'filePath' | 'fileName' | 'fileBytes'>,
): Promise<Transfer> {
  await requireQuiet(ctx, 'import');
  const id = await begin(ctx, {
    kind: 'import',
    scope: 'site',
    format,
    authorId: authorId ?? null,
    userId: viewer.id,
    options: { ...(categoryId === undefined ? {} : { categoryId }), asDrafts: asDrafts === FLAG.on },
    ...kept,
  });
  const made = await queries.getTransfer(ctx.db, id);
  changed(ctx, `transfer:${id}`, null, stateOf(made.transfer));
  return toTransfer(made, ctx.now);
}

const isUnderWay = ({ status }: TransferRow): boolean => ['waiting', 'running', 'undoing'].includes(status);

const refused = (message: string) => new CallError('TRANSFER_REFUSED', { message });

function change(
  ctx: Ctx,
  id: string,
  next: (ctx: Ctx, row: TransferRow) => Promise<Partial<TransferRow>>,
): Promise<queries.TransferPart> {
  return inTx(ctx, async (ctx) => {
    const before = await queries.lockTransfer(ctx.db, id);
    await queries.transferRows.update(ctx.db, id, await next(ctx, before));
    const after = await queries.getTransfer(ctx.db, id);
    changed(ctx, `transfer:${id}`, stateOf(before), stateOf(after.transfer));
    return after;
  });
}

export const cancel = (ctx: Ctx, id: string): Promise<queries.TransferPart> =>
  change(ctx, id, async (ctx, row) => {
    if (row.status !== 'waiting' && row.status !== 'running') throw refused('它已经结束了');
    return {
      status: 'cancelled',
      endedAt: ctx.now,
      report: await queries.summarise(ctx.db, id),
      runner: null,
    };
  });

export const undo = (ctx: Ctx, id: string): Promise<queries.TransferPart> =>
  change(ctx, id, async (ctx, row) => {
    const hasKept = row.report.some(({ outcome }) => outcome === 'kept');
    const isOver = ['done', 'failed', 'cancelled', ...(hasKept ? ['undone'] : [])].includes(row.status);
    if (row.kind !== 'import' || !isOver) throw refused('只有结束了的导入可以撤销');
    await requireQuiet(ctx, 'import');
    await startRun(ctx, id);
    const begun = { total: 0, done: 0, message: '', endedAt: null, runner: null, aliveAt: null, failures: 0 };
    return { ...begun, status: 'undoing' };
  });

export async function remove(ctx: Ctx, id: string): Promise<void> {
  const row = await inTx(ctx, async (ctx) => {
    const row = await queries.lockTransfer(ctx.db, id);
    if (isUnderWay(row)) throw refused('它还在进行，请先停止');
    await queries.transferRows.remove(ctx.db, id);
    changed(ctx, `transfer:${id}`, stateOf(row), null);
    return row;
  });
  await forgetFile(ctx, row);
}

/** Of one's own essays, once an hour; the one before takes no more room. */
export async function orderOwn(ctx: Ctx, viewer: Viewer): Promise<TransferRow> {
  const last = await queries.findOwnExport(ctx.db, viewer.id);
  const row = await beginOwn(ctx, viewer);
  if (last !== null) await forgetFile(ctx, last);
  return row;
}

function beginOwn(ctx: Ctx, viewer: Viewer): Promise<TransferRow> {
  return inTx(ctx, async (ctx) => {
    await queries.lockOwn(ctx.db, viewer.id);
    const last = await queries.findOwnExport(ctx.db, viewer.id);
    if (last !== null && isUnderWay(last))
      throw new CallError('EXPORT_TOO_SOON', { message: '上一次导出还没有完成，请稍后再试' });
    if (last !== null && last.status !== 'failed' && ctx.now.getTime() - last.createdAt.getTime() < HOUR_MS)
      throw new CallError('EXPORT_TOO_SOON');
    const id = await begin(ctx, {
      kind: 'export',
      scope: 'author',
      format: 'mozhan',
      authorId: viewer.id,
      userId: viewer.id,
      own: true,
      fileName: nameOf(viewer.displayName, ctx.now),
    });
    const row = await queries.transferRows.find(ctx.db, id);
    if (row === null) throw queries.transferRows.missing();
    return row;
  });
}
