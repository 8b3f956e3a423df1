import { CallError, invalid } from '@mozhan/contract/errors.ts';
import { type finishUpload, MAX_ATTACHMENT_BYTES, type signUpload } from '@mozhan/contract/uploads.ts';
import type { z } from 'zod';
import type { Ctx, Viewer } from '../../../ctx.ts';
import { newId } from '../../../db/id.ts';
import { requireImageSize, requireWriter, store } from './actions.ts';
import { makeTicket, readTicket } from './tickets.ts';

/** A file may begin to be sent for so long, and be asked for as long again as it takes on a slow line. */
const OPEN_SECONDS = 10 * 60;
const TICKET_MS = 60 * 60_000;
/** What nobody can have a good ticket for any more. */
const FORGOTTEN_MS = 2 * TICKET_MS;

const IMAGE_TYPE = /^image\/(jpeg|png|webp|gif|avif|heic|heif)$/;

type Asked = z.output<typeof signUpload.input>;

/** Before megabytes are sent; all of it is looked at again in what arrives. */
function requireFit(viewer: Viewer, { type, size, kind }: Asked): void {
  if (kind === 'image') {
    requireImageSize(size);
    if (!IMAGE_TYPE.test(type)) throw invalid('type', '请上传 JPG、PNG、WebP、GIF 或 AVIF 图片');
    return;
  }
  requireWriter(viewer);
  if (size > MAX_ATTACHMENT_BYTES) throw new CallError('TOO_LARGE', { message: '附件太大，最大 50 MB' });
}

/** Where a file is sent to: a place in the store, or, where that is our own disk, our own call. */
export function openUpload(ctx: Ctx, viewer: Viewer, asked: Asked): z.output<typeof signUpload.output> {
  requireFit(viewer, asked);
  const { config, files, secret } = ctx.services;
  const expiresAt = new Date(ctx.now.getTime() + OPEN_SECONDS * 1000).toISOString();
  if (files.direct === null)
    return {
      method: 'POST',
      url: `${config.basePath}/api/core/minio/upload?kind=${asked.kind}`,
      headers: {},
      field: 'file',
      ticket: null,
      expiresAt,
    };
  const id = newId();
  const { kind, name, size: bytes, type } = asked;
  const opening = files.direct.open(id, { bytes, type, seconds: OPEN_SECONDS });
  const expires = ctx.now.getTime() + TICKET_MS;
  const ticket = makeTicket(secret, { id, userId: viewer.id, kind, name, bytes, expires });
  return { method: 'PUT', ...opening, field: null, ticket, expiresAt };
}

/** Takes what was sent to the store through the same checks as what is sent to us. */
export async function takeUpload(
  ctx: Ctx,
  viewer: Viewer,
  given: string,
): Promise<z.output<typeof finishUpload.output>> {
  const { files, secret } = ctx.services;
  const ticket = readTicket(secret, given);
  if (ticket === null || ticket.userId !== viewer.id || files.direct === null)
    throw invalid('ticket', '凭证不对，请重新上传');
  if (ticket.expires <= ctx.now.getTime()) throw new CallError('GONE', { message: '上传已过期，请重新上传' });
  const file = await files.direct.take(ticket.id, ticket);
  if (file === null) throw invalid('ticket', '没有收到文件，请重新上传');
  try {
    return await store({ ...ctx, file }, viewer, ticket.kind);
  } finally {
    await files.discard(file);
    await files.direct.discard(ticket.id);
  }
}

/** Of what was sent and never asked for. */
export async function expireUploads(ctx: Ctx): Promise<void> {
  await ctx.services.files.direct?.expire(new Date(Date.now() - FORGOTTEN_MS));
}
