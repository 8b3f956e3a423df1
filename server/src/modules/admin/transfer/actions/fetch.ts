import { CallError } from '@mozhan/contract/errors.ts';
import type { OwnExport } from '@mozhan/contract/transfer.ts';
import type { Ctx, Viewer } from '../../../../ctx.ts';
import { holds } from '../../../../viewer.ts';
import { linkTo, readLink } from '../links.ts';
import * as queries from '../queries/runs.ts';
import type { TransferRow } from '../tables.ts';
import { toOwnExport } from '../views.ts';

export interface TransferFile {
  name: string;
  type: string;
  path: string;
  bytes: number;
}

/** What can be fetched is what was made, never what somebody uploaded. */
const hasFile = ({ kind, status, filePath }: TransferRow): boolean =>
  kind === 'export' && status === 'done' && filePath !== null;

/** A writer's own, or any for staff who may export. */
const mayFetch = (viewer: Viewer, { own, userId }: TransferRow): boolean =>
  (own && userId === viewer.id) || holds(viewer, 'transfer:create');

export async function createLink(ctx: Ctx, viewer: Viewer, id: string) {
  const { transfer } = await queries.getTransfer(ctx.db, id);
  if (!hasFile(transfer)) throw new CallError('GONE', { message: '文件已不在，请重新导出' });
  return linkTo(ctx, 'transfer', id, viewer);
}

export async function showOwn(ctx: Ctx, viewer: Viewer): Promise<OwnExport | null> {
  const row = await queries.findOwnExport(ctx.db, viewer.id);
  return row === null
    ? null
    : toOwnExport(row, hasFile(row) ? linkTo(ctx, 'transfer', row.id, viewer) : null);
}

export async function openTransferLink(ctx: Ctx, link: string): Promise<TransferFile> {
  const { id, viewer } = await readLink(ctx, 'transfer', link);
  const row = await queries.transferRows.find(ctx.db, id);
  if (row === null || !hasFile(row) || row.filePath === null) throw new CallError('GONE');
  if (!mayFetch(viewer, row)) throw new CallError('GONE', { message: '你已不能下载这个文件' });
  return { name: row.fileName, type: 'application/zip', path: row.filePath, bytes: row.fileBytes };
}
