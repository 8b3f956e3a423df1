import { once } from 'node:events';
import { createServer } from 'node:net';
import type { App } from './app.ts';
import { type Config, ConfigError } from './config/config.ts';

/** Length of the accept queue, which the system may limit further; clients beyond it retry after a second. */
const BACKLOG = 4096;

/**
 * On Linux each worker listens with SO_REUSEPORT: a connection accepted by the primary process and passed on would hang
 * if the worker dies.
 */
export async function listen({ server }: App, { port, host, workers }: Config): Promise<void> {
  const isShared = workers > 1 && process.platform === 'linux';
  const own = { port, host, backlog: BACKLOG, ...(isShared ? { exclusive: true, reusePort: true } : {}) };
  await server.listen(own).catch((error: unknown) => throwListenError(error, { port, host }));
}

/**
 * Fails early if the port is in use. With SO_REUSEPORT two installations could otherwise share one port unnoticed.
 */
export async function requireFreePort({ port, host }: Config): Promise<void> {
  const probe = createServer().listen({ port, host });
  await once(probe, 'listening').catch((error: unknown) => throwListenError(error, { port, host }));
  probe.close();
  await once(probe, 'close');
}

function throwListenError(error: unknown, { port, host }: Pick<Config, 'port' | 'host'>): never {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  if (code === 'EADDRINUSE')
    throw new ConfigError(`端口 ${port} 已被占用：请停止占用它的程序，或用 PORT 换一个端口`);
  if (code === 'EACCES') throw new ConfigError(`没有权限使用端口 ${port}：请用 PORT 换一个 1024 以上的端口`);
  if (code === 'EADDRNOTAVAIL') throw new ConfigError(`这台机器没有地址 ${host}：请检查 HOST`);
  throw error;
}
