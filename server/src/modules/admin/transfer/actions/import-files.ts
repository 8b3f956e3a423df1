import { CallError } from '@mozhan/contract/errors.ts';
import { MAX_IMAGE_BYTES } from '@mozhan/contract/uploads.ts';
import type { Ctx, Viewer } from '../../../../ctx.ts';
import { removeUnused, storeAttachment, storeImage } from '../../../platform/uploads/index.ts';
import { toImageJob } from './image-jobs.ts';
import { describeError, type ImportState } from './import-state.ts';
import { toItemKey } from './run.ts';

export const MAX_ATTACHMENT_BYTES = 50 * 1024 * 1024;

export interface ImportedFile {
  id: string;
  path: string;
}

/** The reason why a file was not imported. */
export interface RefusedFile {
  reason: string;
}

/** For files of an import that is undone; those that something uses stay. */
export async function removeStoredFiles(ctx: Ctx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const filter = { ids, before: new Date(ctx.services.clock().getTime() + 1) };
  await removeUnused(ctx, 'image', filter, ids.length);
  await removeUnused(ctx, 'attachment', filter, ids.length);
}

/** Without advice for somebody who uploads a file. */
export const describeFileError = (error: CallError): string => describeError(error).replace(/，请.*$/s, '');

/** Imports a file once per owner. */
async function importArchiveFile(
  state: ImportState,
  itemKey: string,
  name: string,
  store: (ctx: Ctx) => Promise<ImportedFile>,
): Promise<ImportedFile | RefusedFile> {
  const key = toItemKey(itemKey);
  const existing = state.files.get(key);
  if (existing !== undefined) return existing;
  if (!state.archive.has(name)) return { reason: '压缩包里没有' };
  const item = { key, kind: 'file' as const, title: name };
  const { run } = state;
  let imported: ImportedFile | RefusedFile;
  try {
    imported = await store(run.ctx());
    await run.recordItem(run.ctx(), {
      ...item,
      outcome: 'created',
      targetId: imported.id,
      detail: { path: imported.path },
    });
  } catch (error) {
    // Server errors do not mean that the file is invalid.
    if (!(error instanceof CallError) || error.status >= 500) throw error;
    imported = { reason: describeFileError(error) };
    await run.recordItem(run.ctx(), { ...item, outcome: 'skipped', note: imported.reason });
  }
  state.files.set(key, imported);
  return imported;
}

/** Pictures are encoded again, like any upload. Returns null if the picture is missing or invalid. */
export async function importPicture(
  state: ImportState,
  owner: Viewer,
  name: string,
): Promise<ImportedFile | null> {
  const imported = await importArchiveFile(state, `picture:${owner.id}:${name}`, name, async (ctx) => {
    if (state.archive.sizeOf(name) > MAX_IMAGE_BYTES)
      throw new CallError('TOO_LARGE', { message: '图片太大，最大 10 MB' });
    const content = await state.archive.readBytes(name);
    const { job, timeoutMs } = toImageJob(content);
    return storeImage(ctx, owner.id, job, { timeoutMs, ignoresQuota: true });
  });
  return 'reason' in imported ? null : imported;
}

export const importAttachment = (
  state: ImportState,
  owner: Viewer,
  name: string,
): Promise<ImportedFile | RefusedFile> =>
  importArchiveFile(state, `attachment:${owner.id}:${name}`, name, async (ctx) => {
    if (state.archive.sizeOf(name) > MAX_ATTACHMENT_BYTES)
      throw new CallError('TOO_LARGE', { message: '附件太大，最大 50 MB' });
    const { files } = ctx.services;
    const file = await files.receive(name.replace(/^.*\//, ''), state.archive.openStream(name));
    try {
      return await storeAttachment({ ...ctx, file }, owner, { ignoresQuota: true });
    } finally {
      await files.discard(file);
    }
  });
