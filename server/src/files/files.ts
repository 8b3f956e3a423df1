import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { before } from '@mozhan/contract/scan.ts';
import { giveToOwner, ownerFor } from '@mozhan/postgres/secret-file.ts';
import { closePrivate, makeFolder, PRIVATE_FILE, PRIVATE_FOLDER } from './private.ts';

/** What was just received: aside on the disk, gone again with the request unless it is kept. */
export interface ReceivedFile {
  /** As the sender calls it, if at all: not to be trusted. */
  name: string | undefined;
  /** Where its content is, for as long as the request lasts. */
  location: string;
  bytes: number;
  hash: string;
}

export interface KeptFile {
  path: string;
  bytes: number;
}

/** Where files are kept, for those who look after the installation. */
export interface StoreState {
  kind: 'disk' | 's3';
  where: string;
  freeBytes: number | null;
}

/** The first and the last byte. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Its content is not what its name says. */
export class FileChanged extends Error {
  constructor(path: string) {
    super(`content of another file: ${path}`);
  }
}

export class FileMissing extends Error {
  constructor(path: string) {
    super(`no such file: ${path}`);
  }
}

/**
 * Where uploads are kept, named by the content's hash, so that a file never changes: `/files/ab/cdef….webp` for
 * everyone, `/private/ab/cdef…` for those whom the program sends it.
 */
export interface Files {
  put: (content: Buffer, extension: string) => Promise<string>;
  /** Writes a stream to the disk as it comes, so that its size is nothing to the memory. */
  receive: (name: string | undefined, content: Readable, signal?: AbortSignal) => Promise<ReceivedFile>;
  keepPrivate: (file: ReceivedFile) => Promise<string>;
  discard: (file: ReceivedFile) => Promise<void>;
  /** Throws FileMissing. */
  read: (path: string, range?: ByteRange) => Promise<Readable>;
  readWhole: (path: string) => Promise<Buffer>;
  remove: (path: string) => Promise<void>;
  /** All that are kept, for everyone and private, in no order. */
  list: () => AsyncIterable<KeptFile>;
  /** Puts a file back where it was; what its name does not fit is refused. */
  restore: (path: string, content: Readable) => Promise<void>;
  /** Throws when the store cannot be reached. */
  check: () => Promise<StoreState>;
  /** The address of a file for everyone. */
  urlOf: (path: string) => string;
  /** By which clients send files straight to the store; null: only through us. */
  direct: DirectUpload | null;
}

/** A place for one file, of just this size and type, that somebody may fill by one request. */
export interface Opening {
  url: string;
  headers: Record<string, string>;
}

export interface DirectUpload {
  open: (id: string, file: { bytes: number; type: string; seconds: number }) => Opening;
  /** Fetches what was sent there; null when it was nothing, or not what there was a place for. */
  take: (id: string, file: { name: string; bytes: number }) => Promise<ReceivedFile | null>;
  discard: (id: string) => Promise<void>;
  /** What was sent before this, and never taken. */
  expire: (before: Date) => Promise<void>;
}

const FILE_PATH =
  /^\/(?:files\/[0-9a-f]{2}\/[0-9a-f]{62}\.[a-z0-9]{2,5}|private\/[0-9a-f]{2}\/[0-9a-f]{62})$/;

export const isFilePath = (path: string): boolean => FILE_PATH.test(path);

export function requirePath(path: string): string {
  if (!isFilePath(path)) throw new Error(`no path of a file: ${path}`);
  return path;
}

export const publicPath = (hash: string, extension: string): string =>
  `/files/${hash.slice(0, 2)}/${hash.slice(2)}.${extension}`;
export const privatePath = (hash: string): string => `/private/${hash.slice(0, 2)}/${hash.slice(2)}`;

/** The hash that a path is made of. */
const hashIn = (path: string): string =>
  before(path, '.')
    .replace(/^\/\w+\//, '')
    .replace('/', '');

/** Longer than anything is sent on from there: whose process ended before it could clean up. */
const ABANDONED_MS = 6 * 3_600_000;
const CLEANING_MS = 3_600_000;

/** Where files are received, on this machine wherever they are kept. */
export async function openIncoming(dataDir: string) {
  const folder = join(dataDir, 'private', 'incoming');
  await mkdir(dataDir, { recursive: true });
  const owner = ownerFor(dataDir);
  await makeFolder(folder, owner, PRIVATE_FOLDER);
  await closePrivate(dirname(folder));
  await removeAbandoned(folder);
  setInterval(() => {
    // The next time, if not now.
    removeAbandoned(folder).catch(() => {});
  }, CLEANING_MS).unref();

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
      giveToOwner(location, owner);
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
    /** Receives what is to be kept under a path once more. */
    async restore(
      path: string,
      content: Readable,
      keep: (file: ReceivedFile) => Promise<void>,
    ): Promise<void> {
      requirePath(path);
      const file = await receive(undefined, content);
      try {
        if (file.hash !== hashIn(path)) throw new FileChanged(path);
        await keep(file);
      } finally {
        await discard(file);
      }
    },
  };
}

async function removeAbandoned(incoming: string): Promise<void> {
  for (const name of await readdir(incoming)) {
    const path = join(incoming, name);
    // Other processes may share the folder, and clean up too.
    const found = await stat(path).catch(() => null);
    if (found !== null && Date.now() - found.mtimeMs > ABANDONED_MS) await rm(path, { force: true });
  }
}
