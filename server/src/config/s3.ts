import { trimEnd } from '@mozhan/contract/text-scan.ts';
import { z } from 'zod';
import { type ReportProblem, requireAllOrNone } from './all-or-none.ts';

const address = z
  .url({ protocol: /^https?$/, error: '应是以 http:// 或 https:// 开头的网址' })
  .refine((value) => !/[?#]/.test(value), '网址里不能有 ? 或 #')
  .transform((value) => trimEnd(value, '/'));

export const s3Environment = {
  S3_ENDPOINT: address.optional(),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, '应是 3–63 个小写字母、数字、点或短横线')
    .optional(),
  S3_REGION: z
    .string()
    .regex(/^[\w-]+$/, '应是区域的名称，例如 us-east-1')
    .default('us-east-1'),
  S3_ACCESS_KEY: z.string().optional(),
  S3_SECRET_KEY: z.string().optional(),
  S3_PUBLIC_URL: address.optional(),
};

const { S3_ENDPOINT, S3_BUCKET, S3_REGION, S3_ACCESS_KEY, S3_SECRET_KEY } = s3Environment;
export const backupS3Environment = {
  BACKUP_S3_ENDPOINT: S3_ENDPOINT,
  BACKUP_S3_BUCKET: S3_BUCKET,
  BACKUP_S3_REGION: S3_REGION,
  BACKUP_S3_ACCESS_KEY: S3_ACCESS_KEY,
  BACKUP_S3_SECRET_KEY: S3_SECRET_KEY,
};

export interface S3Config {
  endpoint: string;
  bucket: string;
  region: string;
  accessKey: string;
  secretKey: string;
  /** Public URL of the bucket's `files/` folder; null: this server serves the files. */
  publicUrl: string | null;
}

export function readS3(
  e: z.output<z.ZodObject<typeof s3Environment>>,
  reportProblem: ReportProblem,
): S3Config | null {
  const { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY, S3_SECRET_KEY, S3_PUBLIC_URL, S3_REGION } = e;
  const given = requireAllOrNone({ S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY, S3_SECRET_KEY }, reportProblem);
  if (given === null) {
    if (S3_PUBLIC_URL !== undefined) reportProblem('S3_PUBLIC_URL', '只在设置了 S3_ENDPOINT 等几项时有用');
    return null;
  }
  return {
    endpoint: given.S3_ENDPOINT,
    bucket: given.S3_BUCKET,
    region: S3_REGION,
    accessKey: given.S3_ACCESS_KEY,
    secretKey: given.S3_SECRET_KEY,
    publicUrl: S3_PUBLIC_URL ?? null,
  };
}

/** The bucket for copies of backups. It must differ from that of the files, a part of which may be public. */
export function readBackupS3(
  e: z.output<z.ZodObject<typeof backupS3Environment>>,
  files: S3Config | null,
  reportProblem: ReportProblem,
): S3Config | null {
  const { BACKUP_S3_ENDPOINT, BACKUP_S3_BUCKET, BACKUP_S3_ACCESS_KEY, BACKUP_S3_SECRET_KEY } = e;
  const given = requireAllOrNone(
    { BACKUP_S3_ENDPOINT, BACKUP_S3_BUCKET, BACKUP_S3_ACCESS_KEY, BACKUP_S3_SECRET_KEY },
    reportProblem,
  );
  if (given === null) return null;
  if (given.BACKUP_S3_ENDPOINT === files?.endpoint && given.BACKUP_S3_BUCKET === files.bucket)
    reportProblem('BACKUP_S3_BUCKET', '不能与存放文件的 S3_BUCKET 相同');
  return {
    endpoint: given.BACKUP_S3_ENDPOINT,
    bucket: given.BACKUP_S3_BUCKET,
    region: e.BACKUP_S3_REGION,
    accessKey: given.BACKUP_S3_ACCESS_KEY,
    secretKey: given.BACKUP_S3_SECRET_KEY,
    publicUrl: null,
  };
}
