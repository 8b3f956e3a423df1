import { CallError } from '@mozhan/contract/errors.ts';
import type { OwnExport } from '@mozhan/contract/transfer.ts';
import type { Ctx, Viewer } from '../../../../ctx.ts';
import { hasPermission } from '../../../../viewer.ts';
import { createSignedLink, verifyLink } from '../links.ts';
import * as queries from '../queries/runs.ts';
import type { TransferRow } from '../tables.ts';
import { toOwnExport } from '../views.ts';

export interface TransferFile {
  name: string;
  type: string;
  path: string;
  bytes: number;
}

/** Only exports can be downloaded, never uploads. */
const hasFile = ({ kind, status, filePath }: TransferRow): boolean =>
  kind === 'export' && status === 'done' && filePath !== null;

const canDownload = (viewer: Viewer, { own, userId }: TransferRow): boolean =>
  (own && userId === viewer.id) || hasPermission(viewer, 'transfer:create');

export async function createFileLink(ctx: Ctx, viewer: Viewer, id: string) {
  const { transfer } = await queries.getTransfer(ctx.db, id);
  if (!hasFile(transfer)) throw new CallError('GONE', { message: '文件已不在，请重新导出' });
  return createSignedLink(ctx, 'transfer', id, viewer);
}

export async function getOwnExport(ctx: Ctx, viewer: Viewer): Promise<OwnExport | null> {
  const row = await queries.findOwnExport(ctx.db, viewer.id);
  return row === null
    ? null
    : toOwnExport(row, hasFile(row) ? createSignedLink(ctx, 'transfer', row.id, viewer) : null);
}

export async function openTransferLink(ctx: Ctx, link: string): Promise<TransferFile> {
  const { id, viewer } = await verifyLink(ctx, 'transfer', link);
  const row = await queries.transferRows.find(ctx.db, id);
  if (row === null || !hasFile(row) || row.filePath === null) throw new CallError('GONE');
  if (!canDownload(viewer, row)) throw new CallError('GONE', { message: '你已不能下载这个文件' });
  return { name: row.fileName, type: 'application/zip', path: row.filePath, bytes: row.fileBytes };
}
