import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Guarded, postmasterOf, runGuarded } from './embedded-guard.ts';
import { EmbeddedError, errorCode, lockFolder } from './embedded-lock.ts';
import { type Log, openLog } from './embedded-log.ts';
import {
  findPlace,
  giveTo,
  type Place,
  PORT,
  prepareSocketFolder,
  removeSocketFolder,
} from './embedded-place.ts';

export { EmbeddedError } from './embedded-lock.ts';

export interface EmbeddedDatabase {
  /** For pg's Pool: a Unix socket folder as host. */
  connection: { host: string; port: number; user: string; database: string };
  /** Fast shutdown, idempotent; resolves when PostgreSQL has gone. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /** The cluster goes to `<dataDir>/pg`, or to systemDir when root's stand-in cannot enter dataDir. */
  dataDir: string;
  /** Receives one Chinese sentence at a time for the operator. */
  note: (sentence: string) => void;
  /** Extra settings of PostgreSQL; tests use fsync=off. */
  settings?: Record<string, string>;
  /** Where root keeps what its stand-in cannot enter elsewhere; tests change it. */
  systemDir?: string;
}

const NAME = 'mozhan';
const SYSTEM_DIR = '/var/lib/mozhan';
/** How long a predecessor may take to shut down, and a crashed one's last processes to end. */
const PATIENCE = 10_000;

/** For a small machine: few background processes, little memory; the same on every machine. */
const SETTINGS: Record<string, string> = {
  listen_addresses: '',
  port: String(PORT),
  unix_socket_permissions: '0700',
  cluster_name: NAME,
  max_connections: '100',
  shared_buffers: '128MB',
  huge_pages: 'off',
  io_method: 'sync',
  max_logical_replication_workers: '0',
  // Parallel workers need /dev/shm, which containers keep small.
  max_parallel_workers_per_gather: '0',
  logging_collector: 'off',
  log_destination: 'stderr',
  log_checkpoints: 'off',
  timezone: 'UTC',
};

export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const { note, systemDir = SYSTEM_DIR } = options;
  const dataDir = makeDataDir(options.dataDir);
  const closing: (() => Promise<void> | void)[] = [await lockFolder(dataDir)];
  const close = async () => {
    for (const step of closing.splice(0).reverse()) await step();
  };
  try {
    const place = findPlace({ dataDir, systemDir, note });
    const settings = { ...SETTINGS, ...options.settings };
    if (place.fresh) await createCluster(place, settings.fsync !== 'off', note);
    if (place.marker) writeFileSync(place.marker, `${place.cluster}\n`);
    const log = openLog(join(dataDir, 'pg.log'));
    closing.push(log.close, () => removeSocketFolder(place));
    return await supervise({ place, settings, log, note }, close);
  } catch (error) {
    await close();
    if (error instanceof EmbeddedError) throw error;
    throw new EmbeddedError(`数据库无法启动：${String(error)}`, { cause: error });
  }
}

const connectionOf = (place: Place) => ({ host: place.socket, port: PORT, user: NAME, database: NAME });

/** The database of a server that is running on this data folder: commands work beside it; null when none is. */
export async function findRunning(options: EmbeddedOptions): Promise<EmbeddedDatabase['connection'] | null> {
  const { note, systemDir = SYSTEM_DIR } = options;
  const place = findPlace({ dataDir: makeDataDir(options.dataDir), systemDir, note });
  const isRunning = !place.fresh && (await query(place, NAME, 'SELECT 1')) === undefined;
  return isRunning ? connectionOf(place) : null;
}

function makeDataDir(path: string): string {
  try {
    mkdirSync(path, { recursive: true });
    return realpathSync(path);
  } catch (error) {
    throw new EmbeddedError(`无法使用数据目录 ${path}：${String(error)}`, { cause: error });
  }
}

