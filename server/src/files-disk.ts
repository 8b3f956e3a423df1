import { createHash, randomUUID } from 'node:crypto';
import {
  access,
  constants,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  stat,
  statfs,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type Config, filesUrlOf } from './config.ts';
import {
  type ByteRange,
  FileMissing,
  type Files,
  isFilePath,
  openIncoming,
  privatePath,
  publicPath,
  type ReceivedFile,
  requirePath,
} from './files.ts';

/** What lies there everyone may have. */
export const publicFolder = (dataDir: string): string => join(dataDir, 'files');

/** Files in `DATA_DIR`. */
export async function createDiskFiles(config: Pick<Config, 'dataDir' | 'basePath' | 's3'>): Promise<Files> {
  const { dataDir } = config;
  await mkdir(publicFolder(dataDir), { recursive: true });
  const incoming = await openIncoming(dataDir);
  const locate = (path: string): string => join(dataDir, requirePath(path));

  async function move(file: ReceivedFile, path: string): Promise<void> {
    const target = locate(path);
    await mkdir(dirname(target), { recursive: true });
    await rename(file.location, target);
  }

  async function read(path: string, range: Partial<ByteRange> = {}): Promise<Readable> {
    const handle = await open(locate(path)).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' ? new FileMissing(path) : error;
    });
    return handle.createReadStream(range);
  }

  return {
    receive: incoming.receive,
    discard: incoming.discard,
    read,
    async put(content, extension) {
      const path = publicPath(createHash('sha256').update(content).digest('hex'), extension);
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
    async keepPrivate(file) {
      const path = privatePath(file.hash);
      await move(file, path);
      return path;
    },
    async readWhole(path) {
      return buffer(await read(path));
    },
    async remove(path) {
      if (isFilePath(path)) await rm(locate(path), { force: true });
    },
    async *list() {
      for (const kind of ['files', 'private']) {
        for (const folder of await readdir(join(dataDir, kind))) {
          if (!/^[0-9a-f]{2}$/.test(folder)) continue;
          for (const name of await readdir(join(dataDir, kind, folder))) {
            const path = `/${kind}/${folder}/${name}`;
            const found = isFilePath(path) ? await stat(locate(path)).catch(() => null) : null;
            if (found !== null) yield { path, bytes: found.size };
          }
        }
      }
    },
    restore: (path, content) => incoming.restore(path, content, (file) => move(file, path)),
    async check() {
      await access(incoming.folder, constants.W_OK);
      const { bavail, bsize } = await statfs(dataDir);
      return { kind: 'disk', where: dataDir, freeBytes: bavail * bsize };
    },
    urlOf: (path) => filesUrlOf(config) + path,
    direct: null,
  };
}
