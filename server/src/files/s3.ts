import { createHash } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ReadableStream } from 'node:stream/web';
import { type Config, ConfigError, filesUrlOf } from '../config/config.ts';
import type { S3Config } from '../config/s3.ts';
import {
  type ByteRange,
  type DirectUpload,
  FileMissing,
  type Files,
  isFilePath,
  openIncoming,
  privatePath,
  publicPath,
  type ReceivedFile,
  requirePath,
} from './files.ts';
import { createS3, type S3, S3Refusal } from './s3-client.ts';

/** Named by their content, so for ever; the store tells it to whoever reads them there. */
const FOR_EVER = 'public, max-age=31536000, immutable';
const types: Record<string, string> = {
  webp: 'image/webp',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  avif: 'image/avif',
};

export const typeOfFile = (path: string): string =>
  types[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream';

const headersOf = (path: string): Record<string, string> =>
  path.startsWith('/files/') ? { 'content-type': typeOfFile(path), 'cache-control': FOR_EVER } : {};

const keyOf = (path: string): string => requirePath(path).slice(1);

const contentOf = (response: Response): Readable =>
  response.body === null ? Readable.from([]) : Readable.fromWeb(response.body as ReadableStream);

/** Files in a bucket, under their paths; they come and go through a folder on this machine. */
export async function createS3Files(
  config: Pick<Config, 'dataDir' | 'basePath' | 's3'>,
  given: S3Config,
): Promise<Files> {
  const s3 = createS3(given);
  await openBucket(s3, given);
  const incoming = await openIncoming(config.dataDir);

  const keep = async (file: ReceivedFile, path: string): Promise<void> =>
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
    async keepPrivate(file) {
      const path = privatePath(file.hash);
      await keep(file, path);
      await incoming.discard(file);
      return path;
    },
    async readWhole(path) {
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
    restore: (path, content) => incoming.restore(path, content, (file) => keep(file, path)),
    async check() {
      await s3.check();
      return { kind: 's3', where: `${given.endpoint}/${given.bucket}`, freeBytes: null };
    },
    urlOf: (path) => filesUrlOf(config) + path,
    direct: openDirect(s3, incoming.receive),
  };
}

const INCOMING = 'incoming/';

function openDirect(s3: S3, receive: Files['receive']): DirectUpload {
  const discard = (id: string): Promise<void> => s3.remove(INCOMING + id);
  return {
    discard,
    open(id, { bytes, type, seconds }) {
      const headers = { 'content-type': type };
      const signed = { ...headers, 'content-length': String(bytes) };
      return { url: s3.presign({ method: 'PUT', key: INCOMING + id, headers: signed, seconds }), headers };
    },
    async take(id, { name, bytes }) {
      const found = await s3.get(INCOMING + id);
      if (found === null) return null;
      const { headers } = found;
      // Said to be packed it would be unpacked on the way here, to whatever size.
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

/** What an operator can mend is said in a sentence. */
async function openBucket(s3: S3, { endpoint, bucket, publicUrl }: S3Config): Promise<void> {
  try {
    await s3.check().catch(async (error: unknown) => {
      if (!(error instanceof S3Refusal && error.status === 404)) throw error;
      await s3.createBucket();
      await s3.check();
    });
  } catch (error) {
    if (!(error instanceof S3Refusal)) throw new ConfigError(`无法连接 S3_ENDPOINT：${endpoint}`);
    throw new ConfigError(
      error.status === 403
        ? `S3 拒绝了我们：请检查 S3_ACCESS_KEY、S3_SECRET_KEY、S3_REGION 和它们对 ${bucket} 的权限`
        : `无法使用 S3_BUCKET ${bucket}：S3 的回答是 ${`${error.status} ${error.code}`.trim()}`,
    );
  }
  if (publicUrl !== null) await requireClosed(s3, publicUrl);
}

const PROBE = 'private/probe';
const PROBE_MS = 5000;

/** A bucket that is open to everyone would give private files away. Where the address is not to be reached, nothing is known. */
async function requireClosed(s3: S3, publicUrl: string): Promise<void> {
  const probe = 'nobody should be able to read this';
  await s3.put(PROBE, new Blob([probe]), { hash: createHash('sha256').update(probe).digest('hex') });
  const found = await fetch(`${publicUrl}/${PROBE}`, { signal: AbortSignal.timeout(PROBE_MS) })
    .then((response) => response.text())
    .catch(() => '');
  if (found === probe)
    throw new ConfigError('S3_PUBLIC_URL：私有文件也能从这里读到，请只公开存储桶里 files/ 下的内容');
}
