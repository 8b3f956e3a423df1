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

/** An error that the operator can resolve; its Chinese message explains how. */
export class EmbeddedError extends Error {
  override name = 'EmbeddedError';
}

/** sockaddr_un has 104 bytes on macOS (108 on Linux), including the terminating NUL. */
export const SOCKET_PATH_LIMIT = 103;

export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** The kernel accepts the connection even when the listening process is busy. */
export function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ path });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    // Other errors, such as a full backlog or missing permission, prove that a process listens.
    socket.once('error', (error) => {
      resolve(!['ECONNREFUSED', 'ENOENT', 'ENOTSOCK', 'ENOTDIR'].includes(errorCode(error)));
    });
  });
}

/**
 * Locks `<folder>/pg.lock` for this process and returns a function that releases the lock. The kernel releases it when
 * the process ends, also after `kill -9`.
 *
 * The lock is a folder that contains one listening socket. A process that wants the lock creates such a folder under
 * another name and renames it: rename(2) replaces an empty folder but fails for one with content. The socket of a dead
 * process is unlinked by its unique name, so a slow process can never remove the socket of a newer lock owner.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const token = randomBytes(4).toString('hex');
  const lock = join(folder, 'pg.lock');
  const temporaryPath = `${lock}.${token}`;
  const server = createServer((socket) => socket.destroy());
  let socketFolder: SocketFolder | undefined;
  try {
    mkdirSync(temporaryPath, { mode: 0o700 });
    socketFolder = shortenPath(folder, join(temporaryPath, token));
    await listen(server, join(socketFolder.path, basename(temporaryPath), token));
    while (!tryRename(temporaryPath, lock)) {
      for (const name of listFiles(lock)) {
        if (await isListening(join(socketFolder.path, basename(lock), name))) {
          throw new EmbeddedError(
            `另一个墨栈进程正在使用数据目录 ${folder}，请先停止它，或者换一个数据目录（DATA_DIR）。`,
          );
        }
        rmSync(join(lock, name), { force: true });
      }
    }
  } catch (error) {
    await close(server);
    rmSync(temporaryPath, { recursive: true, force: true });
    if (error instanceof EmbeddedError) throw error;
    throw new EmbeddedError(`无法锁定数据目录 ${folder}：${String(error)}`, { cause: error });
  } finally {
    socketFolder?.remove();
  }
  server.unref();
  return async () => {
    await close(server);
    rmSync(join(lock, token), { force: true });
    try {
      rmdirSync(lock);
    } catch {
      // Another process may have acquired the lock already.
    }
  };
}

function tryRename(temporaryPath: string, lock: string): boolean {
  try {
    renameSync(temporaryPath, lock);
    return true;
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST'].includes(errorCode(error))) return false;
    throw error;
  }
}

function listFiles(lock: string): string[] {
  try {
    return readdirSync(lock);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

interface SocketFolder {
  path: string;
  remove(): void;
}

/** Returns the folder, or a short symbolic link to it when socket paths below it would be too long. */
function shortenPath(folder: string, longestPath: string): SocketFolder {
  if (Buffer.byteLength(longestPath) <= SOCKET_PATH_LIMIT) return { path: folder, remove: () => {} };
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
    // Without `exclusive`, a worker of Node's cluster module would share the handle with the primary process.
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
