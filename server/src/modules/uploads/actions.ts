import { invalid } from '#contract/errors.ts';
import type { UploadEntry } from '#contract/uploads.ts';
import type { Ctx, Viewer } from '../../ctx.ts';
import { newId } from '../../db/id.ts';
import { type ImageJob, readImage } from './images.ts';
import { insertUpload } from './queries.ts';

/** Stores an image of a user: the files first, so that the row never points at nothing. */
export async function storeImage(ctx: Ctx, userId: string, job: ImageJob) {
  const image = await readImage(job);
  const path = await ctx.services.files.put(image.full, 'webp');
  const thumbPath = await ctx.services.files.put(image.thumb, 'webp');
  const upload = {
    id: newId(),
    userId,
    path,
    thumbPath,
    width: image.width,
    height: image.height,
    bytes: image.full.length,
    createdAt: ctx.now,
  };
  await insertUpload(ctx.db, upload);
  return upload;
}

export async function uploadImage(ctx: Ctx, viewer: Viewer): Promise<UploadEntry> {
  if (ctx.file === null || ctx.file.length === 0) throw invalid('file', '文件是空的，请重新选择');
  const upload = await storeImage(ctx, viewer.id, { content: ctx.file, isDrawing: false });
  const base = ctx.services.config.basePath;
  return {
    url: base + upload.path,
    thumbUrl: base + upload.thumbPath,
    status: 'done',
    type: 'image',
    path: upload.path,
    width: upload.width,
    height: upload.height,
  };
}
