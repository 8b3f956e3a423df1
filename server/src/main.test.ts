import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { findRunning } from '@mozhan/postgres';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  callProcess as call,
  killProcesses,
  makeDataDir,
  registerAt as register,
  type ServerProcess,
  startProcess,
  stopProcess,
  untilReady,
} from './testing/process.ts';

/** What the first start on new data left and said; each test works on a copy of the data. */
let first: { dataDir: string; output: string };
let dataDir: string;
const running: ServerProcess[] = [];

beforeAll(async () => {
  const dataDir = await makeDataDir();
  const server = await startProcess(dataDir);
  await untilReady(server);
  await stopProcess(server);
  first = { dataDir, output: server.output() };
});
afterAll(() => rm(first.dataDir, { recursive: true, force: true }));
beforeEach(async () => {
  dataDir = await makeDataDir();
  // With its owners, which `cp` of node:fs does not keep.
  execFileSync('cp', ['-a', `${first.dataDir}/.`, dataDir]);
});
afterEach(async () => {
  await killProcesses(running.splice(0), dataDir);
  await rm(dataDir, { recursive: true, force: true });
});

async function start(env: Record<string, string> = {}): Promise<ServerProcess> {
  const server = await startProcess(dataDir, env);
  running.push(server);
  return server;
}

async function startReady(): Promise<ServerProcess> {
  const server = await start();
  await untilReady(server);
  return server;
}

test('the first start says address and password, the next one no password; the site is there', async () => {
  expect(first.output).toMatch(/墨栈已启动：http:\/\/127\.0\.0\.1:\d+/);
  const password = first.output.match(/管理员账号：admin，一次性密码：([\w-]+)/)?.[1] ?? '';
  const next = await startReady();
  expect(next.output()).not.toMatch(/密码/);
  const admin = await call(next.url, 'POST', 'core/account/login', { account: 'admin', password });
  expect(admin.body).toMatchObject({ success: true, data: { mustChangePassword: true, access: 'admin' } });
  const html = await (await fetch(`${next.url}/home`)).text();
  expect(html).toContain('墨栈');
  const script = html.match(/src="([^"]*entry-client[^"]*\.js)"/)?.[1] ?? '';
  for (const encoding of ['br', 'gzip']) {
    const asset = await fetch(next.url + script, { headers: { 'accept-encoding': encoding } });
    expect(asset.status).toBe(200);
    expect(asset.headers.get('content-encoding')).toBe(encoding);
    expect(asset.headers.get('cache-control')).toContain('immutable');
  }
  expect(await stopProcess(next)).toBe(0);
});

test('a second start on the same data says so and stops; SIGTERM lets the first finish what it does', async () => {
  const server = await startReady();
  const second = await start();
  expect(await second.ended).toBe(1);
  expect(second.output()).toContain(dataDir);
  expect(second.output()).toContain('正在使用');
  expect(second.output()).not.toContain('    at ');
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);

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
  await expect.poll(isWaiting, { timeout: 20_000 }).toBe(1);
  server.child.kill('SIGTERM');
  await expect
    .poll(
      () =>
        fetch(`${server.url}/healthz`).then(
          (response) => response.status,
          () => 0,
        ),
      { timeout: 20_000 },
    )
    .not.toBe(200);
  await client.query('commit');
  await client.end();
  expect((await update).body).toMatchObject({ success: true, data: { bio: '写到一半' } });
  expect(await server.ended).toBe(0);
});

test('a wrong setting stops the start with a sentence', async () => {
  const wrong = await start({ PORT: 'http' });
  expect(await wrong.ended).toBe(1);
  expect(wrong.output()).toContain('PORT：');
  expect(wrong.output()).not.toContain('    at ');
});
