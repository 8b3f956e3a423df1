import type { Readable } from 'node:stream';
import { CallError } from '@mozhan/contract/errors.ts';
import { afterCommit, type Ctx, inTransaction, logChange, type Viewer } from '../../../../ctx.ts';
import type { ByteRange } from '../../../../files/files.ts';
import { hasPermission } from '../../../../viewer.ts';
import { findSessionViewer } from '../../../accounts/users/index.ts';
import { findFileSize, readFile, removeFile } from '../folder.ts';
import { signLink, verifyLink } from '../links.ts';
import * as queries from '../queries.ts';
import { hasEnoughDiskSpace, isOnOtherMachine, NO_SPACE, queueBackup } from './run.ts';

const LINK_TTL_MS = 5 * 60_000;

export const isFileHere = async (ctx: Ctx, name: string | null): Promise<boolean> =>
  name !== null && (await findFileSize(ctx.services.config, name)) !== null;

export async function createBackup(ctx: Ctx): Promise<queries.BackupWithUser> {
  if (!(await hasEnoughDiskSpace(ctx))) throw new CallError('BACKUP_NO_SPACE', { message: NO_SPACE });
  return inTransaction(ctx, async (ctx) => {
    const id = await queueBackup(ctx, { madeBy: 'manual', userId: ctx.viewer?.id ?? null });
    logChange(ctx, `backup:${id}`, null, { madeBy: 'manual' });
    return queries.getBackupWithUser(ctx.db, id);
  });
}

const FILE_ELSEWHERE =
  '备份文件不在这台机器上，请到存放它的机器上删除；如果文件已经没有了，一天后可以删除这条记录';

export function removeBackup(ctx: Ctx, id: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const { backup } = await queries.getBackupWithUser(ctx.db, id);
    const { name, createdAt, bytes } = backup;
    if (await isOnOtherMachine(ctx, backup)) throw new CallError('GONE', { message: FILE_ELSEWHERE });
    if (!(await queries.removeBackup(ctx.db, id))) throw new CallError('BACKUP_RUNNING');
    logChange(ctx, `backup:${id}`, { name, bytes, createdAt: createdAt.toISOString() }, null);
    if (name === null) return;
    const { config, log } = ctx.services;
    afterCommit(ctx, () => {
      removeFile(config, name).catch((error: unknown) => log.warn(error, 'backup not removed'));
    });
  });
}

/** A backup contains all data, so each download link is recorded in the operation log. */
export async function createDownloadLink(ctx: Ctx, { sessionId }: Viewer, id: string) {
  const { config, secret } = ctx.services;
  const { name } = (await queries.getBackupWithUser(ctx.db, id)).backup;
  if (name === null || !(await isFileHere(ctx, name)))
    throw new CallError('GONE', { message: '备份文件不在这台机器上' });
  logChange(ctx, `backup:${id}`, null, { downloaded: name });
  const expiresAt = new Date(ctx.now.getTime() + LINK_TTL_MS);
  return {
    url: `${config.basePath}/backup/${signLink(secret, { id, sessionId, expiresAt })}`,
    expiresAt: expiresAt.toISOString(),
  };
}

export interface Download {
  name: string;
  bytes: number;
  read: (range: ByteRange) => Promise<Readable>;
}

export async function openDownloadLink(ctx: Ctx, link: string): Promise<Download> {
  const { config, secret } = ctx.services;
  const claims = verifyLink(secret, link);
  if (claims === null) throw new CallError('NOT_FOUND', { message: '下载地址不对' });
  if (claims.expiresAt <= ctx.now)
    throw new CallError('GONE', { message: '下载地址已过期，请回到后台重新下载' });
  const viewer = await findSessionViewer(ctx, claims.sessionId);
  if (!hasPermission(viewer, 'backup:download'))
    throw new CallError('GONE', { message: '登录或权限已经结束，下载地址随之失效' });
  const name = (await queries.backupRows.find(ctx.db, claims.id))?.name ?? null;
  const bytes = name === null ? null : await findFileSize(config, name);
  if (name === null || bytes === null) throw new CallError('GONE');
  return { name, bytes, read: async (range) => readFile(config, name, range) };
}
