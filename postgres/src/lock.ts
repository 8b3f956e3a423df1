import { randomBytes } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** A failure the operator can act upon: the message is one clear Chinese sentence. */
export class EmbeddedError extends Error {
  override name = 'EmbeddedError';
}

/** sockaddr_un holds 104 bytes on macOS (108 on Linux), the closing NUL included. */
export const SOCKET_PATH_LIMIT = 103;

export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Whether somebody listens on this Unix socket; the kernel says so even when the listener is busy. */
export function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ path });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    // Anything but a plain "nobody there" (a full backlog, no permission) counts as alive.
    socket.once('error', (error) => {
      resolve(!['ECONNREFUSED', 'ENOENT', 'ENOTSOCK', 'ENOTDIR'].includes(errorCode(error)));
    });
  });
}

/**
 * Takes `<folder>/pg.lock` for this process; the kernel gives it up when the process ends, however it ends.
 *
 * The lock is a folder holding one listening socket. A contender prepares such a folder under another name
 * and renames it into place: rename(2) replaces an empty folder but refuses one with content. A dead holder's
 * socket is unlinked by its unique name, so a slow contender can never remove a newer holder's.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const token = randomBytes(4).toString('hex');
  const lock = join(folder, 'pg.lock');
  const draft = `${lock}.${token}`;
  const server = createServer((socket) => socket.destroy());
  let route: Route | undefined;
  try {
    mkdirSync(draft, { mode: 0o700 });
    route = routeTo(folder, join(draft, token));
    await listen(server, join(route.path, basename(draft), token));
    while (!moveInto(draft, lock)) {
      for (const name of listOf(lock)) {
        if (await answers(join(route.path, basename(lock), name))) {
          throw new EmbeddedError(
            `另一个墨栈进程正在使用数据目录 ${folder}，请先停止它，或者换一个数据目录（DATA_DIR）。`,
          );
        }
        rmSync(join(lock, name), { force: true });
      }
    }
  } catch (error) {
    await close(server);
    rmSync(draft, { recursive: true, force: true });
    if (error instanceof EmbeddedError) throw error;
    throw new EmbeddedError(`无法锁定数据目录 ${folder}：${String(error)}`, { cause: error });
  } finally {
    route?.remove();
  }
  server.unref();
  return async () => {
    await close(server);
    rmSync(join(lock, token), { force: true });
    try {
      rmdirSync(lock);
    } catch {
      // A successor may have moved in already.
    }
  };
}

function moveInto(draft: string, lock: string): boolean {
  try {
    renameSync(draft, lock);
    return true;
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST'].includes(errorCode(error))) return false;
    throw error;
  }
}

function listOf(lock: string): string[] {
  try {
    return readdirSync(lock);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

interface Route {
  path: string;
  remove(): void;
}

/** The folder itself, or a short symbolic link to it when socket paths below it would be too long. */
function routeTo(folder: string, longest: string): Route {
  if (Buffer.byteLength(longest) <= SOCKET_PATH_LIMIT) return { path: folder, remove: () => {} };
  const temp = mkdtempSync(join(Buffer.byteLength(tmpdir()) > 60 ? '/tmp' : tmpdir(), 'mz-'));
  const path = join(temp, 'd');
  symlinkSync(folder, path);
  return {
    path,
    remove: () => {
      unlinkSync(path);
      rmdirSync(temp);
    },
  };
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    // exclusive: in a cluster worker the handle would otherwise belong to the primary and be shared.
    server.listen({ path, exclusive: true }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}
