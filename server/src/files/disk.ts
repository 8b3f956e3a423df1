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
import { setOwner } from '@mozhan/postgres/secret-file.ts';
import { type Config, publicFilesUrl } from '../config/config.ts';
import {
  type ByteRange,
  FileMissing,
  type FileStore,
  isFilePath,
  openIncomingFolder,
  privatePath,
  publicPath,
  type ReceivedFile,
  requireFilePath,
} from './files.ts';
import { createFolder, PRIVATE_FOLDER } from './permissions.ts';

export const publicFolder = (dataDir: string): string => join(dataDir, 'files');

const PUBLIC_FILE = 0o644;

export async function createDiskFiles(
  config: Pick<Config, 'dataDir' | 'basePath' | 's3'>,
): Promise<FileStore> {
  const { dataDir } = config;
  const incoming = await openIncomingFolder(dataDir);
  await createFolder(publicFolder(dataDir), incoming.owner);
  const locate = (path: string): string => join(dataDir, requireFilePath(path));

  async function move(file: ReceivedFile, path: string): Promise<void> {
    const target = locate(path);
    const isPublic = path.startsWith('/files/');
    await createFolder(dirname(target), incoming.owner, isPublic ? undefined : PRIVATE_FOLDER);
    // Received files are private; a web server may serve public ones directly.
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
      await createFolder(dirname(target), incoming.owner);
      // Written to a temporary file, synced and renamed, so that a crash leaves a complete file or none.
      const temporary = `${target}.${randomUUID()}`;
      try {
        await writeFile(temporary, content, { flag: 'wx', flush: true });
        setOwner(temporary, incoming.owner);
        await rename(temporary, target);
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
      return path;
    },
    async storePrivate(file) {
      const path = privatePath(file.hash);
      await move(file, path);
      return path;
    },
    async readBuffer(path) {
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
    urlOf: (path) => publicFilesUrl(config) + path,
    directUpload: null,
  };
}
