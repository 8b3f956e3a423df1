import { z } from 'zod';
import { id } from './common.ts';
import { defineCall } from './define.ts';

const MB = 1024 * 1024;
export const MAX_IMAGE_BYTES = 10 * MB;
const MAX_ATTACHMENT_BYTES = 50 * MB;

export const uploadEntry = z.object({
  url: z.string(),
  thumbUrl: z.string(),
  status: z.literal('done'),
  type: z.literal('image'),
  path: z.string(),
  width: z.int(),
  height: z.int(),
});
export type UploadEntry = z.output<typeof uploadEntry>;

/** Has no address of its own: whoever may read the essay asks for a link that works for a few minutes. */
const attachmentEntry = z.object({
  id,
  name: z.string(),
  bytes: z.int(),
  type: z.string(),
  url: z.literal(''),
  thumbUrl: z.literal(''),
  status: z.literal('done'),
  path: z.literal(''),
});
export type AttachmentEntry = z.output<typeof attachmentEntry>;

export const uploadFile = defineCall({
  method: 'POST',
  path: 'core/minio/upload',
  summary:
    '上传文件（multipart 的 file 字段）：kind=image 图片，重新编码，不带拍摄信息；kind=attachment 附件（作者），最大 50 MB',
  who: 'user',
  input: z.object({ kind: z.enum(['image', 'attachment']).default('image').meta({ title: '种类' }) }),
  output: z.union([uploadEntry, attachmentEntry]),
  errors: ['TOO_LARGE', 'FORBIDDEN'],
  file: { maxBytes: MAX_ATTACHMENT_BYTES },
  limit: { max: 60, per: 600 },
});
