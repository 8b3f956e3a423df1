import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { giveToOwner, type Owner } from '@mozhan/postgres/secret-file.ts';
import { ConfigError } from '../config/config.ts';

/** Of private folders and files: no other user of the machine reads what readers pay for. */
export const PRIVATE_FOLDER = 0o700;
export const PRIVATE_FILE = 0o600;

/** Makes a folder with those above it; all that are new belong to the owner of the data folder. */
export async function makeFolder(path: string, owner: Owner | null, mode = 0o777): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode });
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) giveToOwner(made, owner);
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : null);

/**
 * Closes what older versions left open to every user of the machine. A folder gets its mode last, and one that has it is
 * not looked into again: a start costs as many look-ups as there are folders, and one that was killed is continued.
 */
export async function closePrivate(top: string): Promise<void> {
  // From here on nobody else can reach what is below, whatever its modes are.
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
      for (const file of await readdir(folder)) await closeFile(join(folder, file));
      await chmod(folder, PRIVATE_FOLDER);
    } catch (error) {
      // Put there by another user, e.g. by copying as root; it is behind the closed folder.
      if (codeOf(error) !== 'EPERM') throw error;
    }
  }
}

async function closeFile(path: string): Promise<void> {
  await chmod(path, PRIVATE_FILE).catch((error: unknown) => {
    // Other processes may share the folder, and remove what was received.
    if (codeOf(error) !== 'ENOENT') throw error;
  });
}
