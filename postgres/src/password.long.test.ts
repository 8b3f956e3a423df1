import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type EmbeddedDatabase, findRunningDatabase, startEmbedded } from './embedded.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

type Connection = EmbeddedDatabase['connection'];

let folder: string;
let dataDir: string;
let notes: string[];
const running: EmbeddedDatabase[] = [];

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'mzt-')));
  // When root runs the tests, PostgreSQL runs as another user, who must be able to enter.
  chmodSync(folder, 0o711);
  dataDir = join(folder, 'data');
  notes = [];
});
afterEach(async () => {
  for (const database of running.splice(0)) await database.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
});

const options = (path: string) => ({
  dataDir: path,
  systemDir: join(folder, 'system'),
  notify: (message: string) => void notes.push(message),
  settings: { fsync: 'off' },
});

async function start(path = dataDir): Promise<EmbeddedDatabase> {
  const database = await startEmbedded(options(path));
  running.push(database);
  return database;
}

async function query(connection: pg.ClientConfig, text: string): Promise<unknown[]> {
  const client = new pg.Client(connection);
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query({ text, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end();
  }
}

const file = (name: string) => join(dataDir, name);

async function expectPasswordRequired(connection: Connection): Promise<void> {
  const { password, ...without } = connection;
  expect(await query(connection, 'SELECT title FROM essays')).toEqual(['你好']);
  await expect(query({ ...without, password: `${password}x` }, 'SELECT 1')).rejects.toThrow(/password/);
  await expect(query({ ...without, password: '' }, 'SELECT 1')).rejects.toThrow(/password/);
  const superuser = { ...connection, user: 'postgres', database: 'postgres' };
  await expect(query(superuser, 'SELECT 1')).rejects.toThrow('no pg_hba.conf entry');
  expect(readFileSync(file('pg.password'), 'utf8')).toBe(`${password}\n`);
  expect(statSync(file('pg.password')).mode & 0o777).toBe(0o600);
}

/** Older versions created clusters that accept every connection on the socket without a password. */
async function createOldCluster(): Promise<void> {
  const { connection, stop } = await start();
  await query(connection, "CREATE TABLE essays AS SELECT '你好' AS title");
  await query(connection, 'ALTER ROLE mozhan PASSWORD NULL');
  await stop();
  writeFileSync(file('pg/pg_hba.conf'), 'local all all trust\nlocal replication all trust\n');
  rmSync(file('pg.password'));
}

test('requires the password from the file, and rejects the superuser', async () => {
  const { connection } = await start();
  await query(connection, "CREATE TABLE essays AS SELECT '你好' AS title");
  await expectPasswordRequired(connection);
  expect(await findRunningDatabase(options(dataDir))).toEqual(connection);
});

test('an older cluster without passwords requires one after its next start', async () => {
  await createOldCluster();
  const { connection } = await start();
  await expectPasswordRequired(connection);
});

test('the next start completes a conversion that was killed at any moment', async () => {
  await createOldCluster();
  const script = join(import.meta.dirname, 'embedded-fixture.ts');
  for (const pause of [150, 250, 350, 450, 600, 800]) {
    const child: ChildProcess = spawn(process.execPath, [script, dataDir, join(folder, 'system')], {
      detached: true,
      stdio: 'ignore',
    });
    await sleep(pause);
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  const { connection } = await start();
  await expectPasswordRequired(connection);
});

test.each([
  ['before the password was written', 'local all all trust\n', null],
  ['after all connections were rejected', '# Nobody may connect: the password is being set.\n', null],
  ['before the role had its password', '# Nobody may connect: the password is being set.\n', 'other'],
])('a conversion that was interrupted %s is repeated', async (_, rules, password) => {
  await createOldCluster();
  writeFileSync(file('pg/pg_hba.conf'), rules);
  if (password !== null) writeFileSync(file('pg.password'), `${password}\n`, { mode: 0o600 });
  const { connection } = await start();
  await expectPasswordRequired(connection);
});

test('the next start replaces a lost or wrong password file', async () => {
  const { connection, stop } = await start();
  await query(connection, "CREATE TABLE essays AS SELECT '你好' AS title");
  rmSync(file('pg.password'));
  await expect(findRunningDatabase(options(dataDir))).rejects.toThrow(file('pg.password'));
  await stop();
  const second = await start();
  expect(second.connection.password).not.toBe(connection.password);
  await expectPasswordRequired(second.connection);
  await second.stop();
  writeFileSync(file('pg.password'), `${connection.password}\n`);
  const third = await start();
  expect(notes.join()).toContain(`数据库不接受 ${file('pg.password')} 里的密码`);
  await expectPasswordRequired(third.connection);
});

test('a moved or copied data folder starts with or without its password file', async () => {
  const { connection, stop } = await start();
  await query(connection, "CREATE TABLE essays AS SELECT '你好' AS title");
  await stop();
  const copy = join(folder, 'copy');
  cpSync(dataDir, copy, { recursive: true, filter: (path) => !path.endsWith('pg.password') });
  const copied = await start(copy);
  expect(await query(copied.connection, 'SELECT title FROM essays')).toEqual(['你好']);
  expect(existsSync(join(copy, 'pg.password'))).toBe(true);
  renameSync(dataDir, join(folder, 'moved'));
  const moved = await start(join(folder, 'moved'));
  expect(moved.connection.password).toBe(connection.password);
  expect(await query(moved.connection, 'SELECT title FROM essays')).toEqual(['你好']);
});
