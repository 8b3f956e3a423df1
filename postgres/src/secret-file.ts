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
 * When root runs a command on another user's folder, new files must belong to that user, who could not read them
 * otherwise. Returns null when the owner need not be changed.
 */
export function ownerForNewFiles(folder: string): Owner | null {
  if (process.getuid?.() !== 0) return null;
  const { uid, gid } = statSync(folder);
  return uid === 0 ? null : { uid, gid };
}

export function setOwner(path: string, owner: Owner | null): void {
  if (owner !== null) chownSync(path, owner.uid, owner.gid);
}

interface SecretFileOptions {
  /** Writes nothing when the file exists already. */
  keepExisting?: boolean;
  /** Defaults to the owner of the folder. */
  owner?: Owner | null;
}

/** Writes a file that only its owner can read, atomically: after a crash it is complete or does not exist. */
export function writeSecretFile(
  path: string,
  content: string,
  { keepExisting = false, owner }: SecretFileOptions = {},
): void {
  const temporaryPath = `${path}.${randomBytes(4).toString('hex')}`;
  const descriptor = openSync(temporaryPath, 'wx', 0o600);
  try {
    const newOwner = owner === undefined ? ownerForNewFiles(dirname(path)) : owner;
    if (newOwner !== null) fchownSync(descriptor, newOwner.uid, newOwner.gid);
    writeSync(descriptor, content);
    fsyncSync(descriptor);
    if (keepExisting) linkSync(temporaryPath, path);
    else renameSync(temporaryPath, path);
    fsyncFolder(dirname(path));
  } catch (error) {
    const alreadyExists =
      keepExisting && error instanceof Error && 'code' in error && error.code === 'EEXIST';
    if (!alreadyExists) throw error;
  } finally {
    closeSync(descriptor);
    rmSync(temporaryPath, { force: true });
  }
}

export function fsyncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
