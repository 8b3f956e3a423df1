import { CallError } from '#contract/errors.ts';
import type { OwnExport } from '#contract/transfer.ts';
import type { Ctx, Viewer } from '../../../ctx.ts';
import { makeLink, readLink } from '../links.ts';
import * as queries from '../queries/runs.ts';
import type { TransferRow } from '../tables.ts';
import { toOwnExport } from '../views.ts';

const LINK_LIFE = 10 * 60_000;

export interface TransferFile {
  name: string;
  type: string;
  path: string;
  bytes: number;
}

function linkTo(ctx: Ctx, id: string): { url: string; expiresAt: string } {
  const { config, secret } = ctx.services;
  const expiresAt = new Date(ctx.now.getTime() + LINK_LIFE);
  return {
    url: `${config.basePath}/download/transfer/${makeLink(secret, id, expiresAt)}`,
    expiresAt: expiresAt.toISOString(),
  };
}

/** What can be fetched is what was made, never what somebody uploaded. */
const hasFile = ({ kind, status, filePath }: TransferRow): boolean =>
  kind === 'export' && status === 'done' && filePath !== null;

export async function createLink(ctx: Ctx, id: string) {
  const { transfer } = await queries.getTransfer(ctx.db, id);
  if (!hasFile(transfer)) throw new CallError('GONE', { message: '文件已不在，请重新导出' });
  return linkTo(ctx, id);
}

export async function showOwn(ctx: Ctx, viewer: Viewer): Promise<OwnExport | null> {
  const row = await queries.findOwnExport(ctx.db, viewer.id);
  return row === null ? null : toOwnExport(row, hasFile(row) ? linkTo(ctx, row.id) : null);
}

export async function openTransferLink(ctx: Ctx, link: string): Promise<TransferFile> {
  const found = readLink(ctx.services.secret, link);
  if (found === null) throw new CallError('NOT_FOUND', { message: '下载地址不对' });
  if (found.expiresAt <= ctx.now) throw new CallError('GONE', { message: '下载地址已过期，请重新获取' });
  const row = await queries.findTransfer(ctx.db, found.id);
  if (row === null || !hasFile(row) || row.filePath === null) throw new CallError('GONE');
  return { name: row.fileName, type: 'application/zip', path: row.filePath, bytes: row.fileBytes };
}
