import { existsSync, readFileSync, statSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type App, createApp } from '../app.ts';
import { readConfig } from '../config/config.ts';
import type { OpenDatabase } from '../db/connect.ts';
import { createStartPool } from '../db/open.ts';
import { seedInstallation } from '../first-start.ts';
import { systemCtx } from '../jobs.ts';
import { newKeyText } from '../secrets/encryption.ts';
import { protectSecrets } from '../secrets/secrets.ts';
import { openUpdatedDatabase } from '../update.ts';
import { backup, restore } from './backup.ts';
import { adminReset, type CommandOptions, ledgerCheck } from './commands.ts';
import { secretsRotate } from './secrets.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

const PASSWORD = 'the first administrator';

let folder: string;
let open: { database: OpenDatabase; app: App } | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mozhan-keys-'));
  // When the test runs as root, PostgreSQL runs as another user, who needs access to the folder.
  await chmod(folder, 0o755);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 10 });
});

function stub(env: Record<string, string>): void {
  const fixed = { DEMO: 'off', CHALLENGE: 'off', LOG_LEVEL: 'silent', ADMIN_PASSWORD: PASSWORD };
  for (const [name, value] of Object.entries({ SECRET_KEY: '', SECRET_KEY_OLD: '', ...fixed, ...env }))
    vi.stubEnv(name, value);
}

/** Starts like `main`, without listening on a port. */
async function start(dataDir: string, env: Record<string, string> = {}): Promise<string> {
  stub({ DATA_DIR: dataDir, ...env });
  const config = { ...readConfig(), siteUrl: 'http://site.test' };
  const notes: string[] = [];
  const note = (message: string) => void notes.push(message);
  const database = await openUpdatedDatabase(config, note);
  try {
    const pool = createStartPool(database);
    await protectSecrets(config, pool, note).finally(() => pool.end());
    const app = await createApp({ config, connection: database.connection, runsJobs: false });
    open = { database, app };
    await seedInstallation(systemCtx(app.services));
  } catch (error) {
    await database.close();
    throw error;
  }
  return notes.join('\n');
}

async function stop(): Promise<void> {
  await open?.app.close();
  await open?.database.close();
  open = undefined;
}

async function run(
  command: (options: CommandOptions) => Promise<void>,
  dataDir: string,
  args: string[] = [],
  env: Record<string, string> = {},
): Promise<string> {
  stub({ DATA_DIR: dataDir, ...env });
  const lines: string[] = [];
  await command({ args, print: (line) => void lines.push(line) });
  return lines.join('\n');
}

async function call(method: 'GET' | 'POST', path: string, input: object, token = '') {
  const server = open?.app.server;
  if (server === undefined) throw new Error('not started');
  const response = await server.inject({
    method,
    url: `/api/${path}`,
    headers: token === '' ? {} : { token },
    ...(method === 'GET' ? { query: { ...input } } : { payload: input }),
  });
  return { token: String(response.headers.token ?? ''), data: response.json().data };
}
const signIn = async () =>
  (await call('POST', 'core/account/login', { account: 'admin', password: PASSWORD })).token;
const makeWebhook = async (token: string): Promise<{ id: string; secret: string }> => {
  const given = { name: '同步', url: 'https://example.com/', events: ['order.paid'], enabled: 0 };
  return (await call('POST', 'core/sys/webhook/', given, token)).data;
};
const readWebhook = async (token: string, id: string): Promise<unknown> =>
  (await call('GET', 'core/sys/webhook/secret', { id }, token)).data?.secret;

