import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRunningDatabase, startEmbedded } from '@mozhan/postgres';
import pg from 'pg';
import { createBuilder } from 'vite';
import { bundleServer } from '../server/vite.config.ts';

const root = join(import.meta.dirname, '..');
export const ADMIN_PASSWORD = 'a password for benchmarks';

export interface RunningServer {
  url: string;
  pid: number;
  /** Pid of the PostgreSQL postmaster; 0 without one. */
  databasePid: number;
  stop: () => Promise<void>;
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'mozhan-bench-'));
  // When started by root, PostgreSQL runs as another user, who needs access.
  await chmod(folder, 0o755);
  return folder;
}

/** Raises the limit of open files for this process and its children; exceeding the hard limit requires root. */
export function raiseFileLimit(count: number): void {
  const limits = readFileSync('/proc/self/limits', 'utf8');
  const [, most = '0'] = /^Max open files\s+\d+\s+(\d+)/m.exec(limits) ?? [];
  if (Number(most) >= count) return;
  try {
    execFileSync('prlimit', ['--pid', String(process.pid), `--nofile=${count}:${count}`], {
      stdio: 'ignore',
    });
  } catch {
    throw new Error(`needs ${count} open files, of which the system allows ${most}: raise \`ulimit -Hn\``);
  }
}

const NODE_ARGS = ['--max-semi-space-size=8', '--min-semi-space-size=8'];

/** Pins a command to a core, if given. */
export const pinToCore = (
  core: string | undefined,
  [command, ...args]: [string, ...string[]],
): [string, string[]] => (core === undefined ? [command, args] : ['taskset', ['-c', core, command, ...args]]);

/** Starts the product like `npm start`, without rate limits; with an empty data directory unless one is given. */
export async function startMozhan(
  givenDir?: string,
  env: NodeJS.ProcessEnv = {},
  core?: string,
): Promise<RunningServer> {
  const dataDir = givenDir ?? (await temporaryFolder());
  const port = Number(env.PORT ?? (await freePort()));
  const [command, args] = pinToCore(core, [process.execPath, ...NODE_ARGS, join(root, 'scripts/start.ts')]);
  const child = spawn(command, args, {
    cwd: root,
    // The IPC channel stops the server when this process exits.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      MALLOC_ARENA_MAX: '2',
      MALLOC_MMAP_THRESHOLD_: '131072',
      NODE_COMPILE_CACHE: 'node_modules/.cache/compile',
      PORT: String(port),
      DATA_DIR: dataDir,
      ADMIN_PASSWORD,
      CHALLENGE: 'off',
      RATE_LIMIT: 'off',
      LOG_LEVEL: 'warn',
      ...env,
    },
  });
  const url = `http://127.0.0.1:${port}`;
  for (let isReady = false; !isReady; ) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
    isReady = await fetch(`${url}/readyz`).then(
      (response) => response.ok,
      () => false,
    );
    if (!isReady) await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return {
    url,
    pid: child.pid ?? 0,
    databasePid: await readDatabasePid(dataDir),
    async stop() {
      await stopProcess(child);
      if (givenDir === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function readDatabasePid(dataDir: string): Promise<number> {
  const text = await readFile(join(dataDir, 'pg/postmaster.pid'), 'utf8').catch(() => '0');
  return Number.parseInt(text, 10);
}

const embedded = (dataDir: string) => ({ dataDir, notify: () => {}, systemDir: join(dataDir, 'system') });

/** Connects to the database of a running server. */
export async function openClient(dataDir: string): Promise<pg.Client> {
  const client = new pg.Client((await findRunningDatabase(embedded(dataDir))) ?? {});
  // The connection fails when the server is killed.
  client.on('error', () => {});
  await client.connect();
  return client;
}

interface Database {
  connection: pg.ClientConfig;
  /** For `DATABASE_URL`. */
  url: string;
  stop: () => Promise<void>;
}

/** Starts PostgreSQL without a server on a data directory. */
export async function startDatabase(
  dataDir: string,
  { settings, core }: { settings?: Record<string, string>; core?: string } = {},
): Promise<Database> {
  const { connection, stop } = await startEmbedded({
    ...embedded(dataDir),
    ...(settings === undefined ? {} : { settings }),
  });
  if (core !== undefined)
    execFileSync('taskset', ['-a', '-c', '-p', core, String(await readDatabasePid(dataDir))], {
      stdio: 'ignore',
    });
  const { host, port, user, password, database } = connection;
  const query = new URLSearchParams({ host, port: String(port), user, password });
  return { connection, url: `postgresql:///${database}?${query}`, stop };
}

async function waitUntilListening(
  child: ChildProcess,
  stop: () => Promise<void>,
  dataDir?: string,
): Promise<RunningServer> {
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  const databasePid = dataDir === undefined ? 0 : await readDatabasePid(dataDir);
  return { url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, databasePid, stop };
}

function forkScript(script: string, args: string[], core: string | undefined): ChildProcess {
  const [execPath, execArgv] = pinToCore(core, [process.execPath, ...NODE_ARGS]);
  return fork(script, args, { execPath, execArgv });
}

const bundle = { output: join(import.meta.dirname, 'dist'), name: 'uncached-server.js' };
let built: Promise<void> | undefined;

/** Bundles `uncached-server.ts` once, like the product, because the sources are slower. */
function buildUncached(): Promise<void> {
  const input = join(import.meta.dirname, 'uncached-server.ts');
  built ??= createBuilder({
    configFile: false,
    logLevel: 'warn',
    ...bundleServer({ input, ...bundle }),
  }).then((builder) => builder.buildApp());
  return built;
}

/** `changed`: what each request finds changed in its essay: `nothing`, `counters` or `everything`. */
export async function startUncached(
  givenDir?: string,
  core?: string,
  changed = 'nothing',
): Promise<RunningServer> {
  const dataDir = givenDir ?? (await temporaryFolder());
  await buildUncached();
  const child = forkScript(join(bundle.output, bundle.name), [dataDir, changed], core);
  const stop = async () => {
    await stopProcess(child);
    if (givenDir === undefined) await rm(dataDir, { recursive: true, force: true });
  };
  return waitUntilListening(child, stop, dataDir);
}

/** Starts a bare Node server that sends the same bytes as the given response. */
export async function startBare(response: Response, core?: string): Promise<RunningServer> {
  const child = forkScript(join(import.meta.dirname, 'bare-server.ts'), [], core);
  const {
    'content-length': _,
    connection: __,
    'keep-alive': ___,
    ...headers
  } = Object.fromEntries(response.headers);
  child.send({ headers, body: Buffer.from(await response.arrayBuffer()).toString('base64') });
  return waitUntilListening(child, () => stopProcess(child));
}
