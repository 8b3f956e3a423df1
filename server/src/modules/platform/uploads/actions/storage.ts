import { CallError } from '@mozhan/contract/errors.ts';
import { GRACE_HOURS, type OwnStorage, type UploadQuotas, uploadQuotas } from '@mozhan/contract/media.ts';
import type { UploadKind } from '@mozhan/contract/uploads.ts';
import { type Ctx, inTransaction, logChange } from '../../../../ctx.ts';
import type { Db } from '../../../../db/client.ts';
import { findSetting, updateSetting } from '../../settings/index.ts';
import * as queries from '../queries/storage.ts';
import type { UploadTotals } from '../tables.ts';

const KEY = 'uploads';
const MB = 1024 * 1024;
const DEFAULT_QUOTAS: UploadQuotas = { image: 1024, attachment: 2048 };
const storedQuotas = uploadQuotas.partial();

export const getQuotas = async (db: Db): Promise<UploadQuotas> => ({
  ...DEFAULT_QUOTAS,
  ...storedQuotas.parse((await findSetting(db, KEY)) ?? {}),
});

export function updateQuotas(ctx: Ctx, given: Partial<UploadQuotas>): Promise<UploadQuotas> {
  return inTransaction(ctx, async (ctx) => {
    const before = await getQuotas(ctx.db);
    await updateSetting(ctx, KEY, given);
    const after = await getQuotas(ctx.db);
    logChange(ctx, 'setting:uploads', before, after);
    return after;
  });
}

interface UsedSpace {
  bytes: number;
  /** Null: no limit. */
  quotaBytes: number | null;
}

const toSpace = (bytes: number, ownQuota: number | null, siteQuota: number): UsedSpace => {
  const megabytes = ownQuota ?? siteQuota;
  return { bytes, quotaBytes: megabytes === 0 ? null : megabytes * MB };
};

const toStorage = (totals: UploadTotals, quotas: UploadQuotas): Record<UploadKind, UsedSpace> => ({
  image: toSpace(totals.imageBytes, totals.imageQuota, quotas.image),
  attachment: toSpace(totals.attachmentBytes, totals.attachmentQuota, quotas.attachment),
});

/** Quotas in megabytes that differ from those of the site. */
export async function getUserStorage(ctx: Ctx, userId: string) {
  const totals = await queries.findTotals(ctx.db, userId);
  return {
    ...toStorage(totals, await getQuotas(ctx.db)),
    own: { image: totals.imageQuota, attachment: totals.attachmentQuota },
  };
}

export function updateUserQuotas(
  ctx: Ctx,
  userId: string,
  given: { image?: number | null | undefined; attachment?: number | null | undefined },
) {
  return inTransaction(ctx, async (ctx) => {
    const before = await getUserStorage(ctx, userId);
    await queries.upsertQuotas(ctx.db, userId, {
      ...(given.image === undefined ? {} : { imageQuota: given.image }),
      ...(given.attachment === undefined ? {} : { attachmentQuota: given.attachment }),
    });
    const after = await getUserStorage(ctx, userId);
    logChange(ctx, `user:${userId}`, toLog(before.own), toLog(after.own));
    return after;
  });
}

const toLog = ({ image, attachment }: { image: number | null; attachment: number | null }) => ({
  imageQuota: image,
  attachmentQuota: attachment,
});

const labels: Record<UploadKind, string> = { image: '图片', attachment: '附件' };
const formatMegabytes = (bytes: number): string => `${(bytes / MB).toFixed(1).replace(/\.0$/, '')} MB`;

/**
 * Throws if the user's files are larger than the quota. After an insertion in the same transaction the totals are locked,
 * so that of two uploads at the same time only one gets the last free bytes.
 */
export async function requireSpace(
  ctx: Ctx,
  userId: string,
  { kind, bytes = 0 }: { kind: UploadKind; bytes?: number },
): Promise<void> {
  const used = toStorage(await queries.findTotals(ctx.db, userId), await getQuotas(ctx.db))[kind];
  if (used.quotaBytes === null || used.bytes + bytes <= used.quotaBytes) return;
  throw new CallError('TOO_LARGE', { message: toFullMessage(kind, used.bytes, used.quotaBytes) });
}

