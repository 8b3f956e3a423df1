import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { findRunningDatabase } from '@mozhan/postgres';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  callServer as call,
  createDataDir,
  killServerProcesses,
  registerOnServer as register,
  type ServerProcess,
  startServerProcess,
  stopServerProcess,
  waitUntilReady,
} from './testing/process.ts';

/** Data directory and output of the first start; each test works on a copy of the data. */
let first: { dataDir: string; output: string };
let dataDir: string;
const running: ServerProcess[] = [];

beforeAll(async () => {
  const dataDir = await createDataDir();
  const server = await startServerProcess(dataDir);
  await waitUntilReady(server);
  await stopServerProcess(server);
  first = { dataDir, output: server.output() };
});
afterAll(() => rm(first.dataDir, { recursive: true, force: true }));
beforeEach(async () => {
  dataDir = await createDataDir();
  // Keeps file owners, which `cp` of node:fs does not.
  execFileSync('cp', ['-a', `${first.dataDir}/.`, dataDir]);
});
afterEach(async () => {
  await killServerProcesses(running.splice(0), dataDir);
  await rm(dataDir, { recursive: true, force: true });
});

async function start(env: Record<string, string> = {}): Promise<ServerProcess> {
  const server = await startServerProcess(dataDir, env);
  running.push(server);
  return server;
}

async function startReady(): Promise<ServerProcess> {
  const server = await start();
  await waitUntilReady(server);
  return server;
}

test('only the first start prints the password, and the site is served', async () => {
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
  expect(await stopServerProcess(next)).toBe(0);
});

test('a second start on the same data fails, and SIGTERM lets the first finish its requests', async () => {
  const server = await startReady();
  const second = await start();
  expect(await second.exited).toBe(1);
  expect(second.output()).toContain(dataDir);
  expect(second.output()).toContain('正在使用');
  expect(second.output()).not.toContain('    at ');
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);

  const { token, body } = await register(server.url, 'busy-user');
  const connection = await findRunningDatabase({ dataDir, notify: () => {} });
  const client = new pg.Client(connection ?? {});
  await client.connect();
  await client.query('begin');
  await client.query('select 1 from users where id = $1 for update', [body.data.id]);
  const update = call(server.url, 'PUT', 'core/user/', { bio: '写到一半' }, token);
  const isWaiting = async () =>
    (await client.query("select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock'"))
      .rows[0].n;
  await expect.poll(isWaiting).toBe(1);
  const unused = connect(Number(new URL(server.url).port), '127.0.0.1');
  await once(unused, 'connect');
  server.child.kill('SIGTERM');
  await once(unused.resume(), 'close');
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
  expect(await server.exited).toBe(0);
});

test('an invalid environment variable stops the start with a message', async () => {
  const wrong = await start({ PORT: 'http' });
  expect(await wrong.exited).toBe(1);
  expect(wrong.output()).toContain('PORT：');
  expect(wrong.output()).not.toContain('    at ');
});

test('the embedded database is backed up before an update, and a failed update says how to go back', async () => {
  const constraint = 'backups_made_by_check';
  const change = async (sql: string) => {
    const server = await startReady();
    const client = new pg.Client((await findRunningDatabase({ dataDir, notify: () => {} })) ?? {});
    await client.connect();
    await client.query(sql);
    await client.end();
    await stopServerProcess(server);
  };
  // As before migration 0051, which will then fail because its constraint has another name.
  await change(`delete from migrations where name = '0051_update_backups.sql';
    alter table backups rename constraint ${constraint} to another_name`);
  const failed = await start();
  expect(await failed.exited).toBe(1);
  expect(failed.output()).toContain('没有成功，数据库没有改动');
  expect(failed.output()).toContain('docs/update.zh-CN.md');
  expect(failed.output()).not.toContain('    at ');
  const backup = failed.output().match(/先备份到 (\S+\.tar)/)?.[1] ?? '';
  expect(backup.startsWith(`${dataDir}/backups/mozhan-update-`)).toBe(true);
  expect((await stat(backup)).mode & 0o777).toBe(0o600);
});
