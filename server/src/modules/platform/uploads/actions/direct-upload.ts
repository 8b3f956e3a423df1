import { CallError, invalidField } from '@mozhan/contract/errors.ts';
import { type finishUpload, MAX_ATTACHMENT_BYTES, type signUpload } from '@mozhan/contract/uploads.ts';
import type { z } from 'zod';
import type { Ctx, Viewer } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import { createTicket, parseTicket } from '../tickets.ts';
import { requireSpace } from './storage.ts';
import { requireImageSize, requireWriter, storeUpload } from './upload.ts';

/** The upload URL expires early; the ticket lives longer, because an upload over a slow connection takes time. */
const URL_TTL_SECONDS = 10 * 60;
const TICKET_TTL_MS = 60 * 60_000;
/** Older uploads cannot have a valid ticket any more. */
const ABANDONED_AFTER_MS = 2 * TICKET_TTL_MS;

const IMAGE_TYPE = /^image\/(jpeg|png|webp|gif|avif|heic|heif)$/;

type UploadRequest = z.output<typeof signUpload.input>;

/** Rejects early, before the file is sent; the received file is checked again. */
function requireAllowed(viewer: Viewer, { type, size, kind }: UploadRequest): void {
  if (kind === 'image') {
    requireImageSize(size);
    if (!IMAGE_TYPE.test(type)) throw invalidField('type', '请上传 JPG、PNG、WebP、GIF 或 AVIF 图片');
    return;
  }
  requireWriter(viewer);
  if (size > MAX_ATTACHMENT_BYTES) throw new CallError('TOO_LARGE', { message: '附件太大，最大 50 MB' });
}

/** Returns where to send the file: a signed S3 URL, or our own upload call if files are on the disk. */
export async function signDirectUpload(
  ctx: Ctx,
  viewer: Viewer,
  request: UploadRequest,
): Promise<z.output<typeof signUpload.output>> {
  requireAllowed(viewer, request);
  // Pictures are encoded again, so their size is not known yet.
  await requireSpace(ctx, viewer.id, {
    kind: request.kind,
    bytes: request.kind === 'attachment' ? request.size : 0,
  });
  const { config, files, secret } = ctx.services;
  const expiresAt = new Date(ctx.now.getTime() + URL_TTL_SECONDS * 1000).toISOString();
  if (files.directUpload === null)
    return {
      method: 'POST',
      url: `${config.basePath}/api/core/minio/upload?kind=${request.kind}`,
      headers: {},
      field: 'file',
      ticket: null,
      expiresAt,
    };
  const id = newId();
  const { kind, name, size: bytes, type } = request;
  const opening = files.directUpload.createTarget(id, { bytes, type, seconds: URL_TTL_SECONDS });
  const expires = ctx.now.getTime() + TICKET_TTL_MS;
  const ticket = createTicket(secret, { id, userId: viewer.id, kind, name, bytes, expires });
  return { method: 'PUT', ...opening, field: null, ticket, expiresAt };
}

/** Applies the same checks to a file that was sent to S3 as to one that was sent to us. */
export async function finishDirectUpload(
  ctx: Ctx,
  viewer: Viewer,
  given: string,
): Promise<z.output<typeof finishUpload.output>> {
  const { files, secret } = ctx.services;
  const ticket = parseTicket(secret, given);
  if (ticket === null || ticket.userId !== viewer.id || files.directUpload === null)
    throw invalidField('ticket', '凭证不对，请重新上传');
  if (ticket.expires <= ctx.now.getTime()) throw new CallError('GONE', { message: '上传已过期，请重新上传' });
  const file = await files.directUpload.receiveUpload(ticket.id, ticket);
  if (file === null) throw invalidField('ticket', '没有收到文件，请重新上传');
  try {
    return await storeUpload({ ...ctx, file }, viewer, ticket.kind);
  } finally {
    await files.discard(file);
    await files.directUpload.discard(ticket.id);
  }
}

export async function removeAbandonedUploads(ctx: Ctx): Promise<void> {
  await ctx.services.files.directUpload?.expire(new Date(Date.now() - ABANDONED_AFTER_MS));
}
