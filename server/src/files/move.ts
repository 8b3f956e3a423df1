import { FileHashMismatch, type FileStore } from './files.ts';

export interface MoveResult {
  copied: number;
  alreadyStored: number;
  /** Paths of files whose content does not match their hash. */
  broken: string[];
}

/** Copies all files from one store to another; can be interrupted and repeated. */
export async function moveFiles(from: FileStore, to: FileStore): Promise<MoveResult> {
  const existing = new Map<string, number>();
  for await (const { path, bytes } of to.list()) existing.set(path, bytes);
  const moved: MoveResult = { copied: 0, alreadyStored: 0, broken: [] };
  for await (const { path, bytes } of from.list()) {
    if (existing.get(path) === bytes) moved.alreadyStored += 1;
    else if (await copy(path, from, to)) moved.copied += 1;
    else moved.broken.push(path);
  }
  return moved;
}

async function copy(path: string, from: FileStore, to: FileStore): Promise<boolean> {
  try {
    await to.restore(path, await from.read(path));
    return true;
  } catch (error) {
    if (error instanceof FileHashMismatch) return false;
    throw error;
  }
}
