import { z } from 'zod';
import { id } from './common.ts';
import { defineCall } from './define.ts';

const MB = 1024 * 1024;
export const MAX_IMAGE_BYTES = 10 * MB;
export const MAX_ATTACHMENT_BYTES = 50 * MB;

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

/** Has no permanent URL: readers of the essay request a link that is valid for a few minutes. */
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

export const uploadKind = z.enum(['image', 'attachment']).default('image').meta({ title: '类型' });
export type UploadKind = z.output<typeof uploadKind>;
const kind = uploadKind;

export const uploadFile = defineCall({
  method: 'POST',
  path: 'core/minio/upload',
  summary:
    '上传文件（multipart 的 file 字段）：kind=image 图片，重新编码，不带拍摄信息；kind=attachment 附件（作者），最大 50 MB',
  access: 'user',
  scope: 'upload:write',
  input: z.object({ kind }),
  output: z.union([uploadEntry, attachmentEntry]),
  errors: ['TOO_LARGE', 'FORBIDDEN'],
  file: { maxBytes: MAX_ATTACHMENT_BYTES },
  limit: { max: 60, per: 600 },
});

export const signUpload = defineCall({
  method: 'GET',
  path: 'core/sys/oss/sign',
  summary:
    '直接上传到哪里、怎样上传：用 method 和 headers 把文件发到 url；field 不为空时以 multipart 的这个字段发送，响应就是上传的结果；ticket 不为空时随后用它调用 POST core/minio/done',
  access: 'user',
  scope: 'upload:write',
  input: z.object({
    name: z.string().trim().min(1).max(255).meta({ title: '文件名' }),
    type: z
      .string()
      .max(100)
      .regex(/^[\w.+-]+\/[\w.+-]+$/, '应是文件的类型，例如 image/png')
      .meta({ title: '类型' }),
    size: z.int().min(1).meta({ title: '字节数' }),
    kind,
  }),
  output: z.object({
    method: z.enum(['PUT', 'POST']),
    url: z.string(),
    headers: z.record(z.string(), z.string()),
    field: z.literal('file').nullable(),
    ticket: z.string().nullable(),
    expiresAt: z.string(),
  }),
  errors: ['TOO_LARGE', 'FORBIDDEN'],
  limit: { max: 60, per: 600 },
});

export const finishUpload = defineCall({
  method: 'POST',
  path: 'core/minio/done',
  summary: '直接上传完成：取来检查、重新编码，与 POST core/minio/upload 的响应相同',
  access: 'user',
  scope: 'upload:write',
  input: z.object({ ticket: z.string().max(2000).meta({ title: '凭证' }) }),
  output: z.union([uploadEntry, attachmentEntry]),
  errors: ['TOO_LARGE', 'FORBIDDEN', 'GONE'],
  limit: { max: 60, per: 600 },
});

export const MAX_PICTURE_ADDRESS = 2000;

export const fetchPicture = defineCall({
  method: 'POST',
  path: 'core/minio/fetch',
  summary:
    '取来网上的一张图片并存为自己的上传（作者，或可以编辑文章、页面的管理员）：公网的 http 或 https 地址，最大 10 MB，与上传的图片一样重新编码、计入空间',
  access: 'writer',
  staffPermissions: ['essay:edit', 'page:update'],
  input: z.object({ url: z.string().trim().min(1).max(MAX_PICTURE_ADDRESS).meta({ title: '图片地址' }) }),
  output: uploadEntry,
  errors: ['TOO_LARGE', 'FORBIDDEN'],
  limit: { max: 120, per: 600 },
});

export const calls = [uploadFile, signUpload, finishUpload, fetchPicture] as const;