const readKeyFile = (dataDir: string): string[] =>
  readFileSync(join(dataDir, 'secret.key'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

test('rotates the key, backs up, and restores elsewhere with and without the key', async () => {
  const [home, other, bare] = ['home', 'other', 'bare'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  expect(await start(home)).toContain(join(home, 'secret.key'));
  const token = await signIn();
  const { id, secret } = await makeWebhook(token);
  for (const name of ['secret.key', 'pg.password', 'pg.log'])
    expect(statSync(join(home, name)).mode & 0o777, name).toBe(0o600);
  // Commands work while the server runs, except rotation of its key.
  expect(await run(ledgerCheck, home)).toContain('相符');
  await expect(run(secretsRotate, home)).rejects.toThrow('正在使用数据目录');
  await stop();

  const [oldKey] = readKeyFile(home);
  expect(await run(secretsRotate, home)).toContain('已换用新的密钥');
  expect(readKeyFile(home)).toHaveLength(2);
  expect(readKeyFile(home).indexOf(oldKey ?? '')).toBe(1);
  const file = join(folder, 'site.tar');
  expect(await run(backup, home, ['--to', file])).toContain(`请另外保存 ${join(home, 'secret.key')}`);
  const content = await readFile(file);
  for (const key of readKeyFile(home)) expect(content.includes(key)).toBe(false);
  await start(home);
  expect(await readWebhook(token, id)).toBe(secret);
  await stop();

  await expect(run(restore, other, [file])).rejects.toThrow('--without-key');
  expect(existsSync(other) ? await readdir(other) : []).toEqual([]);
  await run(restore, other, [file], { SECRET_KEY_OLD: join(home, 'secret.key') });
  await start(other);
  expect(await readWebhook(token, id)).toBe(secret);
  await stop();

  expect(await run(restore, bare, [file, '--without-key'])).toContain('1 个外部通知换了新的签名密钥');
  await start(bare);
  expect(await readWebhook(token, id)).toBeUndefined();
  expect(await readWebhook(await signIn(), id)).toMatch(/^whsec_/);
});

test('the next start completes an interrupted key rotation', async () => {
  const home = join(folder, 'home');
  await start(home);
  const token = await signIn();
  const { id, secret } = await makeWebhook(token);
  await open?.app.services.pool.query(`
    create function fail() returns trigger language plpgsql as $$ begin raise 'killed'; end $$;
    create trigger fail before update on webhook_endpoints execute function fail()`);
  await stop();
  await expect(run(secretsRotate, home)).rejects.toThrow('killed');
  const keys = readKeyFile(home);
  expect(keys).toHaveLength(2);
  await expect(start(home)).rejects.toThrow('killed');
  stub({ DATA_DIR: home });
  const database = await openUpdatedDatabase(readConfig(), () => {});
  open = { database, app: await createApp({ config: readConfig(), connection: database.connection }) };
  await open.app.services.pool.query('drop function fail cascade');
  await stop();
  await start(home);
  expect(await readWebhook(token, id)).toBe(secret);
  await stop();
  // The first of the two keys is sufficient now.
  await rm(join(home, 'secret.key'));
  await start(home, { SECRET_KEY: keys[0] ?? '' });
  expect(await readWebhook(token, id)).toBe(secret);
});

test('a start without the key fails with a message, and works after secrets:rotate --without-key', async () => {
  const home = join(folder, 'home');
  await start(home);
  const token = await signIn();
  const { id, secret } = await makeWebhook(token);
  await stop();
  const [key = ''] = readKeyFile(home);
  await rm(join(home, 'secret.key'));

  await expect(start(home)).rejects.toThrow(join(home, 'secret.key'));
  await expect(start(home, { SECRET_KEY: newKeyText() })).rejects.toThrow('这里的密钥不对');
  await expect(run(adminReset, home)).rejects.toThrow('没有密钥');
  expect(existsSync(join(home, 'secret.key'))).toBe(false);

  await start(home, { SECRET_KEY: newKeyText(), SECRET_KEY_OLD: key });
  expect(await readWebhook(token, id)).toBe(secret);
  await stop();
  await expect(run(secretsRotate, home, [], { SECRET_KEY: key })).rejects.toThrow('SECRET_KEY_OLD');
  expect(await run(secretsRotate, home, ['--without-key'])).toContain('可以用 npm start 启动');
  await start(home);
  expect(await readWebhook(token, id)).toBeUndefined();
  expect(await readWebhook(await signIn(), id)).toMatch(/^whsec_/);
});
