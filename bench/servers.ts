import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
export const ADMIN_PASSWORD = 'a password for benchmarks';

export interface Running {
  url: string;
  pid: number;
  /** Of the first process of its PostgreSQL; 0: it has none. */
  databasePid: number;
  stop: () => Promise<void>;
}

async function end(child: ChildProcess): Promise<void> {
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
  // Run by root, PostgreSQL runs as someone else, who must be able to enter.
  await chmod(folder, 0o755);
  return folder;
}

/** The product as `npm start` runs it, without what would refuse a load test; on an empty installation unless one is given. */
export async function startMozhan(given?: string, env: NodeJS.ProcessEnv = {}): Promise<Running> {
  const dataDir = given ?? (await temporaryFolder());
  const port = Number(env.PORT ?? (await freePort()));
  const child = spawn(process.execPath, [...process.execArgv, join(root, 'scripts/start.ts')], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
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
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return {
    url,
    pid: child.pid ?? 0,
    databasePid: await readDatabasePid(dataDir),
    async stop() {
      await end(child);
      if (given === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function readDatabasePid(dataDir: string): Promise<number> {
  const text = await readFile(join(dataDir, 'pg/postmaster.pid'), 'utf8').catch(() => '0');
  return Number.parseInt(text, 10);
}

async function listening(child: ChildProcess, stop: () => Promise<void>, dataDir?: string): Promise<Running> {
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  const databasePid = dataDir === undefined ? 0 : await readDatabasePid(dataDir);
  return { url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, databasePid, stop };
}

/** The same server without its page cache. */
export async function startUncached(given?: string): Promise<Running> {
  const dataDir = given ?? (await temporaryFolder());
  const child = fork(join(import.meta.dirname, 'uncached.ts'), [dataDir], { execArgv: process.execArgv });
  const stop = async () => {
    await end(child);
    if (given === undefined) await rm(dataDir, { recursive: true, force: true });
  };
  return listening(child, stop, dataDir);
}

/** A bare Node server that answers with the very bytes of a response of ours. */
export async function startBare(response: Response): Promise<Running> {
  const child = fork(join(import.meta.dirname, 'bare.ts'), { execArgv: process.execArgv });
  const {
    'content-length': _,
    connection: __,
    'keep-alive': ___,
    ...headers
  } = Object.fromEntries(response.headers);
  child.send({ headers, body: Buffer.from(await response.arrayBuffer()).toString('base64') });
  return listening(child, () => end(child));
}
