import { closeSync, copyFileSync, fstatSync, ftruncateSync, openSync, readFileSync } from 'node:fs';

const MAX_BYTES = 5_000_000;

export interface LogFile {
  descriptor: number;
  size(): number;
  /** Returns the last 1500 characters written after the log had the size `start`. */
  readFrom(start: number): string;
  close(): void;
}

/** PostgreSQL writes to the descriptor itself, so a busy server does not delay it; one older file is retained. */
export function openLogFile(path: string): LogFile {
  const descriptor = openSync(path, 'a+', 0o600);
  const size = () => fstatSync(descriptor).size;
  const rotateWhenLarge = () => {
    if (size() < MAX_BYTES) return;
    try {
      copyFileSync(path, `${path}.1`);
    } catch {
      // On a full disk, freeing space is more important than the old lines.
    }
    ftruncateSync(descriptor);
  };
  rotateWhenLarge();
  const timer = setInterval(rotateWhenLarge, 30_000).unref();
  return {
    descriptor,
    size,
    readFrom: (start) => readFileSync(path).subarray(start).toString().trim().slice(-1500),
    close: () => {
      clearInterval(timer);
      closeSync(descriptor);
    },
  };
}
