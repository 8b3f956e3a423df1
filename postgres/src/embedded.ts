import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { findPostmasterPid, type GuardedProcess, runGuarded } from './guard.ts';
import {
  type ClusterLocation,
  chownRecursively,
  locateCluster,
  PORT,
  prepareSocketFolder,
  removeSocketFolder,
} from './location.ts';
import { EmbeddedError, errorCode, lockFolder } from './lock.ts';
import { type LogFile, openLogFile } from './log.ts';
import { APP_NAME, ensurePassword, passwordFile, readPassword, resetPassword } from './password.ts';
import { fsyncFolder } from './secret-file.ts';

export { EmbeddedError } from './lock.ts';

export interface EmbeddedDatabase {
  /** Options for pg's Pool; `host` is the folder of the Unix socket. */
  connection: { host: string; port: number; user: string; password: string; database: string };
  /** Shuts down fast and resolves when PostgreSQL has exited; may be called several times. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /** The cluster is created in `<dataDir>/pg`, or in `systemDir` if root starts it and `nobody` cannot enter dataDir. */
  dataDir: string;
  /** Receives Chinese messages for the operator. */
  notify: (message: string) => void;
  /** More settings of PostgreSQL, such as `fsync: 'off'` in tests. */
  settings?: Record<string, string>;
  /** Used by root for a cluster or binaries that `nobody` could not access elsewhere. */
  systemDir?: string;
  /** Fails, instead of creating the cluster, if there is none. */
  mustExist?: boolean;
  /** Called when PostgreSQL has been started and is not ready yet; the caller may do other work meanwhile. */
  onStarting?: () => void;
}

const SYSTEM_DIR = '/var/lib/mozhan';
/** The time limit for a previous PostgreSQL to exit, including the child processes of a crashed one. */
const WAIT_TIMEOUT_MS = 10_000;

/** Chosen for a small machine: few background processes and little memory. */
const DEFAULT_SETTINGS: Record<string, string> = {
  listen_addresses: '',
  port: String(PORT),
  unix_socket_permissions: '0700',
  cluster_name: APP_NAME,
  max_connections: '100',
  shared_buffers: '128MB',
  huge_pages: 'off',
  io_method: 'sync',
  max_logical_replication_workers: '0',
  // Parallel workers need /dev/shm, which is small in containers.
  max_parallel_workers_per_gather: '0',
  logging_collector: 'off',
  log_destination: 'stderr',
  log_checkpoints: 'off',
  timezone: 'UTC',
};

export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const { notify, systemDir = SYSTEM_DIR, mustExist = false, onStarting = () => {} } = options;
  const dataDir = createDataDir(options.dataDir);
  const closing: (() => Promise<void> | void)[] = [await lockFolder(dataDir)];
  const close = async () => {
    for (const step of closing.splice(0).reverse()) await step();
  };
  try {
    const location = locateCluster({ dataDir, systemDir, notify });
    const settings = { ...DEFAULT_SETTINGS, ...options.settings };
    if (location.fresh && mustExist)
      throw new EmbeddedError(`${dataDir} 里还没有数据库：请先用 npm start 启动一次。`);
    if (location.fresh) await createCluster(location, settings.fsync !== 'off', notify);
    if (location.marker) writeFileSync(location.marker, `${location.cluster}\n`);
    const log = openLogFile(join(dataDir, 'pg.log'));
    closing.push(log.close, () => removeSocketFolder(location));
    return await supervise({ dataDir, location, settings, log, notify, onStarting, password: '' }, close);
  } catch (error) {
    await close();
    if (error instanceof EmbeddedError) throw error;
    throw new EmbeddedError(`数据库无法启动：${String(error)}`, { cause: error });
  }
}

const toConnection = ({ socketDir }: ClusterLocation, password: string): EmbeddedDatabase['connection'] => ({
  host: socketDir,
  port: PORT,
  user: APP_NAME,
  password,
  database: APP_NAME,
});

/** SQLSTATEs: wrong password, missing role or pg_hba.conf rule, missing database. */
const WRONG_PASSWORD = '28P01';
const ACCESS_ERRORS = [WRONG_PASSWORD, '28000', '3D000'];

