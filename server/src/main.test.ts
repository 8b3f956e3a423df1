import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findRunning } from './db/embedded.ts';

const root = join(import.meta.dirname, '../..');
const PASSWORD = 'correct horse 电池';

interface Started {
  child: ChildProcess;
  url: string;
  output: () => string;
  /** Resolves with the exit code. */
  ended: Promise<number | null>;
}

let dataDir: string;
const running: Started[] = [];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'mozhan-main-'));
  // Run by root, PostgreSQL runs as someone else, who must be able to enter.
  await chmod(dataDir, 0o755);
});
afterEach(async () => {
  for (const { child, ended } of running.splice(0)) {
    child.kill('SIGKILL');
    await ended;
  }
  await expect.poll(postgresOf, { timeout: 20_000 }).toBe('');
  await rm(dataDir, { recursive: true, force: true });
});

/** The command lines of PostgreSQL processes on this test's data. */
function postgresOf(): string {
  const all = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
  return all
    .split('\n')
    .filter((line) => line.includes(dataDir) && line.includes('postgres'))
    .join('\n');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return address !== null && typeof address === 'object' ? address.port : 0;
}

/** The server as `npm start` runs it. */
async function start(env: Record<string, string> = {}): Promise<Started> {
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
  const started = { child, url: `http://127.0.0.1:${port}`, output: () => text, ended };
  running.push(started);
  return started;
}

async function startReady(env: Record<string, string> = {}): Promise<Started> {
  const started = await start(env);
  await expect
    .poll(
      () =>
        fetch(`${started.url}/readyz`).then(
          (response) => response.status,
          () => 0,
        ),
      { timeout: 60_000 },
    )
    .toBe(200);
  return started;
}