interface NewFile {
  kind: UploadKind;
  insert: (ctx: Ctx) => Promise<void>;
  /** The stored files, which are discarded if another upload took the space meanwhile. */
  paths: string[];
}

export async function insertWithinQuota(
  ctx: Ctx,
  userId: string,
  { kind, insert, paths }: NewFile,
): Promise<void> {
  try {
    await inTransaction(ctx, async (ctx) => {
      await insert(ctx);
      await requireSpace(ctx, userId, { kind });
    });
  } catch (error) {
    await queries.insertDiscarded(ctx.db, paths, ctx.now);
    throw error;
  }
}

const toFullMessage = (kind: UploadKind, bytes: number, quotaBytes: number): string =>
  `${labels[kind]}的空间不够了：已用 ${formatMegabytes(bytes)}，共 ${formatMegabytes(quotaBytes)}。可以在「设置 → 账号与安全」里清理未使用的文件`;

export const graceEnd = (now: Date): Date => new Date(now.getTime() - GRACE_HOURS * 3_600_000);

export async function getOwnStorage(ctx: Ctx, userId: string): Promise<OwnStorage> {
  const filter = { userId, before: graceEnd(ctx.now) };
  const images = await queries.sumUnused(ctx.db, 'image', filter);
  const files = await queries.sumUnused(ctx.db, 'attachment', filter);
  return {
    ...toStorage(await queries.findTotals(ctx.db, userId), await getQuotas(ctx.db)),
    unused: { count: images.count + files.count, bytes: images.bytes + files.bytes },
  };
}

const MAX_OWN_REMOVED = 1000;

export function cleanOwnStorage(ctx: Ctx, userId: string): Promise<OwnStorage> {
  return inTransaction(ctx, async (ctx) => {
    await removeUnused(ctx, 'image', { userId }, MAX_OWN_REMOVED);
    await removeUnused(ctx, 'attachment', { userId }, MAX_OWN_REMOVED);
    return getOwnStorage(ctx, userId);
  });
}

/** Deletes rows of files that nothing uses; a job deletes the files later. `before` is the end of the grace period. */
export async function removeUnused(
  ctx: Ctx,
  kind: UploadKind,
  filter: Partial<queries.UnusedFilter>,
  limit: number,
): Promise<queries.RemovedFile[]> {
  const removed = await queries.removeUnused(ctx.db, kind, { before: graceEnd(ctx.now), ...filter }, limit);
  await queries.insertDiscarded(
    ctx.db,
    removed.flatMap(({ paths }) => paths),
    ctx.now,
  );
  return removed;
}

/** For an account that is closed. Files that essays and messages use stay. */
export async function eraseUnused(ctx: Ctx, userId: string): Promise<void> {
  for (const kind of ['image', 'attachment'] as const) {
    let removed: queries.RemovedFile[];
    do removed = await inTransaction(ctx, (ctx) => removeUnused(ctx, kind, { userId }, MAX_OWN_REMOVED));
    while (removed.length === MAX_OWN_REMOVED);
  }
}

/** Longer than any upload takes between storing its files and inserting its row. */
const DISCARD_DELAY_MS = 3_600_000;

/**
 * Deletes the file that was discarded first, unless something refers to it. The file is deleted while its row is locked,
 * so that an upload of the same content stores it again afterwards. Returns false if there is none.
 */
export function removeNextDiscarded(
  ctx: Ctx,
  isReferenced: (db: Db, path: string) => Promise<boolean>,
): Promise<boolean> {
  return inTransaction(ctx, async (ctx) => {
    const path = await queries.lockDiscarded(ctx.db, new Date(ctx.now.getTime() - DISCARD_DELAY_MS));
    if (path === null) return false;
    if (!(await queries.isFileOfUpload(ctx.db, path)) && !(await isReferenced(ctx.db, path)))
      await ctx.services.files.remove(path);
    await queries.removeDiscarded(ctx.db, [path]);
    return true;
  });
}
