import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PASSWORD } from './testing/app.ts';
import {
  callProcess as call,
  freePort,
  killProcesses,
  listPostgres,
  makeDataDir,
  occupyPort,
  registerAt as register,
  type ServerProcess,
  startProcess,
  stopProcess,
  untilReady,
} from './testing/process.ts';

let dataDir: string;
const running: ServerProcess[] = [];
beforeEach(async () => {
  dataDir = await makeDataDir();
});
afterEach(async () => {
  await killProcesses(running.splice(0), dataDir);
  await rm(dataDir, { recursive: true, force: true });
});

async function start(env: Record<string, string>): Promise<ServerProcess> {
  const server = await startProcess(dataDir, env);
  running.push(server);
  return server;
}

async function startReady(env: Record<string, string> = {}): Promise<ServerProcess> {
  const server = await start(env);
  await untilReady(server);
  return server;
}

test('a first start with examples says their password once', async () => {
  const first = await startReady({ DEMO: 'on' });
  expect(first.output()).toContain('演示用户');
  expect(await stopProcess(first)).toBe(0);
  const second = await startReady({ DEMO: 'on' });
  expect(second.output()).not.toMatch(/密码/);
});

test('a taken port stops the start with a sentence', async () => {
  const port = await freePort();
  const releasePort = await occupyPort(port);
  const taken = await start({ PORT: String(port) });
  expect(await taken.ended).toBe(1);
  expect(taken.output()).toContain(`端口 ${port} 已被占用`);
  // Nothing was made yet, so nothing is lost.
  expect(taken.output()).not.toContain('一次性密码');
  releasePort();
  const next = await startReady();
  expect(next.output()).toContain('一次性密码');
});

test('several workers: a killed one is replaced, the others go on, a signal ends all', async () => {
  const server = await startReady({ WORKERS: '2' });
  const workers = () =>
    execFileSync('ps', ['-eo', 'pid,ppid,args'], { encoding: 'utf8' })
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(
        ([, parent, ...args]) => parent === String(server.child.pid) && args.join(' ').endsWith('worker.ts'),
      )
      .map(([pid]) => Number(pid));
  const [killed = 0, kept = 0, ...more] = workers();
  expect(more).toEqual([]);
  const { token } = await register(server.url, 'worker-user');
  process.kill(killed, 'SIGKILL');
  // One that was just being answered by the dead is asked again, as a browser does.
  const ask = () => call(server.url, 'GET', 'core/user/', undefined, token).catch(() => null);
  for (let at = 0; at < 20; at++) expect((await ask()) ?? (await ask())).toMatchObject({ status: 200 });
  await expect.poll(() => workers().length, { timeout: 60_000 }).toBe(2);
  expect(workers()).toContain(kept);
  expect(server.output()).toContain(`工作进程 ${killed} 意外退出`);
  expect(await stopProcess(server)).toBe(0);
  expect(workers()).toEqual([]);

  const port = await freePort();
  const releasePort = await occupyPort(port);
  const taken = await start({ PORT: String(port), WORKERS: '2' });
  expect(await taken.ended).toBe(1);
  expect(taken.output()).toContain(`端口 ${port} 已被占用`);
  releasePort();
});

test('kill -9 in the middle of writes loses nothing that was acknowledged and leaves nothing running', async () => {
  const server = await startReady();
  const acknowledged: string[] = [];
  const attempts = Array.from({ length: 30 }, async (_, i) => {
    const account = `crash-${i}-user`;
    const answer = await register(server.url, account).catch(() => null);
    if (answer?.body.success === true) acknowledged.push(account);
  });
  await expect.poll(() => acknowledged.length, { timeout: 60_000 }).toBeGreaterThan(3);
  await killProcesses([server], dataDir);
  await Promise.all(attempts);

  const next = await startReady();
  for (const account of acknowledged) {
    const answer = await call(next.url, 'POST', 'core/account/login', { account, password: PASSWORD });
    expect(answer.body).toMatchObject({ success: true });
  }
});

test('when the database dies calls answer 503, and work again when it is back', async () => {
  const server = await startReady();
  const { token } = await register(server.url, 'patient-user');
  const postmaster = listPostgres(dataDir).find(
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
      { timeout: 60_000, interval: 20 },
    )
    .toBe(true);
  expect([...seen].sort()).toEqual(expect.arrayContaining([200, 503]));
  expect(seen.has(500)).toBe(false);
  expect([...pages].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect((await fetch(`${server.url}/home`)).status).toBe(200);
});
