import { createReadStream } from 'node:fs';
import { chmod, mkdir, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Config } from '../../../config/config.ts';
import type { ByteRange } from '../../../files/files.ts';
import { isAside, isName, nameOf } from './rules.ts';

type Place = Pick<Config, 'dataDir'>;

/** Nothing there is served: each holds every password hash and private letter. */
export const folderOf = ({ dataDir }: Place): string => join(dataDir, 'backups');

const locate = (place: Place, name: string): string => join(folderOf(place), name);

export async function makeFolder(place: Place): Promise<string> {
  const folder = folderOf(place);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Somebody may have made it, and brought backups along that everyone may read.
  if (((await stat(folder)).mode & 0o077) !== 0) await chmod(folder, 0o700).catch(() => {});
  return folder;
}

/** A name that no other has, with where it grows. */
export async function chooseName(
  place: Place,
  now: Date,
): Promise<{ name: string; target: string; aside: string }> {
  const folder = await makeFolder(place);
  const taken = new Set(await readdir(folder));
  const first = nameOf(now);
  let name = first;
  for (let number = 2; taken.has(name); number++) name = first.replace('.tar', `-${number}.tar`);
  const suffix = Math.random().toString(36).slice(2, 8);
  return { name, target: join(folder, name), aside: join(folder, `.${name.slice(0, -4)}-${suffix}.part`) };
}

export const listFolder = async (place: Place): Promise<string[]> =>
  (await readdir(await makeFolder(place))).filter(isName);

export const findBytes = (place: Place, name: string): Promise<number | null> =>
  stat(locate(place, name)).then(
    ({ size }) => size,
    () => null,
  );

export const readFile = (place: Place, name: string, range: ByteRange): Readable =>
  createReadStream(locate(place, name), range);

export const removeFile = (place: Place, name: string): Promise<void> =>
  rm(locate(place, name), { force: true });

export const pathOf = locate;

export async function measureFree(place: Place): Promise<number> {
  const { bavail, bsize } = await statfs(await makeFolder(place));
  return bavail * bsize;
}

/** Left by a process that was killed: nobody has written to them for a while. */
export async function removeAbandoned(place: Place, before: Date): Promise<void> {
  const folder = await makeFolder(place);
  for (const name of (await readdir(folder)).filter(isAside)) {
    const found = await stat(join(folder, name)).catch(() => null);
    if (found !== null && found.mtime < before) await rm(join(folder, name), { force: true });
  }
}