/** Lets a command connect to the database of a server that runs on this data folder; returns null if none runs. */
export async function findRunningDatabase(
  options: EmbeddedOptions,
): Promise<EmbeddedDatabase['connection'] | null> {
  const { notify, systemDir = SYSTEM_DIR } = options;
  const dataDir = createDataDir(options.dataDir);
  const location = locateCluster({ dataDir, systemDir, notify });
  if (location.fresh) return null;
  const connection = toConnection(location, readPassword(dataDir) ?? 'lost');
  const error = await tryConnection(connection);
  if (errorCode(error) === WRONG_PASSWORD) {
    throw new EmbeddedError(
      `正在运行的数据库不接受 ${passwordFile(dataDir)} 里的密码：请重新启动墨栈，启动时会重新设置密码。`,
    );
  }
  return error === undefined ? connection : null;
}

function createDataDir(path: string): string {
  try {
    mkdirSync(path, { recursive: true });
    return realpathSync(path);
  } catch (error) {
    throw new EmbeddedError(`无法使用数据目录 ${path}：${String(error)}`, { cause: error });
  }
}

/** Creates the cluster under a temporary name and renames it when it is complete. */
async function createCluster(
  location: ClusterLocation,
  durable: boolean,
  notify: (message: string) => void,
): Promise<void> {
  const { cluster, runAs } = location;
  notify('正在创建数据库…');
  const parent = dirname(cluster);
  const prefix = `${basename(cluster)}.new-`;
  for (const name of readdirSync(parent)) {
    // A killed start left this folder, and its initdb may still be removing files.
    if (name.startsWith(prefix)) rmSync(join(parent, name), { recursive: true, force: true, maxRetries: 10 });
  }
  const temporaryPath = join(parent, prefix + randomBytes(4).toString('hex'));
  let output = '';
  for (const ctype of listCharacterLocales()) {
    mkdirSync(temporaryPath, { mode: 0o700 });
    if (runAs) chownRecursively(runAs, temporaryPath);
    const args = [
      '-D',
      temporaryPath,
      '-U',
      'postgres',
      '--auth-local=reject',
      '--auth-host=reject',
      '-E',
      'UTF8',
    ];
    args.push('--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', `--lc-ctype=${ctype}`);
    args.push('--text-search-config=simple', '--no-instructions');
    if (!durable) args.push('--no-sync');
    const initdb = runGuarded(join(location.native, 'bin/initdb'), args, runAs);
    try {
      const exitReason = await initdb.exited;
      output = initdb.output() || exitReason;
      if (exitReason === '0') {
        renameSync(temporaryPath, cluster);
        fsyncFolder(parent);
        return;
      }
    } finally {
      rmSync(temporaryPath, { recursive: true, force: true });
    }
    if (!output.includes('invalid locale name')) break;
  }
  throw new EmbeddedError(`创建数据库 ${cluster} 失败：${output.trim().slice(-1500)}`);
}

/**
 * pg_trgm and the text search parser ignore the builtin locale provider: they use the C library to recognise letters,
 * and its C locale does not recognise Chinese characters.
 */
function listCharacterLocales(): string[] {
  return process.platform === 'darwin' ? ['en_US.UTF-8', 'UTF-8'] : ['C.UTF-8', 'en_US.UTF-8', 'zh_CN.UTF-8'];
}

interface ServerState {
  dataDir: string;
  location: ClusterLocation;
  password: string;
  settings: Record<string, string>;
  log: LogFile;
  notify: (message: string) => void;
  onStarting: () => void;
}

function launch({ location, settings, log }: ServerState): GuardedProcess {
  prepareSocketFolder(location);
  const folder = `"${location.socketDir.replaceAll('"', '""')}"`;
  const args = ['-D', location.cluster];
  for (const [name, value] of Object.entries({ ...settings, unix_socket_directories: folder })) {
    args.push('-c', `${name}=${value}`);
  }
  return runGuarded(join(location.native, 'bin/postgres'), args, location.runAs, log.descriptor);
}

