import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { textBefore } from '@mozhan/contract/text-scan.ts';
import { ownerForNewFiles, setOwner } from '@mozhan/postgres/secret-file.ts';
import { createFolder, PRIVATE_FILE, PRIVATE_FOLDER, restrictPrivateFolder } from './permissions.ts';

/** A received file in a temporary folder; deleted after the request unless it is stored. */
export interface ReceivedFile {
  /** The file name given by the client; untrusted. */
  name: string | undefined;
  location: string;
  bytes: number;
  hash: string;
}

export interface StoredFile {
  path: string;
  bytes: number;
}

export interface FileStoreStatus {
  kind: 'disk' | 's3';
  where: string;
  freeBytes: number | null;
}

/** Offsets of the first and the last byte, inclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

/** The content does not match the hash in the file's path. */
export class FileHashMismatch extends Error {
  constructor(path: string) {
    super(`content does not match the hash: ${path}`);
  }
}

export class FileMissing extends Error {
  constructor(path: string) {
    super(`no such file: ${path}`);
  }
}

/**
 * Stores uploads by the hash of their content, so that a file never changes: `/files/ab/cdef….webp` is public,
 * `/private/ab/cdef…` is sent only by the application.
 */
export interface FileStore {
  put: (content: Buffer, extension: string) => Promise<string>;
  /** Streams the content to disk, so that memory use does not depend on its size. */
  receive: (name: string | undefined, content: Readable, signal?: AbortSignal) => Promise<ReceivedFile>;
  storePrivate: (file: ReceivedFile) => Promise<string>;
  discard: (file: ReceivedFile) => Promise<void>;
  /** Throws FileMissing. */
  read: (path: string, range?: ByteRange) => Promise<Readable>;
  readBuffer: (path: string) => Promise<Buffer>;
  remove: (path: string) => Promise<void>;
  /** Lists public and private files in no particular order. */
  list: () => AsyncIterable<StoredFile>;
  /** Writes a file back to its path; throws FileHashMismatch if the content does not match. */
  restore: (path: string, content: Readable) => Promise<void>;
  check: () => Promise<FileStoreStatus>;
  urlOf: (path: string) => string;
  /** Lets clients upload directly to the store; null if the store does not support it. */
  directUpload: DirectUpload | null;
}

/** A presigned request by which a client uploads one file of a fixed size and type. */
export interface UploadTarget {
  url: string;
  headers: Record<string, string>;
}

export interface DirectUpload {
  createTarget: (id: string, file: { bytes: number; type: string; seconds: number }) => UploadTarget;
  /** Downloads the uploaded file; null if there is none or its size differs. */
  receiveUpload: (id: string, file: { name: string; bytes: number }) => Promise<ReceivedFile | null>;
  discard: (id: string) => Promise<void>;
  /** Deletes uploads from before this time that were never received. */
  expire: (before: Date) => Promise<void>;
}

const FILE_PATH =
  /^\/(?:files\/[0-9a-f]{2}\/[0-9a-f]{62}\.[a-z0-9]{2,5}|private\/[0-9a-f]{2}\/[0-9a-f]{62})$/;

export const isFilePath = (path: string): boolean => FILE_PATH.test(path);

export function requireFilePath(path: string): string {
  if (!isFilePath(path)) throw new Error(`not a file path: ${path}`);
  return path;
}

export const publicPath = (hash: string, extension: string): string =>
  `/files/${hash.slice(0, 2)}/${hash.slice(2)}.${extension}`;
export const privatePath = (hash: string): string => `/private/${hash.slice(0, 2)}/${hash.slice(2)}`;

const hashOfPath = (path: string): string =>
  textBefore(path, '.')
    .replace(/^\/\w+\//, '')
    .replace('/', '');

/** Older temporary files belong to a process that exited before it could delete them. */
const ABANDONED_MS = 6 * 3_600_000;
const CLEANUP_INTERVAL_MS = 3_600_000;

/** The folder on this machine for files being received, also when files are stored in S3. */
export async function openIncomingFolder(dataDir: string) {
  const folder = join(dataDir, 'private', 'incoming');
  await mkdir(dataDir, { recursive: true });
  const owner = ownerForNewFiles(dataDir);
  await createFolder(folder, owner, PRIVATE_FOLDER);
  await restrictPrivateFolder(dirname(folder));
  await removeAbandoned(folder);
  setInterval(() => {
    // A failed clean-up is repeated at the next interval.
    removeAbandoned(folder).catch(() => {});
  }, CLEANUP_INTERVAL_MS).unref();

  async function receive(
    name: string | undefined,
    content: Readable,
    signal?: AbortSignal,
  ): Promise<ReceivedFile> {
    const location = join(folder, randomUUID());
    const hash = createHash('sha256');
    let bytes = 0;
    const measure = async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    };
    try {
      const target = createWriteStream(location, { flags: 'wx', flush: true, mode: PRIVATE_FILE });
      await pipeline(content, measure, target, { ...(signal && { signal }) });
      setOwner(location, owner);
    } catch (error) {
      await rm(location, { force: true });
      throw error;
    }
    return { name, location, bytes, hash: hash.digest('hex') };
  }

  async function discard(file: ReceivedFile): Promise<void> {
    await rm(file.location, { force: true });
  }

  return {
    folder,
    owner,
    receive,
    discard,
    /** Receives content that must match the hash in `path`, then stores it. */
    async restore(
      path: string,
      content: Readable,
      store: (file: ReceivedFile) => Promise<void>,
    ): Promise<void> {
      requireFilePath(path);
      const file = await receive(undefined, content);
      try {
        if (file.hash !== hashOfPath(path)) throw new FileHashMismatch(path);
        await store(file);
      } finally {
        await discard(file);
      }
    },
  };
}

async function removeAbandoned(incoming: string): Promise<void> {
  for (const name of await readdir(incoming)) {
    const path = join(incoming, name);
    // Another process that shares the folder may have deleted the file.
    const found = await stat(path).catch(() => null);
    if (found !== null && Date.now() - found.mtimeMs > ABANDONED_MS) await rm(path, { force: true });
  }
}
