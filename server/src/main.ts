import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { type App, createApp } from './app.ts';
import { type Config, ConfigError, readConfig } from './config/config.ts';
import { createDb, createPool } from './db/client.ts';
import type { OpenDatabase } from './db/open.ts';
import { seedInstallation } from './first-start.ts';
import { builtAdmin, viteAdmin } from './http/admin.ts';
import { builtSite, viteSite } from './http/pages.ts';
import { systemCtx } from './jobs.ts';
import { isDemoCreated } from './modules/admin/demo/index.ts';
import { protectSecrets } from './secrets/secrets.ts';
import { closeThreads } from './threads/threads.ts';
import { completeUpdate, describeWayBack, openUpdatedDatabase } from './update.ts';
import { receiveConnection, reportReady, startWorkers } from './workers.ts';

export interface MainOptions {
  note: (message: string) => void;
  /** Prints a line that the operator must read: address and passwords. */
  printLine: (line: string) => void;
  /** Script of the child processes: the workers, and with `FIRST_START` the one that writes demo content. */
  worker: string;
  /** Uses Vite in this process instead of the built site. */
  dev?: boolean;
}

export const FIRST_START = 'first-start';

/** After the signal: when busy connections are closed, and when the process exits in any case. */
const FORCE_CLOSE_MS = 6000;
const FORCE_EXIT_MS = 9000;

/** Starts the server and resolves when it accepts requests. Stops on SIGTERM or SIGINT. */
export async function main({ note, printLine, worker, dev = false }: MainOptions): Promise<void> {
  const config = withSiteUrl(readConfig(undefined, dev));
  await requireFreePort(config);
  const database = await openUpdatedDatabase(config, note);
  let app: App | undefined;
  let isStopping = () => false;
  try {
    await protectSecrets(config, database.connection, note);
    if (config.demo && !dev) await writeDemoInChildProcess({ worker, printLine }, database);
    // Vite works in a single process only.
    const isSingleProcess = config.workers === 1 || dev;
    app = await (isSingleProcess
      ? createFullApp(config, database, note)
      : createAppWithoutSite(config, database));
    await seedInstallation(systemCtx(app.services), { note, printLine, mayWriteDemo: dev });
    if (isSingleProcess) {
      await listen(app, config);
      isStopping = stopOnSignal(app, database);
    } else {
      await app.close();
      await closeThreads();
      app = undefined;
      await startWorkers({ workerScript: worker, count: config.workers, database, printLine });
    }
    await completeUpdate(database);
    printLine(`墨栈已启动：${config.siteUrl}`);
    if (config.isLocal) printLine('没有设置 SITE_URL：二维码和邮件里的网址只在本机可用');
  } catch (error) {
    // A signal during the last steps closes everything itself, which makes them fail.
    if (isStopping()) return;
    await app?.close();
    await closeThreads();
    for (const line of await describeWayBack(database)) printLine(line);
    await database.close();
    throw error;
  }
}

/** A child process writes the demo content, because the memory it needs would not be returned to the system. */
async function writeDemoInChildProcess(
  { worker, printLine }: Pick<MainOptions, 'worker' | 'printLine'>,
  { connection }: OpenDatabase,
): Promise<void> {
  const pool = createPool({ ...connection, max: 1 });
  const isFilled = await isDemoCreated(createDb(pool)).finally(() => pool.end());
  if (isFilled) return;
  const child = fork(worker, [FIRST_START]);
  child.send(connection, () => {});
  const [code] = await once(child, 'exit');
  if (code !== 0) printLine('示例内容没有写成，原因见上；下次启动会再写。不要示例内容，请设 DEMO=off');
}

/** Entry point of the process that `writeDemoInChildProcess` starts. */
export async function runFirstStart({
  note,
  printLine,
}: Pick<MainOptions, 'note' | 'printLine'>): Promise<void> {
  const app = await createAppWithoutSite(withSiteUrl(readConfig()), {
    connection: await receiveConnection(),
  });
  try {
    await seedInstallation(systemCtx(app.services), { note, printLine });
  } finally {
    await app.close();
    await closeThreads();
  }
  process.exit(0);
}

/** Entry point of a worker, which uses the database that the first process opened. */
export async function runWorker({ note }: Pick<MainOptions, 'note'>): Promise<void> {
  const config = withSiteUrl(readConfig());
  const database = { connection: await receiveConnection(), close: async () => {} };
  const app = await createFullApp(config, database, note);
  await listen(app, config);
  stopOnSignal(app, database);
  reportReady();
}

/** Derives the public URL from host and port if it is not configured. */
function withSiteUrl(config: Config): Config & { isLocal: boolean } {
  const host = config.host === '0.0.0.0' || config.host === '::' ? '127.0.0.1' : config.host;
  const siteUrl =
    config.siteUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${config.port}${config.basePath}`;
  return { ...config, siteUrl, isLocal: config.siteUrl === null && host !== config.host };
}

const createFullApp = (
  config: Config,
  { connection }: OpenDatabase,
  print: MainOptions['note'],
): Promise<App> =>
  createApp({
    config,
    connection,
    site: (server) => (config.dev ? viteSite(server, config.basePath) : builtSite(server, config.basePath)),
    backOffice: (server) =>
      config.dev ? viteAdmin(server, config.basePath) : builtAdmin(server, config.basePath),
    print,
  });

/** Without jobs, site and back office; for the first start. */
const createAppWithoutSite = (
  config: Config,
  { connection }: Pick<OpenDatabase, 'connection'>,
): Promise<App> => createApp({ config, connection, runsJobs: false });

/** Length of the accept queue, which the system may limit further; clients beyond it retry after a second. */
const BACKLOG = 4096;

/**
 * On Linux each worker listens with SO_REUSEPORT: a connection accepted by the primary process and passed on would hang
 * if the worker dies.
 */
async function listen({ server }: App, { port, host, workers }: Config): Promise<void> {
  const isShared = workers > 1 && process.platform === 'linux';
  const own = { port, host, backlog: BACKLOG, ...(isShared ? { exclusive: true, reusePort: true } : {}) };
  await server.listen(own).catch((error: unknown) => throwListenError(error, { port, host }));
}

/**
 * Fails early if the port is in use. With SO_REUSEPORT two installations could otherwise share one port unnoticed.
 */
async function requireFreePort({ port, host }: Config): Promise<void> {
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

/**
 * On a signal, stops accepting connections, finishes the running requests, stops the database and exits. Returns
 * whether that has begun.
 */
function stopOnSignal(app: App, database: OpenDatabase): () => boolean {
  let isStopping = false;
  const onSignal = (): void => {
    if (isStopping) return;
    isStopping = true;
    // A keep-alive connection becomes idle only when its running request ends.
    setInterval(() => app.server.server.closeIdleConnections(), 100).unref();
    setTimeout(() => app.server.server.closeAllConnections(), FORCE_CLOSE_MS).unref();
    setTimeout(() => void database.close().finally(() => process.exit(1)), FORCE_EXIT_MS).unref();
    app
      .close()
      .then(() => database.close())
      .then(
        () => process.exit(0),
        () => process.exit(1),
      );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  return () => isStopping;
}
