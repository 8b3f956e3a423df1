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
  ended: Promise<number | null>;
}

/** A new data directory, which PostgreSQL can enter: run by root, it runs as another user. */
export async function makeDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'mozhan-main-'));
  await chmod(dataDir, 0o755);
  return dataDir;
}

/** The server as `npm start` runs it. */
export async function startProcess(
  dataDir: string,
  env: Record<string, string> = {},
): Promise<ServerProcess> {
  const port = env.PORT ?? String(await freePort());
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
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  return { child, url: `http://127.0.0.1:${port}`, output: () => text, ended };
}

/** Until it has said that it is there, which it does when it answers. */
export const untilReady = (server: ServerProcess): Promise<true> =>
  vi.waitUntil(() => server.output().includes('墨栈已启动'), { timeout: 280_000 });

export async function stopProcess({ child, ended }: ServerProcess): Promise<number | null> {
  child.kill('SIGTERM');
  return await ended;
}

/** Ends them without warning, and waits until nothing of them runs. */
export async function killProcesses(servers: ServerProcess[], dataDir: string): Promise<void> {
  for (const { child } of servers) child.kill('SIGKILL');
  await Promise.all(servers.map(({ ended }) => ended));
  await vi.waitUntil(() => listPostgres(dataDir).length === 0, { timeout: 60_000 });
}

/** The processes of PostgreSQL on this data. */
export const listPostgres = (dataDir: string): { pid: number; command: string }[] =>
  execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(dataDir) && line.includes('postgres'))
    .map((line) => ({ pid: Number.parseInt(line, 10), command: line }));

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return address !== null && typeof address === 'object' ? address.port : 0;
}

/** Listens on a port; resolves with a function that frees it. */
export async function occupyPort(port: number): Promise<() => void> {
  const blocker = createServer().listen(port, '127.0.0.1');
  await once(blocker, 'listening');
  return () => void blocker.close();
}

/** An answer of any call, as far as tests look at it. */
interface Envelope {
  success: boolean;
  data: Record<string, unknown>;
}

export async function callProcess(url: string, method: string, path: string, body?: object, token = '') {
  const response = await fetch(`${url}/api/${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token === '' ? {} : { token }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Envelope;
  return { status: response.status, token: response.headers.get('token') ?? '', body: answer };
}

export const registerAt = (url: string, account: string) =>
  callProcess(url, 'POST', 'core/user/', { account, password: PASSWORD });
