import { createHash, randomUUID } from 'node:crypto';
import {
  access,
  chmod,
  constants,
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
import { giveToOwner } from '@mozhan/postgres/secret-file.ts';
import { type Config, filesUrlOf } from '../config/config.ts';
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
import { makeFolder, PRIVATE_FOLDER } from './private.ts';

/** What lies there everyone may have. */
export const publicFolder = (dataDir: string): string => join(dataDir, 'files');

const PUBLIC_FILE = 0o644;

/** Files in `DATA_DIR`. */
export async function createDiskFiles(config: Pick<Config, 'dataDir' | 'basePath' | 's3'>): Promise<Files> {
  const { dataDir } = config;
  const incoming = await openIncoming(dataDir);
  await makeFolder(publicFolder(dataDir), incoming.owner);
  const locate = (path: string): string => join(dataDir, requirePath(path));

  async function move(file: ReceivedFile, path: string): Promise<void> {
    const target = locate(path);
    const isPublic = path.startsWith('/files/');
    await makeFolder(dirname(target), incoming.owner, isPublic ? undefined : PRIVATE_FOLDER);
    // What is received is private; web servers may read pictures without asking us.
    if (isPublic) await chmod(file.location, PUBLIC_FILE);
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
      await makeFolder(dirname(target), incoming.owner);
      // Written aside, synced and renamed: a crash leaves the whole file or none.
      const aside = `${target}.${randomUUID()}`;
      try {
        await writeFile(aside, content, { flag: 'wx', flush: true });
        giveToOwner(aside, incoming.owner);
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
