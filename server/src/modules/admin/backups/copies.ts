import { createWriteStream, openAsBlob } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { S3Config } from '../../../config/s3.ts';
import { openBucket } from '../../../files/s3.ts';
import { createS3, type S3 } from '../../../files/s3-client.ts';
import { hashStream } from './archive.ts';
import { BackupError } from './errors.ts';
import { isBackupFileName, timeOfFileName } from './rules.ts';

/** Copies in this folder of the bucket expire; those in the other one stay until somebody removes them. */
const SCHEDULED = 'scheduled/';
const KEPT = 'kept/';

export interface BackupCopy {
  key: string;
  name: string;
  bytes: number;
  createdAt: Date;
}

export const describeBucket = ({ endpoint, bucket }: S3Config): string => `${endpoint}/${bucket}`;

export interface Copies {
  put: (path: string, options: { name: string; isScheduled: boolean }) => Promise<void>;
  list: () => Promise<BackupCopy[]>;
  listScheduled: () => Promise<BackupCopy[]>;
  remove: (copy: BackupCopy) => Promise<void>;
  download: (copy: BackupCopy, paths: { target: string; temporaryPath: string }) => Promise<void>;
}

/** Copies of backups in a private bucket. */
export async function openCopies(config: S3Config): Promise<Copies> {
  const s3 = createS3(config);
  await openBucket(s3, config, 'BACKUP_S3');
  const listScheduled = () => listFolder(s3, SCHEDULED);
  return {
    listScheduled,
    async put(path, { name, isScheduled }) {
      const key = (isScheduled ? SCHEDULED : KEPT) + name;
      const body = await openAsBlob(path);
      await requirePrivate(s3, config);
      await s3.put(key, body, { hash: await hashStream(Readable.fromWeb(body.stream() as ReadableStream)) });
      if ((await s3.findSize(key)) !== body.size) throw new BackupError('存储桶里的备份大小不对');
    },
    async list() {
      const copies = [...(await listScheduled()), ...(await listFolder(s3, KEPT))];
      return copies.toSorted((a, b) => b.name.localeCompare(a.name));
    },
    remove: ({ key }) => s3.remove(key),
    async download({ key, name, bytes }, { target, temporaryPath }) {
      const found = await s3.get(key);
      if (found?.body == null) throw new BackupError(`存储桶里没有 ${name}`);
      try {
        await pipeline(
          Readable.fromWeb(found.body as ReadableStream),
          createWriteStream(temporaryPath, { flags: 'wx', mode: 0o600, flush: true }),
        );
        await rename(temporaryPath, target);
      } catch (error) {
        await rm(temporaryPath, { force: true });
        throw new BackupError(`${name}（${bytes} 字节）没有下载完，请重试`, { cause: error });
      }
    },
  };
}

async function listFolder(s3: S3, folder: string): Promise<BackupCopy[]> {
  const copies: BackupCopy[] = [];
  for await (const { key, bytes, modified } of s3.list(folder)) {
    const name = key.slice(folder.length);
    // Not `modified`, because older backups may be copied later.
    if (isBackupFileName(name))
      copies.push({ key, name, bytes, createdAt: timeOfFileName(name) ?? modified });
  }
  return copies.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
}

const PROBE = 'probe';
const PROBE_TIMEOUT_MS = 5000;

/** Fails before anything is copied if everyone could read it: a backup contains password hashes and private letters. */
async function requirePrivate(s3: S3, { endpoint, bucket }: S3Config): Promise<void> {
  const content = new Blob(['nobody should be able to read this']);
  const hash = await hashStream(Readable.fromWeb(content.stream() as ReadableStream));
  await s3.put(PROBE, content, { hash });
  const response = await fetch(`${endpoint}/${bucket}/${PROBE}`, {
    signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
  }).catch(() => null);
  await response?.body?.cancel();
  if (response?.ok) throw new BackupError(`存储桶 ${bucket} 里的内容人人可读，没有复制：请改成私有`);
}
