import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { findRunningDatabase } from '@mozhan/postgres';
import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PASSWORD } from './testing/app.ts';
import {
  callServer as call,
  createDataDir,
  findFreePort,
  killServerProcesses,
  listPostgresProcesses,
  occupyPort,
  registerOnServer as register,
  type ServerProcess,
  startServerProcess,
  stopServerProcess,
  waitUntilReady,
} from './testing/process.ts';

let dataDir: string;
const running: ServerProcess[] = [];
beforeEach(async () => {
  dataDir = await createDataDir();
});
afterEach(async () => {
  await killServerProcesses(running.splice(0), dataDir);
  await rm(dataDir, { recursive: true, force: true });
});

async function start(env: Record<string, string>): Promise<ServerProcess> {
  const server = await startServerProcess(dataDir, env);
  running.push(server);
  return server;
}

async function startReady(env: Record<string, string> = {}): Promise<ServerProcess> {
  const server = await start(env);
  await waitUntilReady(server);
  return server;
}

test('a first start with demo content prints the demo password once', async () => {
  const first = await startReady({ DEMO: 'on' });
  expect(first.output()).toContain('示例用户');
  expect(await stopServerProcess(first)).toBe(0);
  const second = await startReady({ DEMO: 'on' });
  expect(second.output()).not.toMatch(/密码/);
});

test('a port in use stops the start with a message', async () => {
  const port = await findFreePort();
  const releasePort = await occupyPort(port);
  const taken = await start({ PORT: String(port) });
  expect(await taken.exited).toBe(1);
  expect(taken.output()).toContain(`端口 ${port} 已被占用`);
  // The administrator was not created yet, so its password is not lost.
  expect(taken.output()).not.toContain('一次性密码');
  releasePort();
  const next = await startReady();
  expect(next.output()).toContain('一次性密码');
});

test('replaces a killed worker while the others go on serving, and stops all on a signal', async () => {
  const server = await startReady({ WORKERS: '2' });
  const workers = () =>
    execFileSync('ps', ['-eo', 'pid,ppid,args'], { encoding: 'utf8' })
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(
        ([, parent, ...args]) => parent === String(server.child.pid) && args.join(' ').endsWith('worker.ts'),
      )
      .map(([pid]) => Number(pid));
  const [killed = 0, surviving = 0, ...more] = workers();
  expect(more).toEqual([]);
  const { token } = await register(server.url, 'worker-user');
  process.kill(killed, 'SIGKILL');
  // A request that the killed worker was serving is retried, as a browser does.
  const requestUser = () => call(server.url, 'GET', 'core/user/', undefined, token).catch(() => null);
  for (let at = 0; at < 20; at++)
    expect((await requestUser()) ?? (await requestUser())).toMatchObject({ status: 200 });
  await expect.poll(() => workers().length).toBe(2);
  expect(workers()).toContain(surviving);
  expect(server.output()).toContain(`工作进程 ${killed} 意外退出`);
  expect(await stopServerProcess(server)).toBe(0);
  expect(workers()).toEqual([]);

  const port = await findFreePort();
  const releasePort = await occupyPort(port);
  const taken = await start({ PORT: String(port), WORKERS: '2' });
  expect(await taken.exited).toBe(1);
  expect(taken.output()).toContain(`端口 ${port} 已被占用`);
  releasePort();
});

test('kill -9 during writes loses no acknowledged write and leaves no process running', async () => {
  const server = await startReady();
  const acknowledged: string[] = [];
  const attempts = Array.from({ length: 30 }, async (_, i) => {
    const account = `crash-${i}-user`;
    const response = await register(server.url, account).catch(() => null);
    if (response?.body.success === true) acknowledged.push(account);
  });
  await expect.poll(() => acknowledged.length).toBeGreaterThan(3);
  await killServerProcesses([server], dataDir);
  await Promise.all(attempts);

  const next = await startReady();
  for (const account of acknowledged) {
    const response = await call(next.url, 'POST', 'core/account/login', { account, password: PASSWORD });
    expect(response.body).toMatchObject({ success: true });
  }
});

test('calls return 503 while the database is down and work again when it is back', async () => {
  const server = await startReady();
  const { token } = await register(server.url, 'patient-user');
  const postmaster = listPostgresProcesses(dataDir).find(
    ({ command }) => / -D /.test(command) && !command.includes('/bin/sh'),
  );
  process.kill(postmaster?.pid ?? 0, 'SIGKILL');
  const seen = new Set<number>();
  const pages = new Set<number>();
  await expect
    .poll(
      async () => {
        const { status, body } = await call(server.url, 'GET', 'core/user/', undefined, token);
        seen.add(status);
        pages.add((await fetch(`${server.url}/home`)).status);
        if (status === 503) expect(body).toMatchObject({ success: false, errorCode: 'UNAVAILABLE' });
        return status === 200 && seen.has(503);
      },
      { interval: 20 },
    )
    .toBe(true);
  expect([...seen].sort()).toEqual(expect.arrayContaining([200, 503]));
  expect(seen.has(500)).toBe(false);
  expect([...pages].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect((await fetch(`${server.url}/home`)).status).toBe(200);
});

async function connectDatabase(): Promise<pg.Client> {
  const connection = await findRunningDatabase({ dataDir, notify: () => {} });
  if (connection === null || connection === undefined) throw new Error('the database is not running');
  const client = new pg.Client(connection);
  // The server ends the connection when it stops the database.
  client.on('error', () => {});
  await client.connect();
  return client;
}

test('SIGTERM during the last step of the start, which records the version, stops the server cleanly', async () => {
  const before = await startReady();
  const client = await connectDatabase();
  await client.query(`update settings set value = '{"version": "0.0.1"}' where key = 'program'`);
  await client.end();
  expect(await stopServerProcess(before)).toBe(0);

  const server = await start({});
  const blocker = await vi.waitFor(connectDatabase, { timeout: 60_000 });
  await blocker.query('begin');
  await blocker.query("select from settings where key = 'program' for update");
  const watcher = await connectDatabase();
  const isWaiting = async () =>
    (await watcher.query("select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock'"))
      .rows[0].n;
  await expect.poll(isWaiting).toBe(1);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  server.child.kill('SIGTERM');
  expect(await server.exited).toBe(0);
});