async function call(url: string, method: string, path: string, body?: object, token = '') {
  const response = await fetch(`${url}/api/${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token === '' ? {} : { token }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, token: response.headers.get('token') ?? '', body: await response.json() };
}
const register = (url: string, account: string) =>
  call(url, 'POST', 'core/user/', { account, password: PASSWORD });

test('a first start prints address, administrator and demo password once; the next one neither', {
  timeout: 120_000,
}, async () => {
  const first = await startReady({ DEMO: 'on' });
  await expect.poll(first.output).toContain('演示用户');
  expect(first.output()).toContain(`墨栈已启动：${first.url}`);
  const password = first.output().match(/管理员账号：admin，一次性密码：([\w-]+)/)?.[1] ?? '';
  const admin = await call(first.url, 'POST', 'core/account/login', { account: 'admin', password });
  expect(admin.body).toMatchObject({ success: true, data: { mustChangePassword: true, access: 'admin' } });
  const page = await fetch(`${first.url}/home`);
  const html = await page.text();
  expect(html).toContain('墨栈');
  const script = html.match(/src="([^"]*entry-client[^"]*\.js)"/)?.[1] ?? '';
  for (const encoding of ['br', 'gzip']) {
    const asset = await fetch(first.url + script, { headers: { 'accept-encoding': encoding } });
    expect(asset.status).toBe(200);
    expect(asset.headers.get('content-encoding')).toBe(encoding);
    expect(asset.headers.get('cache-control')).toContain('immutable');
  }
  first.child.kill('SIGTERM');
  expect(await first.ended).toBe(0);

  const second = await startReady({ DEMO: 'on' });
  await expect.poll(second.output).toContain('墨栈已启动');
  expect(second.output()).not.toMatch(/密码/);
  const again = await call(second.url, 'POST', 'core/account/login', { account: 'admin', password });
  expect(again.body.success).toBe(true);
});

test('a second start on the same data says so and stops, the first goes on', async () => {
  const first = await startReady();
  const second = await start();
  expect(await second.ended).toBe(1);
  expect(second.output()).toContain(dataDir);
  expect(second.output()).toContain('正在使用');
  expect(second.output()).not.toContain('    at ');
  expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
});

test('SIGTERM while busy: the request under way is finished, then all ends in order', async () => {
  const server = await startReady();
  const { token, body } = await register(server.url, 'busy-user');
  const connection = await findRunning({ dataDir, note: () => {} });
  const client = new pg.Client(connection ?? {});
  await client.connect();
  await client.query('begin');
  await client.query('select 1 from users where id = $1 for update', [body.data.id]);
  const update = call(server.url, 'PUT', 'core/user/', { bio: '写到一半' }, token);
  const isWaiting = async () =>
    (await client.query("select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock'"))
      .rows[0].n;
  await expect.poll(isWaiting).toBe(1);
  server.child.kill('SIGTERM');
  await expect
    .poll(() =>
      fetch(`${server.url}/healthz`).then(
        (response) => response.status,
        () => 0,
      ),
    )
    .not.toBe(200);
  await client.query('commit');
  await client.end();
  expect((await update).body).toMatchObject({ success: true, data: { bio: '写到一半' } });
  expect(await server.ended).toBe(0);
});

test('kill -9 in the middle of writes loses nothing that was acknowledged and leaves nothing running', async () => {
  const server = await startReady();
  const acknowledged: string[] = [];
  const attempts = Array.from({ length: 30 }, async (_, i) => {
    const account = `crash-${i}-user`;
    const answer = await register(server.url, account).catch(() => null);
    if (answer?.body.success === true) acknowledged.push(account);
  });
  await expect.poll(() => acknowledged.length, { timeout: 20_000 }).toBeGreaterThan(3);
  server.child.kill('SIGKILL');
  await Promise.all(attempts);
  await expect.poll(postgresOf, { timeout: 20_000 }).toBe('');

  const next = await startReady();
  for (const account of acknowledged) {
    const answer = await call(next.url, 'POST', 'core/account/login', { account, password: PASSWORD });
    expect(answer.body).toMatchObject({ success: true });
  }
});

test('when the database dies calls answer 503, and work again when it is back', async () => {
  const server = await startReady();
  const { token } = await register(server.url, 'patient-user');
  const postmaster = execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' })
    .split('\n')
    .find((line) => line.includes(dataDir) && / -D /.test(line) && !line.includes('/bin/sh'));
  process.kill(Number(postmaster?.trim().split(' ')[0]), 'SIGKILL');
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
      { timeout: 25_000, interval: 20 },
    )
    .toBe(true);
  expect([...seen].sort()).toEqual(expect.arrayContaining([200, 503]));
  expect(seen.has(500)).toBe(false);
  expect([...pages].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect((await fetch(`${server.url}/home`)).status).toBe(200);
});

test('a wrong setting and a taken port stop the start with a sentence', async () => {
  const wrong = await start({ PORT: 'http' });
  expect(await wrong.ended).toBe(1);
  expect(wrong.output()).toContain('PORT：');
  expect(wrong.output()).not.toContain('    at ');
  const port = await freePort();
  const blocker = createServer().listen(port, '127.0.0.1');
  await once(blocker, 'listening');
  const taken = await start({ PORT: String(port) });
  expect(await taken.ended).toBe(1);
  expect(taken.output()).toContain(`端口 ${port} 已被占用`);
  // Said once in the life of an installation, so also when the start fails after that.
  expect(taken.output()).toContain('一次性密码');
  blocker.close();
});

test('several workers: a killed one is replaced, the others go on, a signal ends all', {
  timeout: 120_000,
}, async () => {
  const server = await startReady({ WORKERS: '2' });
  await expect.poll(server.output, { timeout: 30_000 }).toContain('墨栈已启动');
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
  await expect.poll(() => workers().length, { timeout: 30_000 }).toBe(2);
  expect(workers()).toContain(kept);
  expect(server.output()).toContain(`工作进程 ${killed} 意外退出`);
  server.child.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  expect(workers()).toEqual([]);

  const port = await freePort();
  const blocker = createServer().listen(port, '127.0.0.1');
  await once(blocker, 'listening');
  const taken = await start({ PORT: String(port), WORKERS: '2' });
  expect(await taken.ended).toBe(1);
  expect(taken.output()).toContain(`端口 ${port} 已被占用`);
  blocker.close();
});
