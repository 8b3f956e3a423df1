import { randomBytes } from 'node:crypto';
import {
  chownSync,
  closeSync,
  fchownSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

export interface Owner {
  uid: number;
  gid: number;
}

/**
 * Whom new files in a folder must be given to: its owner when root runs a command on the folder of another user, who
 * could not read them otherwise; null when they belong to the right user anyway.
 */
export function ownerFor(folder: string): Owner | null {
  if (process.getuid?.() !== 0) return null;
  const { uid, gid } = statSync(folder);
  return uid === 0 ? null : { uid, gid };
}

export function giveToOwner(path: string, owner: Owner | null): void {
  if (owner !== null) chownSync(path, owner.uid, owner.gid);
}

interface SecretFile {
  /** Keeps a file that is there already, in which case nothing is written. */
  keepsOld?: boolean;
  /** By default the owner of the folder. */
  owner?: Owner | null;
}

/** Writes a file that only its owner can read; after a crash it is there whole or not at all. */
export function writeSecretFile(
  path: string,
  content: string,
  { keepsOld = false, owner }: SecretFile = {},
): void {
  const draft = `${path}.${randomBytes(4).toString('hex')}`;
  const descriptor = openSync(draft, 'wx', 0o600);
  try {
    const to = owner === undefined ? ownerFor(dirname(path)) : owner;
    if (to !== null) fchownSync(descriptor, to.uid, to.gid);
    writeSync(descriptor, content);
    fsyncSync(descriptor);
    if (keepsOld) linkSync(draft, path);
    else renameSync(draft, path);
    syncFolder(dirname(path));
  } catch (error) {
    const isKept = keepsOld && error instanceof Error && 'code' in error && error.code === 'EEXIST';
    if (!isKept) throw error;
  } finally {
    closeSync(descriptor);
    rmSync(draft, { force: true });
  }
}

export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