/** Starts PostgreSQL and restarts it whenever it exits, until stop() is called. */
async function supervise(server: ServerState, close: () => Promise<void>): Promise<EmbeddedDatabase> {
  const { location, notify } = server;
  let run = await startInitially(server);
  const stopping = new AbortController();
  const { signal } = stopping;
  const restartOnExit = async () => {
    let healthy = true;
    for (let delay = 250; ; delay = Math.min(delay * 2, 5_000)) {
      const since = Date.now();
      const exitReason = await run.exited;
      if (signal.aborted) return;
      if (Date.now() - since > 60_000) delay = 250;
      if (healthy) notify(`数据库进程意外退出（${exitReason}），正在重新启动…`);
      healthy = false;
      await sleep(delay, undefined, { signal }).catch(() => {});
      try {
        const gone = await waitUntilStopped(server);
        if (signal.aborted) return;
        if (!gone) continue;
        run = launch(server);
        await waitUntilReady(server, run);
        healthy = true;
        notify('数据库已恢复。');
      } catch (error) {
        if (!signal.aborted) notify(`数据库没能恢复，稍后再试：${String(error)}`);
      }
    }
  };
  const restarting = restartOnExit();
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    stopping.abort();
    await run.stop();
    await restarting;
    // The guard waits for PostgreSQL, which can only be running still if the guard was killed.
    await waitUntilStopped(server);
    await close();
  };
  return {
    connection: toConnection(location, server.password),
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

async function startInitially(server: ServerState): Promise<GuardedProcess> {
  const { dataDir, location, settings, log, notify, onStarting } = server;
  const deadline = Date.now() + WAIT_TIMEOUT_MS;
  for (let mustReset = false; ; ) {
    if (!(await waitUntilStopped(server))) {
      throw new EmbeddedError(`数据库 ${location.cluster} 正被另一个 PostgreSQL 进程使用，请先停止它。`);
    }
    const start = log.size();
    let run: GuardedProcess | undefined;
    try {
      server.password = (mustReset ? resetPassword : ensurePassword)(dataDir, location, settings);
      run = launch(server);
      onStarting();
      await waitUntilReady(server, run);
      return run;
    } catch (error) {
      await run?.stop();
      if (error instanceof AccessError && !mustReset) {
        notify(`数据库不接受 ${passwordFile(dataDir)} 里的密码，正在重新设置…`);
        mustReset = true;
        continue;
      }
      const output = log.readFrom(start) || (error instanceof Error ? error.message : String(error));
      // The last processes of a PostgreSQL that was just killed still hold the shared memory or the pid file.
      const busy = /postmaster\.pid|is still in use/.test(output);
      if (!busy || Date.now() > deadline) {
        throw new EmbeddedError(`数据库 ${location.cluster} 无法启动：${output}`, { cause: error });
      }
      await sleep(250);
    }
  }
}

/** Waits for a previous PostgreSQL to exit and removes its pid files; returns false on timeout. */
async function waitUntilStopped({ location, notify }: ServerState): Promise<boolean> {
  const deadline = Date.now() + WAIT_TIMEOUT_MS;
  for (let hasNotified = false; await findPostmasterPid(location.cluster); hasNotified = true) {
    if (Date.now() > deadline) return false;
    if (!hasNotified) notify('正在等待上一个数据库进程退出…');
    await sleep(100);
  }
  // PostgreSQL trusts the pids in these files, which may belong to other programs now.
  rmSync(join(location.cluster, 'postmaster.pid'), { force: true });
  rmSync(join(location.socketDir, `.s.PGSQL.${PORT}.lock`), { force: true });
  return true;
}

/** PostgreSQL runs but rejects the application's role. */
class AccessError extends EmbeddedError {}

/** Waits without a time limit while PostgreSQL runs, because recovery after a crash can take long. */
async function waitUntilReady(
  { location, password, notify }: ServerState,
  run: GuardedProcess,
): Promise<void> {
  const deadline = Date.now() + WAIT_TIMEOUT_MS;
  for (let hasNotified = false; ; ) {
    const error = await tryConnection(toConnection(location, password));
    if (!error) return;
    if (run.hasExited())
      throw new EmbeddedError(`数据库进程退出了（${await run.exited}）。`, { cause: error });
    if (ACCESS_ERRORS.includes(errorCode(error))) throw new AccessError(String(error), { cause: error });
    if (!hasNotified && Date.now() > deadline) {
      notify(`数据库还没有就绪，仍在等待（${String(error)}）…`);
      hasNotified = true;
    }
    await sleep(20);
  }
}

/** Runs a query on a new connection and returns the error, or undefined. */
async function tryConnection(connection: EmbeddedDatabase['connection']): Promise<unknown> {
  const client = new pg.Client({ ...connection, ssl: false, connectionTimeoutMillis: WAIT_TIMEOUT_MS });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('SELECT 1');
    return undefined;
  } catch (error) {
    return error;
  } finally {
    await client.end().catch(() => {});
  }
}
