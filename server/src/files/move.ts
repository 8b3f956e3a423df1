import { FileChanged, type Files } from './files.ts';

export interface Moved {
  copied: number;
  /** They were there already. */
  kept: number;
  /** Paths of files whose content is not what it was. */
  broken: string[];
}

/** Copies what is kept in one place to another; may be broken off and begun again. */
export async function moveFiles(from: Files, to: Files): Promise<Moved> {
  const there = new Map<string, number>();
  for await (const { path, bytes } of to.list()) there.set(path, bytes);
  const moved: Moved = { copied: 0, kept: 0, broken: [] };
  for await (const { path, bytes } of from.list()) {
    if (there.get(path) === bytes) moved.kept += 1;
    else if (await copy(path, from, to)) moved.copied += 1;
    else moved.broken.push(path);
  }
  return moved;
}

async function copy(path: string, from: Files, to: Files): Promise<boolean> {
  try {
    await to.restore(path, await from.read(path));
    return true;
  } catch (error) {
    if (error instanceof FileChanged) return false;
    throw error;
  }
}
