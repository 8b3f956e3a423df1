import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabaseDir } from '@mozhan/server/testing/database-dir.ts';

export const ADMIN = { account: 'admin', password: 'e2e-admin-password' };

const root = dirname(dirname(import.meta.dirname));
const CHEAP_PASSWORDS = join(root, 'server/src/testing/cheap-passwords.ts');
const START_TIMEOUT_MS = 240_000;
const STOP_TIMEOUT_MS = 60_000;

interface Server {
  url: string;
  /** To start a second server on the same database. */
  databaseUrl: string;
  /** A second server must use the same key. */
  keyFile: string;
  stop: () => Promise<void>;
}

/**
 * Starts the production server with the built pages and its own data, unless `settings` contain `DATA_DIR` (which is
 * then not removed) or `DATABASE_URL`. Only password hashing is cheaper. `name` is the name of the log file.
 */
export async function startServer(name: string, settings: NodeJS.ProcessEnv = {}): Promise<Server> {
  const logFile = join(root, `e2e/results/${name}.log`);
  const { DATA_DIR: givenDir, DATABASE_URL } = settings;
  const dataDir = givenDir ?? createDatabaseDir('e2e');
  const { E2E_PREPARED_DATA } = process.env;
  if (E2E_PREPARED_DATA && !givenDir && !DATABASE_URL) {
    // `cp` of node:fs does not preserve file owners.
    execFileSync('cp', ['-a', `${E2E_PREPARED_DATA}/.`, dataDir]);
  }
  const port = await freePort();
  mkdirSync(dirname(logFile), { recursive: true });
  const log = openSync(logFile, 'w');
  const child = spawn(process.execPath, ['--import', CHEAP_PASSWORDS, join(root, 'scripts/start.ts')], {
    cwd: root,
    // The IPC channel stops the server when this process is killed.
    stdio: ['ignore', log, log, 'ipc'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(port),
      SITE_URL: '',
      BASE_PATH: '',
      DATABASE_URL: '',
      SMTP_URL: '',
      DATA_DIR: dataDir,
      ADMIN_PASSWORD: ADMIN.password,
      DEMO: 'off',
      // Proof of work has its own test.
      CHALLENGE: 'off',
      RATE_LIMIT: 'off',
      PAY_SANDBOX: 'on',
      LOG_LEVEL: 'warn',
      // Tests must not fail because the machine is slow.
      TIME_LIMIT_FACTOR: '6',
      ...settings,
    },
  });
  closeSync(log);
  const url = `http://127.0.0.1:${port}`;
  try {
    await waitUntilReady(url, child, logFile);
  } catch (error) {
    child.kill('SIGKILL');
    removeDir(dataDir);
    throw error;
  }
  return {
    url,
    databaseUrl: DATABASE_URL ?? databaseUrlOf(dataDir),
    keyFile: join(dataDir, 'secret.key'),
    stop: async () => {
      await stopServer(child, logFile).finally(() => {
        if (!givenDir) removeDir(dataDir);
      });
    },
  };
}

export const removeDir = (path: string) => rmSync(path, { recursive: true, force: true });

/** Starts a site once and returns its data directory. Servers that use a copy of it start in half the time. */
export async function prepareDataDir(): Promise<string> {
  const dataDir = createDatabaseDir('e2e');
  const server = await startServer('prepared-data', { DATA_DIR: dataDir });
  await server.stop();
  return dataDir;
}

function databaseUrlOf(dataDir: string): string {
  const password = readFileSync(join(dataDir, 'pg.password'), 'utf8').trim();
  return `postgresql://mozhan:${password}@localhost/mozhan?host=${encodeURIComponent(join(dataDir, 'pg'))}`;
}

async function waitUntilReady(url: string, child: ChildProcess, logFile: string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    if (hasEnded(child)) throw new Error(`the server did not start:\n${readLog(logFile)}`);
    const ready = await fetch(`${url}/readyz`).catch(() => undefined);
    if (ready?.ok) return;
    await sleep(100);
  }
  throw new Error(`the server was not ready after ${START_TIMEOUT_MS / 1000} s:\n${readLog(logFile)}`);
}

/** Stops the server with a signal; an unclean exit fails the run. */
async function stopServer(child: ChildProcess, logFile: string): Promise<void> {
  const endedBefore = hasEnded(child);
  if (!endedBefore) {
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    child.kill('SIGTERM');
    await once(child, 'exit');
    clearTimeout(late);
  }
  const how = child.exitCode ?? child.signalCode;
  if (endedBefore) throw new Error(`the server ended during the tests (${how}):\n${readLog(logFile)}`);
  if (how !== 0) throw new Error(`the server did not stop as it should (${how}):\n${readLog(logFile)}`);
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;
const readLog = (logFile: string) => readFileSync(logFile, 'utf8').slice(-4000);

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}
