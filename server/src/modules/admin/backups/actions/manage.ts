import type { Readable } from 'node:stream';
import { CallError } from '@mozhan/contract/errors.ts';
import { afterCommit, type Ctx, changed, inTx, type Viewer } from '../../../../ctx.ts';
import type { ByteRange } from '../../../../files/files.ts';
import { holds } from '../../../../viewer.ts';
import { findSessionViewer } from '../../../accounts/users/index.ts';
import { findBytes, readFile, removeFile } from '../folder.ts';
import { makeLink, readLink } from '../links.ts';
import * as queries from '../queries.ts';
import { isElsewhere, isRoomy, NO_SPACE, queueBackup } from './make.ts';

const LINK_LIFE = 5 * 60_000;

export const isHere = async (ctx: Ctx, name: string | null): Promise<boolean> =>
  name !== null && (await findBytes(ctx.services.config, name)) !== null;

export async function createBackup(ctx: Ctx): Promise<queries.Listed> {
  if (!(await isRoomy(ctx))) throw new CallError('BACKUP_NO_SPACE', { message: NO_SPACE });
  return inTx(ctx, async (ctx) => {
    const id = await queueBackup(ctx, { madeBy: 'manual', userId: ctx.viewer?.id ?? null });
    changed(ctx, `backup:${id}`, null, { madeBy: 'manual' });
    return queries.getListed(ctx.db, id);
  });
}

const ELSEWHERE =
  '备份文件不在这台机器上，请到存放它的机器上删除；如果文件已经没有了，一天后可以删除这条记录';

export function removeBackup(ctx: Ctx, id: string): Promise<void> {
  return inTx(ctx, async (ctx) => {
    const { backup } = await queries.getListed(ctx.db, id);
    const { name, createdAt, bytes } = backup;
    if (await isElsewhere(ctx, backup)) throw new CallError('GONE', { message: ELSEWHERE });
    if (!(await queries.removeBackup(ctx.db, id))) throw new CallError('BACKUP_RUNNING');
    changed(ctx, `backup:${id}`, { name, bytes, createdAt: createdAt.toISOString() }, null);
    if (name === null) return;
    const { config, log } = ctx.services;
    afterCommit(ctx, () => {
      removeFile(config, name).catch((error: unknown) => log.warn(error, 'backup not removed'));
    });
  });
}

/** Who takes a backup away, takes everything: it is written down. */
export async function createLink(ctx: Ctx, { sessionId }: Viewer, id: string) {
  const { config, secret } = ctx.services;
  const { name } = (await queries.getListed(ctx.db, id)).backup;
  if (name === null || !(await isHere(ctx, name)))
    throw new CallError('GONE', { message: '备份文件不在这台机器上' });
  changed(ctx, `backup:${id}`, null, { downloaded: name });
  const expiresAt = new Date(ctx.now.getTime() + LINK_LIFE);
  return {
    url: `${config.basePath}/backup/${makeLink(secret, { id, sessionId, expiresAt })}`,
    expiresAt: expiresAt.toISOString(),
  };
}

export interface Download {
  name: string;
  bytes: number;
  read: (range: ByteRange) => Promise<Readable>;
}

export async function openLink(ctx: Ctx, link: string): Promise<Download> {
  const { config, secret } = ctx.services;
  const found = readLink(secret, link);
  if (found === null) throw new CallError('NOT_FOUND', { message: '下载地址不对' });
  if (found.expiresAt <= ctx.now)
    throw new CallError('GONE', { message: '下载地址已过期，请回到后台重新下载' });
  const viewer = await findSessionViewer(ctx, found.sessionId);
  if (!holds(viewer, 'backup:download'))
    throw new CallError('GONE', { message: '登录或权限已经结束，下载地址随之失效' });
  const name = (await queries.backupRows.find(ctx.db, found.id))?.name ?? null;
  const bytes = name === null ? null : await findBytes(config, name);
  if (name === null || bytes === null) throw new CallError('GONE');
  return { name, bytes, read: async (range) => readFile(config, name, range) };
}
