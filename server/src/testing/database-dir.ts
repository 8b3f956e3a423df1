import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Linux's file system in memory. */
const MEMORY = '/dev/shm';
/** Several times what a run takes. */
const ENOUGH_BYTES = 2 * 1024 ** 3;
const MADE_HERE = /^mozhan-\w+-(\d+)-/;

/**
 * A new directory for the data of a PostgreSQL of the tests, in memory where there is room: hundreds of databases are
 * created and dropped, and on a disk much of that is work of its file system.
 */
export function makeDatabaseDir(name: string): string {
  const isInMemory = hasRoom(MEMORY);
  if (isInMemory) removeLeftovers();
  const path = mkdtempSync(join(isInMemory ? MEMORY : tmpdir(), `mozhan-${name}-${process.pid}-`));
  // Run by root, PostgreSQL runs as someone else, who must be able to enter.
  chmodSync(path, 0o755);
  return path;
}

function hasRoom(path: string): boolean {
  if (!existsSync(path)) return false;
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize >= ENOUGH_BYTES;
}

/** Of runs that were killed; memory would be taken until the machine restarts. */
function removeLeftovers(): void {
  for (const name of readdirSync(MEMORY)) {
    const pid = MADE_HERE.exec(name)?.[1];
    if (pid !== undefined && !existsSync(`/proc/${pid}`))
      rmSync(join(MEMORY, name), { recursive: true, force: true });
  }
}
