import { CallError } from '@mozhan/contract/errors.ts';
import { type Ctx, inTransaction, logChange } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import { addJob } from '../../../../jobs.ts';
import * as queries from '../queries/pictures.ts';
import { getTransfer, lockTransfer, type TransferWithUsers } from '../queries/runs.ts';
import type { PictureRow } from '../tables.ts';
import { toItemKey } from './run.ts';

const MAX_URL_LENGTH = 2000;

/** The address as it is fetched; null if it cannot be. */
export function toFetchUrl(url: string): string | null {
  const full = url.startsWith('//') ? `https:${url}` : url;
  return url.length <= MAX_URL_LENGTH && /^https?:/i.test(full) && URL.canParse(full) ? full : null;
}

/** The item of a fetched file; each owner has a row of the file. */
export const remoteItemKey = (ownerId: string, url: string): string => toItemKey(`remote:${ownerId}:${url}`);

interface FoundPictures {
  transferId: string;
  essayId?: string;
  pageId?: string;
  /** Addresses of pictures, as in the text. */
  urls: readonly string[];
  /** Addresses of attachments, as in the text. */
  attachments: readonly string[];
  /** Empty, or an address outside the archive. */
  cover: string;
}

/** Must run in the transaction that creates the essay or page. */
export async function recordRemotePictures(
  ctx: Ctx,
  { transferId, essayId, pageId, urls, attachments, cover }: FoundPictures,
): Promise<void> {
  const pictures = new Set([...urls, ...(cover === '' ? [] : [cover])]);
  const files = new Set(attachments);
  const found = [...new Set([...pictures, ...files])];
  if (found.length === 0) return;
  const rows = found.map((url): PictureRow => {
    const target = toFetchUrl(url);
    return {
      id: newId(),
      transferId,
      url,
      host: target === null ? '' : new URL(target).host,
      kind: files.has(url) && !pictures.has(url) ? 'attachment' : 'picture',
      status: target === null ? 'failed' : 'waiting',
      attempts: 0,
      error: target === null ? '地址不正确' : '',
      path: null,
      nextAt: ctx.now,
      leasedUntil: null,
    };
  });
  const inserted = await queries.insertPictures(ctx.db, rows);
  const ids = await queries.listPictureIds(ctx.db, transferId, found);
  const toUse = (url: string, isCover: boolean) => ({
    pictureId: ids.get(url) ?? '',
    essayId: essayId ?? null,
    pageId: pageId ?? null,
    isCover,
    applied: false,
  });
  await queries.insertUses(ctx.db, [
    ...[...new Set([...urls, ...files])].map((url) => toUse(url, false)),
    ...(cover === '' ? [] : [toUse(cover, true)]),
  ]);
  await queries.addToPictureCounts(ctx.db, transferId, {
    total: inserted.length,
    failed: inserted.filter(({ status }) => status === 'failed').length,
  });
}

export const queuePictures = (ctx: Ctx): Promise<void> =>
  addJob(ctx, 'fetch-remote-pictures', {}, { key: 'remote-pictures', maxAttempts: 3 });

/** For an import that is stopped: its pictures can be fetched later by a retry. */
export async function giveUpPictures(ctx: Ctx, transferId: string): Promise<void> {
  const failed = await queries.failWaitingPictures(ctx.db, transferId, '导入已停止，没有取');
  if (failed === 0) return;
  await queries.addToPictureCounts(ctx.db, transferId, { failed });
  await queuePictures(ctx);
}

export const retryPictures = (
  ctx: Ctx,
  { id, pictureIds }: { id: string; pictureIds?: string[] | undefined },
): Promise<TransferWithUsers> =>
  inTransaction(ctx, async (ctx) => {
    const { kind, status, fileName, picturesFailed } = await lockTransfer(ctx.db, id);
    if (kind !== 'import' || !['done', 'failed', 'cancelled'].includes(status))
      throw new CallError('TRANSFER_REFUSED', { message: '只有结束了的导入可以重取' });
    const count = await queries.resetFailedPictures(ctx.db, id, { ids: pictureIds, now: ctx.now });
    if (count === 0) throw new CallError('TRANSFER_REFUSED', { message: '没有需要重取的' });
    await queries.addToPictureCounts(ctx.db, id, { failed: -count });
    await queuePictures(ctx);
    const after = await getTransfer(ctx.db, id);
    logChange(
      ctx,
      `transfer:${id}`,
      { name: fileName, picturesFailed },
      { name: fileName, picturesFailed: after.transfer.picturesFailed },
    );
    return after;
  });
