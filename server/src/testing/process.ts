import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { PASSWORD } from './app.ts';

const root = join(import.meta.dirname, '../../..');

export interface ServerProcess {
  child: ChildProcess;
  url: string;
  output: () => string;
  /** Resolves with the exit code. */
  exited: Promise<number | null>;
}

/** PostgreSQL must be able to enter the directory, because it runs as another user when root starts it. */
export async function createDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'mozhan-main-'));
  await chmod(dataDir, 0o755);
  return dataDir;
}

/** Starts the server like `npm start`. */
export async function startServerProcess(
  dataDir: string,
  env: Record<string, string> = {},
): Promise<ServerProcess> {
  const port = env.PORT ?? String(await findFreePort());
  const child = spawn(process.execPath, [join(root, 'scripts/start.ts')], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      PORT: port,
      CHALLENGE: 'off',
      DEMO: 'off',
      LOG_LEVEL: 'error',
      ...env,
    },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
  }
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  return { child, url: `http://127.0.0.1:${port}`, output: () => text, exited };
}

/** Waits for the message that the server prints when it accepts requests. */
export const waitUntilReady = (server: ServerProcess): Promise<true> =>
  vi.waitUntil(() => server.output().includes('墨栈已启动'), { timeout: 280_000 });

export async function stopServerProcess({ child, exited }: ServerProcess): Promise<number | null> {
  child.kill('SIGTERM');
  return await exited;
}

/** Kills the servers and waits until their PostgreSQL has exited. */
export async function killServerProcesses(servers: ServerProcess[], dataDir: string): Promise<void> {
  for (const { child } of servers) child.kill('SIGKILL');
  await Promise.all(servers.map(({ exited }) => exited));
  await vi.waitUntil(() => listPostgresProcesses(dataDir).length === 0, { timeout: 60_000 });
}

export const listPostgresProcesses = (dataDir: string): { pid: number; command: string }[] =>
  execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(dataDir) && line.includes('postgres'))
    .map((line) => ({ pid: Number.parseInt(line, 10), command: line }));

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return address !== null && typeof address === 'object' ? address.port : 0;
}

/** Listens on a port and returns a function that releases it. */
export async function occupyPort(port: number): Promise<() => void> {
  const blocker = createServer().listen(port, '127.0.0.1');
  await once(blocker, 'listening');
  return () => void blocker.close();
}

interface Envelope {
  success: boolean;
  data: Record<string, unknown>;
}

export async function callServer(url: string, method: string, path: string, body?: object, token = '') {
  const response = await fetch(`${url}/api/${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token === '' ? {} : { token }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const envelope = (await response.json()) as Envelope;
  return { status: response.status, token: response.headers.get('token') ?? '', body: envelope };
}

export const registerOnServer = (url: string, account: string) =>
  callServer(url, 'POST', 'core/user/', { account, password: PASSWORD });
