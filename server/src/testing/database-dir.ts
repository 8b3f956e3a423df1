import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY_DIR = '/dev/shm';
/** Several times the space that a run uses. */
const MIN_FREE_BYTES = 2 * 1024 ** 3;
const DIR_NAME = /^mozhan-\w+-(\d+)-/;

/**
 * Creates a data directory for the tests' PostgreSQL, in memory if there is enough space: the tests create and drop
 * hundreds of databases, which is slow on a disk.
 */
export function createDatabaseDir(name: string): string {
  removeLeftovers();
  const isInMemory = hasEnoughSpace(MEMORY_DIR);
  const path = mkdtempSync(join(isInMemory ? MEMORY_DIR : tmpdir(), `mozhan-${name}-${process.pid}-`));
  // When root runs the tests, PostgreSQL runs as another user, who must be able to enter.
  chmodSync(path, 0o755);
  return path;
}

function hasEnoughSpace(path: string): boolean {
  if (!existsSync(path)) return false;
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize >= MIN_FREE_BYTES;
}

/** Removes directories of killed runs, which would occupy memory until the machine restarts. */
function removeLeftovers(): void {
  if (!existsSync(MEMORY_DIR)) return;
  for (const name of readdirSync(MEMORY_DIR)) {
    const pid = DIR_NAME.exec(name)?.[1];
    if (pid !== undefined && !existsSync(`/proc/${pid}`))
      rmSync(join(MEMORY_DIR, name), { recursive: true, force: true });
  }
}
