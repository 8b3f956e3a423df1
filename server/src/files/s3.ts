import { createHash } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ReadableStream } from 'node:stream/web';
import { type Config, ConfigError, publicFilesUrl } from '../config/config.ts';
import type { S3Config } from '../config/s3.ts';
import {
  type ByteRange,
  type DirectUpload,
  FileMissing,
  type FileStore,
  isFilePath,
  openIncomingFolder,
  privatePath,
  publicPath,
  type ReceivedFile,
  requireFilePath,
} from './files.ts';
import { createS3, type S3, S3Error } from './s3-client.ts';

/** For files read directly from the bucket, which never change because they are named by their hash. */
const IMMUTABLE = 'public, max-age=31536000, immutable';
const contentTypes: Record<string, string> = {
  webp: 'image/webp',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  avif: 'image/avif',
};

export const contentTypeOf = (path: string): string =>
  contentTypes[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream';

const headersOf = (path: string): Record<string, string> =>
  path.startsWith('/files/') ? { 'content-type': contentTypeOf(path), 'cache-control': IMMUTABLE } : {};

const keyOf = (path: string): string => requireFilePath(path).slice(1);

const contentOf = (response: Response): Readable =>
  response.body === null ? Readable.from([]) : Readable.fromWeb(response.body as ReadableStream);

/** Stores files in a bucket under their paths; uploads pass through a folder on this machine. */
export async function createS3Files(
  config: Pick<Config, 'dataDir' | 'basePath' | 's3'>,
  given: S3Config,
): Promise<FileStore> {
  const s3 = createS3(given);
  await ensureBucket(s3, given);
  const incoming = await openIncomingFolder(config.dataDir);

  const store = async (file: ReceivedFile, path: string): Promise<void> =>
    s3.put(keyOf(path), await openAsBlob(file.location), { hash: file.hash, headers: headersOf(path) });

  async function read(path: string, range?: ByteRange): Promise<Readable> {
    const found = await s3.get(keyOf(path), range);
    if (found === null) throw new FileMissing(path);
    return contentOf(found);
  }

  return {
    receive: incoming.receive,
    discard: incoming.discard,
    read,
    async put(content, extension) {
      const hash = createHash('sha256').update(content).digest('hex');
      const path = publicPath(hash, extension);
      await s3.put(keyOf(path), new Blob([new Uint8Array(content)]), { hash, headers: headersOf(path) });
      return path;
    },
    async storePrivate(file) {
      const path = privatePath(file.hash);
      await store(file, path);
      await incoming.discard(file);
      return path;
    },
    async readBuffer(path) {
      return buffer(await read(path));
    },
    async remove(path) {
      if (isFilePath(path)) await s3.remove(keyOf(path));
    },
    async *list() {
      for (const kind of ['files/', 'private/']) {
        for await (const { key, bytes } of s3.list(kind)) {
          if (isFilePath(`/${key}`)) yield { path: `/${key}`, bytes };
        }
      }
    },
    restore: (path, content) => incoming.restore(path, content, (file) => store(file, path)),
    async check() {
      await s3.check();
      return { kind: 's3', where: `${given.endpoint}/${given.bucket}`, freeBytes: null };
    },
    urlOf: (path) => publicFilesUrl(config) + path,
    directUpload: createDirectUpload(s3, incoming.receive),
  };
}

const INCOMING = 'incoming/';

function createDirectUpload(s3: S3, receive: FileStore['receive']): DirectUpload {
  const discard = (id: string): Promise<void> => s3.remove(INCOMING + id);
  return {
    discard,
    createTarget(id, { bytes, type, seconds }) {
      const headers = { 'content-type': type };
      const signed = { ...headers, 'content-length': String(bytes) };
      return { url: s3.presign({ method: 'PUT', key: INCOMING + id, headers: signed, seconds }), headers };
    },
    async receiveUpload(id, { name, bytes }) {
      const found = await s3.get(INCOMING + id);
      if (found === null) return null;
      const { headers } = found;
      // Content with an encoding would be decompressed by fetch, possibly to a huge size.
      const isPlain = headers.get('content-encoding') === null;
      if (isPlain && Number(headers.get('content-length')) === bytes) return receive(name, contentOf(found));
      await found.body?.cancel();
      return null;
    },
    async expire(before) {
      for await (const { key, modified } of s3.list(INCOMING)) if (modified < before) await s3.remove(key);
    },
  };
}

async function ensureBucket(s3: S3, given: S3Config): Promise<void> {
  await openBucket(s3, given, 'S3');
  if (given.publicUrl !== null) await requirePrivateFolder(s3, given.publicUrl);
}

/**
 * Creates the bucket if it is missing; throws a ConfigError for problems that the operator can fix, with the names of the
 * variables that begin with `prefix`.
 */
export async function openBucket(s3: S3, { endpoint, bucket }: S3Config, prefix: string): Promise<void> {
  try {
    await s3.check().catch(async (error: unknown) => {
      if (!(error instanceof S3Error && error.status === 404)) throw error;
      await s3.createBucket();
      await s3.check();
    });
  } catch (error) {
    if (!(error instanceof S3Error)) throw new ConfigError(`无法连接 ${prefix}_ENDPOINT：${endpoint}`);
    throw new ConfigError(
      error.status === 403
        ? `S3 拒绝了我们：请检查 ${prefix}_ACCESS_KEY、${prefix}_SECRET_KEY、${prefix}_REGION 和它们对 ${bucket} 的权限`
        : `无法使用 ${prefix}_BUCKET ${bucket}：S3 的响应是 ${`${error.status} ${error.code}`.trim()}`,
    );
  }
}

const PROBE = 'private/probe';
const PROBE_MS = 5000;

/** Fails if private files are readable at the public URL; passes if the URL cannot be reached. */
async function requirePrivateFolder(s3: S3, publicUrl: string): Promise<void> {
  const probe = 'nobody should be able to read this';
  await s3.put(PROBE, new Blob([probe]), { hash: createHash('sha256').update(probe).digest('hex') });
  const found = await fetch(`${publicUrl}/${PROBE}`, { signal: AbortSignal.timeout(PROBE_MS) })
    .then((response) => response.text())
    .catch(() => '');
  if (found === probe)
    throw new ConfigError('S3_PUBLIC_URL：私有文件也能从这里读到，请只公开存储桶里 files/ 下的内容');
}
