import { closeSync, copyFileSync, fstatSync, ftruncateSync, openSync, readFileSync } from 'node:fs';

const LIMIT = 5_000_000;

export interface Log {
  descriptor: number;
  size(): number;
  /** The end of what was written from this size on. */
  since(start: number): string;
  close(): void;
}

/** PostgreSQL writes here itself, so nothing is lost or held up by a busy server; one old file is kept. */
export function openLog(path: string): Log {
  const descriptor = openSync(path, 'a+', 0o600);
  const size = () => fstatSync(descriptor).size;
  const bound = () => {
    if (size() < LIMIT) return;
    try {
      copyFileSync(path, `${path}.1`);
    } catch {
      // On a full disk the room matters more than the old lines.
    }
    ftruncateSync(descriptor);
  };
  bound();
  const timer = setInterval(bound, 30_000).unref();
  return {
    descriptor,
    size,
    since: (start) => readFileSync(path).subarray(start).toString().trim().slice(-1500),
    close: () => {
      clearInterval(timer);
      closeSync(descriptor);
    },
  };
}
