import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Owner, setOwner } from '@mozhan/postgres/secret-file.ts';
import { ConfigError } from '../config/config.ts';

/** Modes that deny other users of the machine access to private files. */
export const PRIVATE_FOLDER = 0o700;
export const PRIVATE_FILE = 0o600;

/** Creates a folder and its parents; all new folders get the owner of the data folder. */
export async function createFolder(path: string, owner: Owner | null, mode = 0o777): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode });
  if (first === undefined) return;
  for (let created = path; created.length >= first.length; created = dirname(created))
    setOwner(created, owner);
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : null);

/**
 * Restricts permissions that older versions left open. A folder is restricted after its files and then skipped, so that a
 * start checks only folders, and an interrupted run is continued.
 */
export async function restrictPrivateFolder(top: string): Promise<void> {
  // From here on other users cannot reach anything below, whatever its modes are.
  await chmod(top, PRIVATE_FOLDER).catch((error: unknown) => {
    if (codeOf(error) !== 'EPERM') throw error;
    throw new ConfigError(
      `${top} 属于另一个用户，无法收紧它的权限：请以 root 运行 chown -R，把它交给运行墨栈的用户`,
    );
  });
  for (const name of await readdir(top)) {
    const folder = join(top, name);
    const found = await stat(folder);
    if (!found.isDirectory() || (found.mode & 0o777) === PRIVATE_FOLDER) continue;
    try {
      for (const file of await readdir(folder)) await restrictFile(join(folder, file));
      await chmod(folder, PRIVATE_FOLDER);
    } catch (error) {
      // The file belongs to another user, for example copied as root; the restricted folder protects it.
      if (codeOf(error) !== 'EPERM') throw error;
    }
  }
}

async function restrictFile(path: string): Promise<void> {
  await chmod(path, PRIVATE_FILE).catch((error: unknown) => {
    // Another process that shares the folder may have deleted the file.
    if (codeOf(error) !== 'ENOENT') throw error;
  });
}
