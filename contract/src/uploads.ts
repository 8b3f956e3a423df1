import { z } from 'zod';
import { defineCall } from './define.ts';

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

export const uploadFile = defineCall({
  method: 'POST',
  path: 'core/minio/upload',
  summary: '上传图片（multipart 的 file 字段）；重新编码，不带拍摄信息',
  who: 'user',
  input: z.object({}),
  output: uploadEntry,
  errors: ['TOO_LARGE'],
  file: { maxBytes: 10 * 1024 * 1024 },
  limit: { max: 60, per: 600 },
});
