import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Where uploads are kept. Paths are `/files/ab/cdef….webp`: the content's hash, so a file never changes. */
export interface Files {
  root: string;
  put: (content: Buffer, extension: string) => Promise<string>;
  remove: (path: string) => Promise<void>;
}

const FILE_PATH = /^\/files\/[0-9a-f]{2}\/[0-9a-f]{62}\.[a-z0-9]{2,5}$/;

export async function createFiles(dataDir: string): Promise<Files> {
  const root = join(dataDir, 'files');
  await mkdir(root, { recursive: true });
  return {
    root,
    async put(content, extension) {
      const hash = createHash('sha256').update(content).digest('hex');
      const path = `/files/${hash.slice(0, 2)}/${hash.slice(2)}.${extension}`;
      const target = join(root, path.slice('/files/'.length));
      await mkdir(dirname(target), { recursive: true });
      // Written aside, synced and renamed: a crash leaves the whole file or none.
      const aside = `${target}.${randomUUID()}`;
      const handle = await open(aside, 'wx');
      try {
        await handle.writeFile(content);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(aside, target);
      return path;
    },
    async remove(path) {
      if (FILE_PATH.test(path)) await rm(join(root, path.slice('/files/'.length)), { force: true });
    },
  };
}
