import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { type App, createApp } from './app.ts';
import { type Config, ConfigError, readConfig } from './config/config.ts';
import { createDb, createPool } from './db/client.ts';
import { type OpenDatabase, openDatabase } from './db/open.ts';
import { prepare } from './first-start.ts';
import { builtAdmin, viteAdmin } from './http/admin.ts';
import { builtSite, viteSite } from './http/pages.ts';
import { systemCtx } from './jobs.ts';
import { isDemoFilled } from './modules/admin/demo/index.ts';
import { protectSecrets } from './secrets/secrets.ts';
import { closeThreads } from './threads/threads.ts';
import { receiveConnection, reportReady, startWorkers } from './workers.ts';

export interface MainOptions {
  /** One sentence on what is happening. */
  note: (sentence: string) => void;
  /** A line to be read and kept: address and passwords. */
  say: (line: string) => void;
  /** What other processes run: those of `WORKERS`, and with `FIRST_START` the one that fills an empty database. */
  worker: string;
  /** Vite in the process instead of the built site. */
  dev?: boolean;
}

export const FIRST_START = 'first-start';

/** From the signal on: when connections are cut that are still busy, and when the process ends come what may. */
const CUT_MS = 6000;
const END_MS = 9000;

/** Starts everything; resolves when the server answers. Stops on SIGTERM or SIGINT. */
export async function main({ note, say, worker, dev = false }: MainOptions): Promise<void> {
  const config = settle(readConfig(undefined, dev));
  await tryPort(config);
  const database = await openDatabase(config, note);
  let app: App | undefined;
  try {
    await protectSecrets(config, database.connection, note);
    if (config.demo && !dev) await fillApart({ worker, say }, database);
    // Vite's own connections and restarts are those of one process.
    const isAlone = config.workers === 1 || dev;
    app = await (isAlone ? createSite(config, database, note) : createBare(config, database));
    await prepare(systemCtx(app.services), { note, say, mayFill: dev });
    if (isAlone) {
      await listen(app, config);
      stopOnSignal(app, database);
    } else {
      await app.close();
      await closeThreads();
      app = undefined;
      await startWorkers({ worker, count: config.workers, database, say });
    }
    say(`墨栈已启动：${config.siteUrl}`);
    if (config.isLocal) say('没有设置 SITE_URL：二维码和邮件里的网址只在本机可用');
  } catch (error) {
    await app?.close();
    await closeThreads();
    await database.close();
    throw error;
  }
}

/** Demo content takes memory that a process does not give back: another one writes it, once, and ends. */
async function fillApart(
  { worker, say }: Pick<MainOptions, 'worker' | 'say'>,
  { connection }: OpenDatabase,
): Promise<void> {
  const pool = createPool({ ...connection, max: 1 });
  const isFilled = await isDemoFilled(createDb(pool)).finally(() => pool.end());
  if (isFilled) return;
  const child = fork(worker, [FIRST_START]);
  child.send(connection, () => {});
  const [code] = await once(child, 'exit');
  if (code !== 0) say('演示内容没有写成，原因见上；下次启动会再写。不要演示内容，请设 DEMO=off');
}

/** In the process that `fillApart` starts. */
export async function firstStart({ note, say }: Pick<MainOptions, 'note' | 'say'>): Promise<void> {
  const app = await createBare(settle(readConfig()), { connection: await receiveConnection() });
  try {
    await prepare(systemCtx(app.services), { note, say });
  } finally {
    await app.close();
    await closeThreads();
  }
  process.exit(0);
}

/** One of several: serves everything, on the database that the first process opened. */
export async function work({ note }: Pick<MainOptions, 'note'>): Promise<void> {
  const config = settle(readConfig());
  const database = { connection: await receiveConnection(), close: async () => {} };
  const app = await createSite(config, database, note);
  await listen(app, config);
  stopOnSignal(app, database);
  reportReady();
}

/** The public address, as far as it is known before listening. */
function settle(config: Config): Config & { isLocal: boolean } {
  const host = config.host === '0.0.0.0' || config.host === '::' ? '127.0.0.1' : config.host;
  const siteUrl =
    config.siteUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${config.port}${config.basePath}`;
  return { ...config, siteUrl, isLocal: config.siteUrl === null && host !== config.host };
}

const createSite = (config: Config, { connection }: OpenDatabase, print: MainOptions['note']): Promise<App> =>
  createApp({
    config,
    connection,
    site: (server) => (config.dev ? viteSite(server, config.basePath) : builtSite(server, config.basePath)),
    backOffice: (server) =>
      config.dev ? viteAdmin(server, config.basePath) : builtAdmin(server, config.basePath),
    print,
  });

/** For the first start only. */
const createBare = (config: Config, { connection }: Pick<OpenDatabase, 'connection'>): Promise<App> =>
  createApp({ config, connection, runsJobs: false });

/** How many connections may wait to be accepted, if the system allows as many. Clients beyond it try again a second later. */
const BACKLOG = 4096;

/**
 * Each of several processes listens by itself where the system shares out what arrives among them: a connection that was
 * handed over by another process would hang when its receiver dies.
 */
async function listen({ server }: App, { port, host, workers }: Config): Promise<void> {
  const isShared = workers > 1 && process.platform === 'linux';
  const own = { port, host, backlog: BACKLOG, ...(isShared ? { exclusive: true, reusePort: true } : {}) };
  await server.listen(own).catch((error: unknown) => refuse(error, { port, host }));
}

/**
 * Before anything is made. Two installations on one port, each shared among its processes, would otherwise not notice
 * each other.
 */
async function tryPort({ port, host }: Config): Promise<void> {
  const probe = createServer().listen({ port, host });
  await once(probe, 'listening').catch((error: unknown) => refuse(error, { port, host }));
  probe.close();
  await once(probe, 'close');
}

function refuse(error: unknown, { port, host }: Pick<Config, 'port' | 'host'>): never {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  if (code === 'EADDRINUSE')
    throw new ConfigError(`端口 ${port} 已被占用：请停止占用它的程序，或用 PORT 换一个端口`);
  if (code === 'EACCES') throw new ConfigError(`没有权限使用端口 ${port}：请用 PORT 换一个 1024 以上的端口`);
  if (code === 'EADDRNOTAVAIL') throw new ConfigError(`这台机器没有地址 ${host}：请检查 HOST`);
  throw error;
}

/** Stops accepting, finishes the requests under way, then stops the database. */
function stopOnSignal(app: App, database: OpenDatabase): void {
  let isStopping = false;
  const onSignal = (): void => {
    if (isStopping) return;
    isStopping = true;
    // A connection kept alive by a request that was under way is idle once it is answered.
    setInterval(() => app.server.server.closeIdleConnections(), 100).unref();
    setTimeout(() => app.server.server.closeAllConnections(), CUT_MS).unref();
    setTimeout(() => void database.close().finally(() => process.exit(1)), END_MS).unref();
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
}
