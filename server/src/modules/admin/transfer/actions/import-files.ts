import { CallError } from '@mozhan/contract/errors.ts';
import { MAX_IMAGE_BYTES } from '@mozhan/contract/uploads.ts';
import type { Ctx, Viewer } from '../../../../ctx.ts';
import { storeImage, uploadAttachment } from '../../../platform/uploads/index.ts';
import { describeError, type ImportState } from './import-state.ts';
import { toItemKey } from './run.ts';
import { isSvg } from './svg.ts';

/** Longer than for uploads, because no user waits for an import. */
const PICTURE_TIMEOUT_MS = 60_000;
const MAX_ATTACHMENT_BYTES = 50 * 1024 * 1024;

interface ImportedFile {
  id: string;
  path: string;
}

/** Imports a file once per owner; returns null if it is missing or invalid. */
async function importArchiveFile(
  state: ImportState,
  itemKey: string,
  name: string,
  store: (ctx: Ctx) => Promise<ImportedFile>,
): Promise<ImportedFile | null> {
  const key = toItemKey(itemKey);
  const existing = state.files.get(key);
  if (existing !== undefined) return existing;
  if (!state.archive.has(name)) return null;
  const item = { key, kind: 'file' as const, title: name };
  const { run } = state;
  let imported: ImportedFile | null = null;
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
    await run.recordItem(run.ctx(), { ...item, outcome: 'skipped', note: describeError(error) });
  }
  state.files.set(key, imported);
  return imported;
}

/** Pictures are encoded again, like any upload. */
export const importPicture = (
  state: ImportState,
  owner: Viewer,
  name: string,
): Promise<ImportedFile | null> =>
  importArchiveFile(state, `picture:${owner.id}:${name}`, name, async (ctx) => {
    if (state.archive.sizeOf(name) > MAX_IMAGE_BYTES)
      throw new CallError('TOO_LARGE', { message: '图片太大，最大 10 MB' });
    const content = await state.archive.readBytes(name);
    return storeImage(
      ctx,
      owner.id,
      { content, isGenerated: false, allowsSvg: isSvg(content) },
      { timeoutMs: PICTURE_TIMEOUT_MS, ignoresQuota: true },
    );
  });

export const importAttachment = (
  state: ImportState,
  owner: Viewer,
  name: string,
): Promise<ImportedFile | null> =>
  importArchiveFile(state, `attachment:${owner.id}:${name}`, name, async (ctx) => {
    if (state.archive.sizeOf(name) > MAX_ATTACHMENT_BYTES)
      throw new CallError('TOO_LARGE', { message: '附件太大，最大 50 MB' });
    const { files } = ctx.services;
    const file = await files.receive(name.replace(/^.*\//, ''), state.archive.openStream(name));
    try {
      return { ...(await uploadAttachment({ ...ctx, file }, owner, { ignoresQuota: true })), path: '' };
    } finally {
      await files.discard(file);
    }
  });
