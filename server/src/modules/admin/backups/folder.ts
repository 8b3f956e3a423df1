import { createReadStream } from 'node:fs';
import { chmod, mkdir, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Config } from '../../../config/config.ts';
import type { ByteRange } from '../../../files/files.ts';
import { fileNameFor, isBackupFileName, isTemporaryFileName } from './rules.ts';

type BackupConfig = Pick<Config, 'dataDir'>;

/** The folder is never served over HTTP, because backups contain password hashes and private letters. */
export const getFolder = ({ dataDir }: BackupConfig): string => join(dataDir, 'backups');

const getPath = (config: BackupConfig, name: string): string => join(getFolder(config), name);

export async function ensureFolder(config: BackupConfig): Promise<string> {
  const folder = getFolder(config);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // An operator may have created the folder with permissions for everyone.
  if (((await stat(folder)).mode & 0o077) !== 0) await chmod(folder, 0o700).catch(() => {});
  return folder;
}

export async function chooseFileName(
  config: BackupConfig,
  now: Date,
  prefix?: string,
): Promise<{ name: string; target: string; temporaryPath: string }> {
  const folder = await ensureFolder(config);
  const usedNames = new Set(await readdir(folder));
  const baseName = fileNameFor(now, prefix);
  let name = baseName;
  for (let number = 2; usedNames.has(name); number++) name = baseName.replace('.tar', `-${number}.tar`);
  const suffix = Math.random().toString(36).slice(2, 8);
  return {
    name,
    target: join(folder, name),
    temporaryPath: join(folder, `.${name.slice(0, -4)}-${suffix}.part`),
  };
}

export const listBackupFiles = async (config: BackupConfig): Promise<string[]> =>
  (await readdir(await ensureFolder(config))).filter(isBackupFileName);

export const findFileSize = (config: BackupConfig, name: string): Promise<number | null> =>
  stat(getPath(config, name)).then(
    ({ size }) => size,
    () => null,
  );

export const readFile = (config: BackupConfig, name: string, range: ByteRange): Readable =>
  createReadStream(getPath(config, name), range);

export const removeFile = (config: BackupConfig, name: string): Promise<void> =>
  rm(getPath(config, name), { force: true });

export const getFilePath = getPath;

export async function getFreeBytes(config: BackupConfig): Promise<number> {
  const { bavail, bsize } = await statfs(await ensureFolder(config));
  return bavail * bsize;
}

/** Removes temporary files of killed processes, which were not written to since `before`. */
export async function removeAbandonedFiles(config: BackupConfig, before: Date): Promise<void> {
  const folder = await ensureFolder(config);
  for (const name of (await readdir(folder)).filter(isTemporaryFileName)) {
    const found = await stat(join(folder, name)).catch(() => null);
    if (found !== null && found.mtime < before) await rm(join(folder, name), { force: true });
  }
}
