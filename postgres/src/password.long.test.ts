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
import { type EmbeddedDatabase, findRunning, startEmbedded } from './embedded.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

type Connection = EmbeddedDatabase['connection'];

let folder: string;
let dataDir: string;
let notes: string[];
const running: EmbeddedDatabase[] = [];

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'mzt-')));
  // Run by root, PostgreSQL runs as someone else, who must be able to enter.
  chmodSync(folder, 0o711);
  dataDir = join(folder, 'data');
  notes = [];
});
afterEach(async () => {
  for (const database of running.splice(0)) await database.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
});

const options = (at: string) => ({
  dataDir: at,
  systemDir: join(folder, 'system'),
  note: (sentence: string) => void notes.push(sentence),
  settings: { fsync: 'off' },
});

async function start(at = dataDir): Promise<EmbeddedDatabase> {
  const database = await startEmbedded(options(at));
  running.push(database);
  return database;
}

async function ask(connection: pg.ClientConfig, text: string): Promise<unknown[]> {
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

async function expectGuarded(connection: Connection): Promise<void> {
  const { password, ...without } = connection;
  expect(await ask(connection, 'SELECT title FROM essays')).toEqual(['你好']);
  await expect(ask({ ...without, password: `${password}x` }, 'SELECT 1')).rejects.toThrow(/password/);
  await expect(ask({ ...without, password: '' }, 'SELECT 1')).rejects.toThrow(/password/);
  const superuser = { ...connection, user: 'postgres', database: 'postgres' };
  await expect(ask(superuser, 'SELECT 1')).rejects.toThrow('no pg_hba.conf entry');
  expect(readFileSync(file('pg.password'), 'utf8')).toBe(`${password}\n`);
  expect(statSync(file('pg.password')).mode & 0o777).toBe(0o600);
}

/** As versions before this one left it: everyone who reaches the socket is let in, and nobody has a password. */
async function makeOldCluster(): Promise<void> {
  const { connection, stop } = await start();
  await ask(connection, "CREATE TABLE essays AS SELECT '你好' AS title");
  await ask(connection, 'ALTER ROLE mozhan PASSWORD NULL');
  await stop();
  writeFileSync(file('pg/pg_hba.conf'), 'local all all trust\nlocal replication all trust\n');
  rmSync(file('pg.password'));
}

test('asks for the password in the file, and lets the superuser in not at all', async () => {
  const { connection } = await start();
  await ask(connection, "CREATE TABLE essays AS SELECT '你好' AS title");
  await expectGuarded(connection);
  expect(await findRunning(options(dataDir))).toEqual(connection);
});

test('an older cluster that let everyone in asks for a password after its next start', async () => {
  await makeOldCluster();
  const { connection } = await start();
  await expectGuarded(connection);
});

test('a conversion that was killed at any moment is completed by the next start', async () => {
  await makeOldCluster();
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
  await expectGuarded(connection);
});

test.each([
  ['before the password was written', 'local all all trust\n', null],
  ['after the rules were closed', '# Nobody may connect: the password is being set.\n', null],
  ['before the role had its password', '# Nobody may connect: the password is being set.\n', 'other'],
])('a conversion that ended %s is done again', async (_, rules, password) => {
  await makeOldCluster();
  writeFileSync(file('pg/pg_hba.conf'), rules);
  if (password !== null) writeFileSync(file('pg.password'), `${password}\n`, { mode: 0o600 });
  const { connection } = await start();
  await expectGuarded(connection);
});

test('a lost or wrong password file is replaced by the next start', async () => {
  const { connection, stop } = await start();
  await ask(connection, "CREATE TABLE essays AS SELECT '你好' AS title");
  rmSync(file('pg.password'));
  await expect(findRunning(options(dataDir))).rejects.toThrow(file('pg.password'));
  await stop();
  const second = await start();
  expect(second.connection.password).not.toBe(connection.password);
  await expectGuarded(second.connection);
  await second.stop();
  writeFileSync(file('pg.password'), `${connection.password}\n`);
  const third = await start();
  expect(notes.join()).toContain(`数据库不接受 ${file('pg.password')} 里的密码`);
  await expectGuarded(third.connection);
});

test('a data folder that was moved or copied starts elsewhere, with its password file or without', async () => {
  const { connection, stop } = await start();
  await ask(connection, "CREATE TABLE essays AS SELECT '你好' AS title");
  await stop();
  const copy = join(folder, 'copy');
  cpSync(dataDir, copy, { recursive: true, filter: (path) => !path.endsWith('pg.password') });
  const copied = await start(copy);
  expect(await ask(copied.connection, 'SELECT title FROM essays')).toEqual(['你好']);
  expect(existsSync(join(copy, 'pg.password'))).toBe(true);
  renameSync(dataDir, join(folder, 'moved'));
  const moved = await start(join(folder, 'moved'));
  expect(moved.connection.password).toBe(connection.password);
  expect(await ask(moved.connection, 'SELECT title FROM essays')).toEqual(['你好']);
});
