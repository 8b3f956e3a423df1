import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { type App, createApp } from './app.ts';
import type { Config } from './config/config.ts';
import { createDb } from './db/client.ts';
import type { OpenDatabase } from './db/connect.ts';
import { createStartPool } from './db/open.ts';
import { seedInstallation } from './first-start.ts';
import { builtAdmin, viteAdmin } from './http/admin.ts';
import { builtSite, viteSite } from './http/pages.ts';
import { systemCtx } from './jobs.ts';
import { recordStart } from './modules/admin/backups/index.ts';
import { isDemoCreated } from './modules/admin/demo/index.ts';
import { listen } from './port.ts';
import { protectSecrets } from './secrets/secrets.ts';
import { closeThreads } from './threads/threads.ts';
import { describeWayBack, updateDatabase } from './update.ts';
import { FIRST_START, reportReady, startWorkers } from './workers.ts';

export interface MainOptions {
  note: (message: string) => void;
  /** Prints a line that the operator must read: address and passwords. */
  printLine: (line: string) => void;
  /** Script of the child processes: the workers, and with `FIRST_START` the one that writes demo content. */
  worker: string;
  /** Uses Vite in this process instead of the built site. */
  dev?: boolean;
}

/** `siteUrl` is set, from host and port if it is not configured. */
export interface ConfigWithAddress extends Config {
  siteUrl: string;
  /** Whether the address is that of this machine, because none is configured. */
  isLocal: boolean;
}

/** Until then, the first requests after a start have the processor and the database for themselves. */
const JOBS_DELAY_MS = 1000;
/** After the signal: when busy connections are closed, and when the process exits in any case. */
/** Browsers open connections in advance. */
const CLOSE_UNUSED_MS = 1000;
const FORCE_CLOSE_MS = 6000;
const FORCE_EXIT_MS = 9000;

/** Updates the database and serves the site; closes the database on failure. */
export async function runServer(
  config: ConfigWithAddress,
  database: OpenDatabase,
  { note, printLine, worker, dev = false }: MainOptions,
): Promise<void> {
  const pool = createStartPool(database);
  const db = createDb(pool);
  let app: App | undefined;
  let isUpdated = false;
  let isStopping = () => false;
  try {
    await updateDatabase(pool, config, note);
    isUpdated = true;
    await protectSecrets(config, pool, note);
    if (config.demo && !dev && !(await isDemoCreated(db)))
      await writeDemoInChildProcess({ worker, printLine }, database);
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
    await recordStart(db);
    printLine(`墨栈已启动：${config.siteUrl}`);
    if (config.isLocal) printLine('没有设置 SITE_URL：二维码和邮件里的网址只在本机可用');
  } catch (error) {
    // A signal during the last steps closes everything itself, which makes them fail.
    if (isStopping()) return;
    await app?.close();
    await closeThreads();
    if (isUpdated) for (const line of await describeWayBack(db)) printLine(line);
    await pool.end();
    await database.close();
    throw error;
  }
  await pool.end();
}

/** A child process writes the demo content, because the memory it needs would not be returned to the system. */
async function writeDemoInChildProcess(
  { worker, printLine }: Pick<MainOptions, 'worker' | 'printLine'>,
  { connection }: OpenDatabase,
): Promise<void> {
  const child = fork(worker, [FIRST_START]);
  child.send(connection, () => {});
  const [code] = await once(child, 'exit');
  if (code !== 0) printLine('示例内容没有写成，原因见上；下次启动会再写。不要示例内容，请设 DEMO=off');
}

/** In the process that `writeDemoInChildProcess` starts. */
export async function writeDemo(
  config: Config,
  database: Pick<OpenDatabase, 'connection'>,
  { note, printLine }: Pick<MainOptions, 'note' | 'printLine'>,
): Promise<void> {
  const app = await createAppWithoutSite(config, database);
  try {
    await seedInstallation(systemCtx(app.services), { note, printLine });
  } finally {
    await app.close();
    await closeThreads();
  }
  process.exit(0);
}

/** In a worker, which uses the database that the first process opened. */
export async function serveInWorker(
  config: Config,
  { connection }: Pick<OpenDatabase, 'connection'>,
  { note }: Pick<MainOptions, 'note'>,
): Promise<void> {
  const database = { connection, close: async () => {} };
  const app = await createFullApp(config, database, note);
  await listen(app, config);
  stopOnSignal(app, database);
  reportReady();
}

const createFullApp = (
  config: Config,
  { connection }: OpenDatabase,
  print: MainOptions['note'],
): Promise<App> =>
  createApp({
    config,
    connection,
    jobsDelayMs: JOBS_DELAY_MS,
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

/** Returns a function that closes the connections that have sent nothing: Node does not count them as idle. */
function trackUnused(server: Server): () => void {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return () => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  };
}

/**
 * On a signal, stops accepting connections, finishes the running requests, stops the database and exits. Returns
 * whether that has begun.
 */
function stopOnSignal(app: App, database: OpenDatabase): () => boolean {
  let isStopping = false;
  const closeUnused = trackUnused(app.server.server);
  const onSignal = (): void => {
    if (isStopping) return;
    isStopping = true;
    // A keep-alive connection becomes idle only when its running request ends.
    setInterval(() => app.server.server.closeIdleConnections(), 100).unref();
    setTimeout(closeUnused, CLOSE_UNUSED_MS).unref();
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