/** Creates the cluster under another name and moves it into place when it is whole. */
async function createCluster(place: Place, durable: boolean, note: (s: string) => void): Promise<void> {
  const { cluster, as } = place;
  note('正在创建数据库…');
  const parent = dirname(cluster);
  const prefix = `${basename(cluster)}.new-`;
  for (const name of readdirSync(parent)) {
    // Left by a killed predecessor, whose initdb may still be cleaning up.
    if (name.startsWith(prefix)) rmSync(join(parent, name), { recursive: true, force: true, maxRetries: 10 });
  }
  const draft = join(parent, prefix + randomBytes(4).toString('hex'));
  let output = '';
  for (const ctype of characterTypes()) {
    mkdirSync(draft, { mode: 0o700 });
    if (as) giveTo(as, draft);
    const args = ['-D', draft, '-U', 'postgres', '--auth-local=trust', '--auth-host=reject', '-E', 'UTF8'];
    args.push('--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', `--lc-ctype=${ctype}`);
    args.push('--text-search-config=simple', '--no-instructions');
    if (!durable) args.push('--no-sync');
    const initdb = runGuarded(join(place.native, 'bin/initdb'), args, as);
    try {
      const how = await initdb.exited;
      output = initdb.output() || how;
      if (how === '0') {
        renameSync(draft, cluster);
        syncFolder(parent);
        return;
      }
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
    if (!output.includes('invalid locale name')) break;
  }
  throw new EmbeddedError(`创建数据库 ${cluster} 失败：${output.trim().slice(-1500)}`);
}

/**
 * The builtin provider does not cover pg_trgm and the text search parser: they ask the C library what a
 * letter is, and the plain C locale says no Chinese character is one.
 */
function characterTypes(): string[] {
  return process.platform === 'darwin' ? ['en_US.UTF-8', 'UTF-8'] : ['C.UTF-8', 'en_US.UTF-8', 'zh_CN.UTF-8'];
}

function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

interface Server {
  place: Place;
  settings: Record<string, string>;
  log: Log;
  note: (sentence: string) => void;
}

function launch({ place, settings, log }: Server): Guarded {
  prepareSocketFolder(place);
  const folder = `"${place.socket.replaceAll('"', '""')}"`;
  const args = ['-D', place.cluster];
  for (const [name, value] of Object.entries({ ...settings, unix_socket_directories: folder })) {
    args.push('-c', `${name}=${value}`);
  }
  return runGuarded(join(place.native, 'bin/postgres'), args, place.as, log.descriptor);
}

/** Starts PostgreSQL, and starts it again whenever it dies, until stop(). */
async function supervise(server: Server, close: () => Promise<void>): Promise<EmbeddedDatabase> {
  const { place, note } = server;
  let run = await startFirst(server);
  const stopping = new AbortController();
  const { signal } = stopping;
  const keepAlive = async () => {
    let healthy = true;
    for (let delay = 250; ; delay = Math.min(delay * 2, 5_000)) {
      const since = Date.now();
      const how = await run.exited;
      if (signal.aborted) return;
      if (Date.now() - since > 60_000) delay = 250;
      if (healthy) note(`数据库进程意外退出（${how}），正在重新启动…`);
      healthy = false;
      await sleep(delay, undefined, { signal }).catch(() => {});
      try {
        const gone = await untilGone(server);
        if (signal.aborted) return;
        if (!gone) continue;
        run = launch(server);
        await untilReady(server, run);
        healthy = true;
        note('数据库已恢复。');
      } catch (error) {
        if (!signal.aborted) note(`数据库没能恢复，稍后再试：${String(error)}`);
      }
    }
  };
  const keepingAlive = keepAlive();
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    stopping.abort();
    await run.stop();
    await keepingAlive;
    // The guard waits for PostgreSQL; only after a kill -9 of the guard can it still be there.
    await untilGone(server);
    await close();
  };
  return {
    connection: connectionOf(place),
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

async function startFirst(server: Server): Promise<Guarded> {
  const { place, log } = server;
  const deadline = Date.now() + PATIENCE;
  for (;;) {
    if (!(await untilGone(server))) {
      throw new EmbeddedError(`数据库 ${place.cluster} 正被另一个 PostgreSQL 进程使用，请先停止它。`);
    }
    const start = log.size();
    const run = launch(server);
    try {
      await untilReady(server, run);
      return run;
    } catch (error) {
      await run.stop();
      const output = log.since(start);
      // A predecessor that was killed a moment ago: its last processes hold the memory or the pid file.
      const busy = /postmaster\.pid|is still in use/.test(output);
      if (!busy || Date.now() > deadline) {
        const details = output || String(error);
        throw new EmbeddedError(`数据库 ${place.cluster} 无法启动：${details}`, { cause: error });
      }
      await sleep(250);
    }
  }
}

/** Waits for a predecessor's PostgreSQL to end, then clears what it left; false: it is still there. */
async function untilGone({ place, note }: Server): Promise<boolean> {
  const deadline = Date.now() + PATIENCE;
  for (let told = false; await postmasterOf(place.cluster); told = true) {
    if (Date.now() > deadline) return false;
    if (!told) note('正在等待上一个数据库进程退出…');
    await sleep(100);
  }
  // PostgreSQL trusts the pids in these files, which may by now be those of other programs.
  rmSync(join(place.cluster, 'postmaster.pid'), { force: true });
  rmSync(join(place.socket, `.s.PGSQL.${PORT}.lock`), { force: true });
  return true;
}

/** Waits until a query works, for as long as PostgreSQL lives: recovery after a crash takes its time. */
async function untilReady({ place, note }: Server, run: Guarded): Promise<void> {
  const patience = Date.now() + PATIENCE;
  for (let told = false; ; ) {
    const error = await query(place, NAME, 'SELECT 1');
    if (!error) return;
    if (run.ended()) throw new EmbeddedError(`数据库进程退出了（${await run.exited}）。`, { cause: error });
    const missing = ['3D000', '28000'].includes(errorCode(error));
    const failure = missing ? await createDatabase(place) : undefined;
    if (failure) throw failure;
    if (!told && Date.now() > patience) {
      note(`数据库还没有就绪，仍在等待（${String(error)}）…`);
      told = true;
    }
    await sleep(20);
  }
}

/** The application's role owns its database but is no superuser, so that a hole in it stays a small one. */
async function createDatabase(place: Place): Promise<unknown> {
  for (const statement of [`CREATE ROLE ${NAME} LOGIN CREATEDB`, `CREATE DATABASE ${NAME} OWNER ${NAME}`]) {
    const error = await query(place, 'postgres', statement);
    // Either may be there already, when an earlier first start was interrupted.
    if (error && !['42710', '42P04'].includes(errorCode(error))) return error;
  }
  return undefined;
}

/** Runs a statement on a connection of its own, as the user of the database's name; returns the failure. */
async function query(place: Place, name: string, statement: string): Promise<unknown> {
  const client = new pg.Client({
    host: place.socket,
    port: PORT,
    user: name,
    database: name,
    ssl: false,
    connectionTimeoutMillis: PATIENCE,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(statement);
    return undefined;
  } catch (error) {
    return error;
  } finally {
    await client.end().catch(() => {});
  }
}
