import { createHash } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { IDENTITY } from '@mozhan/contract/enums.ts';
import { CallError, invalidField } from '@mozhan/contract/errors.ts';
import { type AttachmentEntry, MAX_IMAGE_BYTES, type UploadEntry } from '@mozhan/contract/uploads.ts';
import type { Ctx, Viewer } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import { privatePath, publicPath, type ReceivedFile } from '../../../../files/files.ts';
import { callerOf } from '../../../../threads/fair-queue.ts';
import { hasPermission } from '../../../../viewer.ts';
import { type ImageJob, processImage } from '../images.ts';
import { insertAttachment, insertUpload } from '../queries/files.ts';
import { removeDiscarded } from '../queries/storage.ts';
import { detectContentType, HEAD_BYTES, toFileName } from '../rules.ts';
import type { AttachmentRow } from '../tables.ts';
import { insertWithinQuota, requireSpace } from './storage.ts';

interface StoreOptions {
  timeoutMs?: number;
  /** Imports are started by staff, who decide about their size; the files count all the same. */
  ignoresQuota?: boolean;
}

/** Stores the files before the row, so that a row never refers to a missing file. */
export async function storeImage(
  ctx: Ctx,
  userId: string,
  job: ImageJob,
  { timeoutMs, ignoresQuota = false }: StoreOptions = {},
) {
  if (!ignoresQuota) await requireSpace(ctx, userId, { kind: 'image' });
  const image = await processImage(callerOf(ctx), job, timeoutMs);
  if (!ignoresQuota) await requireSpace(ctx, userId, { kind: 'image', bytes: image.full.length });
  const { files } = ctx.services;
  const contents = [image.full, image.thumb, ...(image.middle === null ? [] : [image.middle])];
  // Before the files are stored, because a job may be deleting files with the same content.
  await removeDiscarded(ctx.db, contents.map(pathOf));
  const [path = '', thumbPath = '', middlePath = null] = await Promise.all(
    contents.map((content) => files.put(content, 'webp')),
  );
  const upload = {
    id: newId(),
    userId,
    path,
    thumbPath,
    middlePath,
    width: image.width,
    height: image.height,
    bytes: image.full.length,
    createdAt: ctx.now,
  };
  const insert = (ctx: Ctx) => insertUpload(ctx.db, upload);
  if (ignoresQuota) await insert(ctx);
  else await insertWithinQuota(ctx, userId, { kind: 'image', insert, paths: contents.map(pathOf) });
  return upload;
}

const pathOf = (content: Buffer): string =>
  publicPath(createHash('sha256').update(content).digest('hex'), 'webp');

function requireFile(ctx: Ctx): ReceivedFile {
  if (ctx.file === null || ctx.file.bytes === 0) throw invalidField('file', '文件是空的，请重新选择');
  return ctx.file;
}

export function requireImageSize(bytes: number): void {
  if (bytes > MAX_IMAGE_BYTES) throw new CallError('TOO_LARGE', { message: '图片太大，最大 10 MB' });
}

async function uploadImage(ctx: Ctx, viewer: Viewer): Promise<UploadEntry> {
  const file = requireFile(ctx);
  requireImageSize(file.bytes);
  const upload = await storeImage(ctx, viewer.id, {
    content: await readFile(file.location),
    isGenerated: false,
  });
  return toUploadEntry(ctx, upload);
}

export function toUploadEntry(
  { services: { files } }: Ctx,
  { path, thumbPath, width, height }: Awaited<ReturnType<typeof storeImage>>,
): UploadEntry {
  return {
    url: files.urlOf(path),
    thumbUrl: files.urlOf(thumbPath),
    status: 'done',
    type: 'image',
    path,
    width,
    height,
  };
}

async function readHead(location: string): Promise<Buffer> {
  const handle = await open(location);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

export function requireWriter(viewer: Viewer): void {
  if (viewer.curIdentity !== IDENTITY.writer && !hasPermission(viewer, 'essay:edit'))
    throw new CallError('FORBIDDEN', { message: '成为作者后才能上传附件' });
}

/** Stores a private file, which can be downloaded by a signed link only. */
export async function storeAttachment(
  ctx: Ctx,
  viewer: Viewer,
  { ignoresQuota = false }: StoreOptions = {},
): Promise<AttachmentRow> {
  requireWriter(viewer);
  const file = requireFile(ctx);
  if (!file.name) throw invalidField('file', '文件没有名称，请重新选择');
  const name = toFileName(file.name);
  const type = detectContentType(name, await readHead(file.location));
  if (!ignoresQuota) await requireSpace(ctx, viewer.id, { kind: 'attachment', bytes: file.bytes });
  await removeDiscarded(ctx.db, [privatePath(file.hash)]);
  const path = await ctx.services.files.storePrivate(file);
  const attachment = {
    id: newId(),
    userId: viewer.id,
    name,
    type,
    bytes: file.bytes,
    path,
    createdAt: ctx.now,
    isUsed: false,
  };
  const insert = (ctx: Ctx) => insertAttachment(ctx.db, attachment);
  if (ignoresQuota) await insert(ctx);
  else await insertWithinQuota(ctx, viewer.id, { kind: 'attachment', insert, paths: [path] });
  return attachment;
}

async function uploadAttachment(ctx: Ctx, viewer: Viewer): Promise<AttachmentEntry> {
  const { id, name, bytes, type } = await storeAttachment(ctx, viewer);
  return { id, name, bytes, type, url: '', thumbUrl: '', status: 'done', path: '' };
}

export const storeUpload = (
  ctx: Ctx,
  viewer: Viewer,
  kind: 'image' | 'attachment',
): Promise<UploadEntry | AttachmentEntry> =>
  kind === 'attachment' ? uploadAttachment(ctx, viewer) : uploadImage(ctx, viewer);
