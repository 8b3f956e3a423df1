import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Guarded, postmasterOf, runGuarded } from './guard.ts';
import { EmbeddedError, errorCode, lockFolder } from './lock.ts';
import { type Log, openLog } from './log.ts';
import { ensurePassword, findPassword, NAME, passwordFile, resetPassword } from './password.ts';
import { findPlace, giveTo, type Place, PORT, prepareSocketFolder, removeSocketFolder } from './place.ts';
import { syncFolder } from './secret-file.ts';

export { EmbeddedError } from './lock.ts';

export interface EmbeddedDatabase {
  /** For pg's Pool: a Unix socket folder as host. */
  connection: { host: string; port: number; user: string; password: string; database: string };
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
    return await supervise({ dataDir, place, settings, log, note, password: '' }, close);
  } catch (error) {
    await close();
    if (error instanceof EmbeddedError) throw error;
    throw new EmbeddedError(`数据库无法启动：${String(error)}`, { cause: error });
  }
}

const connectionOf = ({ socket }: Place, password: string): EmbeddedDatabase['connection'] => ({
  host: socket,
  port: PORT,
  user: NAME,
  password,
  database: NAME,
});

/** SQLSTATEs of a wrong password, of a role or rule that is missing, and of a missing database. */
const WRONG_PASSWORD = '28P01';
const REFUSALS = [WRONG_PASSWORD, '28000', '3D000'];

/** The database of a server that is running on this data folder: commands work beside it; null when none is. */
export async function findRunning(options: EmbeddedOptions): Promise<EmbeddedDatabase['connection'] | null> {
  const { note, systemDir = SYSTEM_DIR } = options;
  const dataDir = makeDataDir(options.dataDir);
  const place = findPlace({ dataDir, systemDir, note });
  if (place.fresh) return null;
  const connection = connectionOf(place, findPassword(dataDir) ?? 'lost');
  const error = await tryConnection(connection);
  if (errorCode(error) === WRONG_PASSWORD) {
    throw new EmbeddedError(
      `正在运行的数据库不接受 ${passwordFile(dataDir)} 里的密码：请重新启动墨栈，启动时会重新设置密码。`,
    );
  }
  return error === undefined ? connection : null;
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
    const args = ['-D', draft, '-U', 'postgres', '--auth-local=reject', '--auth-host=reject', '-E', 'UTF8'];
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

interface Server {
  dataDir: string;
  place: Place;
  password: string;
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
    connection: connectionOf(place, server.password),
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

async function startFirst(server: Server): Promise<Guarded> {
  const { dataDir, place, settings, log, note } = server;
  const deadline = Date.now() + PATIENCE;
  for (let mustReset = false; ; ) {
    if (!(await untilGone(server))) {
      throw new EmbeddedError(`数据库 ${place.cluster} 正被另一个 PostgreSQL 进程使用，请先停止它。`);
    }
    const start = log.size();
    let run: Guarded | undefined;
    try {
      server.password = (mustReset ? resetPassword : ensurePassword)(dataDir, place, settings);
      run = launch(server);
      await untilReady(server, run);
      return run;
    } catch (error) {
      await run?.stop();
      if (error instanceof Refused && !mustReset) {
        note(`数据库不接受 ${passwordFile(dataDir)} 里的密码，正在重新设置…`);
        mustReset = true;
        continue;
      }
      const output = log.since(start) || (error instanceof Error ? error.message : String(error));
      // A predecessor that was killed a moment ago: its last processes hold the memory or the pid file.
      const busy = /postmaster\.pid|is still in use/.test(output);
      if (!busy || Date.now() > deadline) {
        throw new EmbeddedError(`数据库 ${place.cluster} 无法启动：${output}`, { cause: error });
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

/** PostgreSQL answers, but lets the application's role not in. */
class Refused extends EmbeddedError {}

/** Waits until a query works, for as long as PostgreSQL lives: recovery after a crash takes its time. */
async function untilReady({ place, password, note }: Server, run: Guarded): Promise<void> {
  const patience = Date.now() + PATIENCE;
  for (let told = false; ; ) {
    const error = await tryConnection(connectionOf(place, password));
    if (!error) return;
    if (run.ended()) throw new EmbeddedError(`数据库进程退出了（${await run.exited}）。`, { cause: error });
    if (REFUSALS.includes(errorCode(error))) throw new Refused(String(error), { cause: error });
    if (!told && Date.now() > patience) {
      note(`数据库还没有就绪，仍在等待（${String(error)}）…`);
      told = true;
    }
    await sleep(20);
  }
}

/** Runs a query on a connection of its own; returns the failure. */
async function tryConnection(connection: EmbeddedDatabase['connection']): Promise<unknown> {
  const client = new pg.Client({ ...connection, ssl: false, connectionTimeoutMillis: PATIENCE });
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
