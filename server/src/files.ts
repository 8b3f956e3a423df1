import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** What was just received: aside on the disk, gone again with the request unless it is kept. */
export interface ReceivedFile {
  /** As the sender calls it, if at all: not to be trusted. */
  name: string | undefined;
  /** Where its content is, for as long as the request lasts. */
  location: string;
  bytes: number;
  hash: string;
}

/**
 * Where uploads are kept, named by the content's hash, so that a file never changes: `/files/ab/cdef….webp` for
 * everyone, `/private/ab/cdef…` for those whom the program sends it.
 */
export interface Files {
  root: string;
  put: (content: Buffer, extension: string) => Promise<string>;
  /** Writes a stream to the disk as it comes, so that its size is nothing to the memory. */
  receive: (name: string | undefined, content: Readable) => Promise<ReceivedFile>;
  keepPrivate: (file: ReceivedFile) => Promise<string>;
  discard: (file: ReceivedFile) => Promise<void>;
  /** Of a private file, on the disk. */
  locate: (path: string) => string;
  remove: (path: string) => Promise<void>;
}

const FILE_PATH =
  /^\/(?:files\/[0-9a-f]{2}\/[0-9a-f]{62}\.[a-z0-9]{2,5}|private\/[0-9a-f]{2}\/[0-9a-f]{62})$/;

/** Longer than any request lasts: whose process ended before it could clean up. */
const ABANDONED_MS = 60 * 60_000;

export async function createFiles(dataDir: string): Promise<Files> {
  const root = join(dataDir, 'files');
  const incoming = join(dataDir, 'private', 'incoming');
  await mkdir(root, { recursive: true });
  await mkdir(incoming, { recursive: true });
  await removeAbandoned(incoming);

  function locate(path: string): string {
    if (!FILE_PATH.test(path)) throw new Error(`no path of a file: ${path}`);
    return join(dataDir, path);
  }

  return {
    root,
    locate,
    async put(content, extension) {
      const hash = createHash('sha256').update(content).digest('hex');
      const path = `/files/${hash.slice(0, 2)}/${hash.slice(2)}.${extension}`;
      const target = locate(path);
      await mkdir(dirname(target), { recursive: true });
      // Written aside, synced and renamed: a crash leaves the whole file or none.
      const aside = `${target}.${randomUUID()}`;
      try {
        await writeFile(aside, content, { flag: 'wx', flush: true });
        await rename(aside, target);
      } catch (error) {
        await rm(aside, { force: true });
        throw error;
      }
      return path;
    },
    async receive(name, content) {
      const location = join(incoming, randomUUID());
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
        await pipeline(content, measure, createWriteStream(location, { flags: 'wx', flush: true }));
      } catch (error) {
        await rm(location, { force: true });
        throw error;
      }
      return { name, location, bytes, hash: hash.digest('hex') };
    },
    async keepPrivate(file) {
      const path = `/private/${file.hash.slice(0, 2)}/${file.hash.slice(2)}`;
      const target = locate(path);
      await mkdir(dirname(target), { recursive: true });
      await rename(file.location, target);
      return path;
    },
    async discard(file) {
      await rm(file.location, { force: true });
    },
    async remove(path) {
      if (FILE_PATH.test(path)) await rm(locate(path), { force: true });
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
