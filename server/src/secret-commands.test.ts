import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { findRunning } from './db/embedded.ts';
import { newKeyText } from './encryption.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

const root = join(import.meta.dirname, '../..');
const ADMIN_PASSWORD = 'the first administrator';

let folder: string;
let running: ChildProcess[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mozhan-keys-'));
  // Run by root, PostgreSQL runs as someone else, who must be able to enter.
  await chmod(folder, 0o755);
  running = [];
});
afterEach(async () => {
  for (const child of running) if (child.exitCode === null) await stop(child);
  await rm(folder, { recursive: true, force: true, maxRetries: 10 });
});

const at = (name: string): string => join(folder, name);

function run(script: string, args: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [join(root, 'scripts', script), ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      DEMO: 'off',
      CHALLENGE: 'off',
      LOG_LEVEL: 'error',
      ADMIN_PASSWORD,
      ...env,
    },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
  running.push(child);
  return { child, output: () => text };
}

async function operate(dataDir: string, args: string[], env: Record<string, string> = {}) {
  const { child, output } = run('operate.ts', args, { DATA_DIR: dataDir, ...env });
  const [code] = await once(child, 'exit');
  return { code, output: output() };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return address !== null && typeof address === 'object' ? address.port : 0;
}

async function start(dataDir: string, env: Record<string, string> = {}) {
  const PORT = String(await freePort());
  const { child, output } = run('start.ts', [], { DATA_DIR: dataDir, PORT, ...env });
  const url = `http://127.0.0.1:${PORT}`;
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => child.exitCode !== null,
    );
  await expect.poll(isReady, { timeout: 60_000 }).toBe(true);
  return { child, url, output };
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  await once(child, 'exit');
}

async function signIn(url: string) {
  const response = await fetch(`${url}/api/core/account/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ account: 'admin', password: ADMIN_PASSWORD }),
  });
  return { token: response.headers.get('token') ?? '', ...(await response.json()) };
}

async function makeWebhook(url: string, token: string): Promise<{ id: string; secret: string }> {
  const response = await fetch(`${url}/api/core/sys/webhook/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', token },
    body: JSON.stringify({ name: '同步', url: 'https://example.com/', events: ['order.paid'], enabled: 0 }),
  });
  return (await response.json()).data;
}

async function readWebhook(url: string, token: string, id: string): Promise<string> {
  const response = await fetch(`${url}/api/core/sys/webhook/secret?id=${id}`, { headers: { token } });
  return (await response.json()).data?.secret;
}

const keysIn = (dataDir: string): string[] =>
  readFileSync(join(dataDir, 'secret.key'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

test('a site is started, its key replaced, backed up, and restored elsewhere with and without its key', async () => {
  const home = at('home');
  const first = await start(home);
  expect(first.output()).toContain(join(home, 'secret.key'));
  const { token } = await signIn(first.url);
  const { id, secret } = await makeWebhook(first.url, token);
  for (const name of ['secret.key', 'pg.password', 'pg.log'])
    expect((await stat(join(home, name))).mode & 0o777, name).toBe(0o600);
  // Commands beside the server have the password, and do not take its key away.
  expect((await operate(home, ['ledger:check'])).code).toBe(0);
  const busy = await operate(home, ['secrets:rotate']);
  expect(busy).toMatchObject({ code: 1, output: expect.stringContaining('正在使用数据目录') });
  const connection = await findRunning({ dataDir: home, note: () => {} });
  const client = new pg.Client(connection ?? {});
  await client.connect();
  expect((await client.query('select secret from webhook_endpoints')).rows[0].secret).toMatch(/^enc1:/);
  await client.end();
  await stop(first.child);

  const [oldKey] = keysIn(home);
  const rotated = await operate(home, ['secrets:rotate']);
  expect(rotated).toMatchObject({ code: 0, output: expect.stringContaining('已换用新的密钥') });
  const keys = keysIn(home);
  expect(keys).toHaveLength(2);
  expect(keys[1]).toBe(oldKey);
  const second = await start(home);
  expect(await readWebhook(second.url, token, id)).toBe(secret);
  const file = at('site.tar');
  const backedUp = await operate(home, ['backup', '--to', file]);
  expect(backedUp.code).toBe(0);
  expect(backedUp.output).toContain(`请另外保存 ${join(home, 'secret.key')}`);
  expect((await readFile(file)).includes(keys[0] ?? '-')).toBe(false);
  await stop(second.child);

  const other = at('other');
  const refused = await operate(other, ['restore', file]);
  expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('--without-key') });
  expect(existsSync(other) ? await readdir(other) : []).toEqual([]);
  const restored = await operate(other, ['restore', file], { SECRET_KEY_OLD: join(home, 'secret.key') });
  expect(restored.code, restored.output).toBe(0);
  const third = await start(other);
  expect(await readWebhook(third.url, token, id)).toBe(secret);
  await stop(third.child);

  const bare = at('bare');
  const without = await operate(bare, ['restore', file, '--without-key']);
  expect(without.code, without.output).toBe(0);
  expect(without.output).toContain('1 个外部通知换了新的签名密钥');
  const fourth = await start(bare);
  expect(await readWebhook(fourth.url, token, id)).toBeUndefined();
  const again = await signIn(fourth.url);
  expect(await readWebhook(fourth.url, again.token, id)).toMatch(/^whsec_/);
});

test('a start with a lost key stops with a sentence; given up, it starts again', async () => {
  const home = at('home');
  const first = await start(home);
  const { token } = await signIn(first.url);
  const { id, secret } = await makeWebhook(first.url, token);
  await stop(first.child);
  const [key = ''] = keysIn(home);
  await rm(join(home, 'secret.key'));

  const lost = await start(home);
  expect(lost.child.exitCode).toBe(1);
  expect(lost.output()).toContain(join(home, 'secret.key'));
  expect(lost.output()).not.toContain('    at ');
  const wrong = await start(home, { SECRET_KEY: newKeyText() });
  expect(wrong.child.exitCode).toBe(1);
  expect(wrong.output()).toContain('这里的密钥不对');
  expect((await operate(home, ['admin:reset'])).output).toContain('没有密钥');
  expect(existsSync(join(home, 'secret.key'))).toBe(false);

  const given = await start(home, { SECRET_KEY: newKeyText(), SECRET_KEY_OLD: key });
  expect(await readWebhook(given.url, token, id)).toBe(secret);
  await stop(given.child);
  expect((await operate(home, ['secrets:rotate'], { SECRET_KEY: key })).output).toContain('SECRET_KEY_OLD');
  const up = await operate(home, ['secrets:rotate', '--without-key']);
  expect(up, up.output).toMatchObject({ code: 0 });
  const last = await start(home, { WORKERS: '2' });
  const again = await signIn(last.url);
  expect(await readWebhook(last.url, again.token, id)).toMatch(/^whsec_/);
});
