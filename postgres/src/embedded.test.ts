import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EmbeddedDatabase, startEmbedded } from './embedded.ts';
import { setUpEmbedded } from './testing/setup.ts';

const {
  sharedDir,
  systemDir,
  createTempDir,
  start,
  startInChildProcess,
  query,
  errorMessageOf,
  waitForNoProcess,
} = setUpEmbedded();

describe('a running database', () => {
  let folder: string;
  let database: EmbeddedDatabase;

  // afterEach would stop a database started with start(), but these tests share one cluster.
  beforeAll(async () => {
    folder = join(sharedDir, 'data');
    const settings = { fsync: 'off' };
    database = await startEmbedded({ dataDir: folder, systemDir, notify: () => {}, settings });
  });

  afterAll(async () => {
    await database?.stop();
    await waitForNoProcess(folder);
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
    expect(await query(database.connection, 'SHOW listen_addresses')).toEqual(['']);
  });

  test('gives the application its own database and a role without superuser rights', async () => {
    const text = `SELECT rolsuper, pg_get_userbyid(datdba) FROM pg_roles, pg_database
      WHERE rolname = current_user AND datname = current_database()`;
    expect(await query(database.connection, text)).toEqual([false, 'mozhan']);
  });

  test('stores UTF-8 and sorts by code point by default', async () => {
    const text = `SELECT pg_encoding_to_char(encoding), datlocprovider, datlocale FROM pg_database
      WHERE datname = 'mozhan'`;
    expect(await query(database.connection, text)).toEqual(['UTF8', 'b', 'C.UTF-8']);
    expect(await query(database.connection, "SELECT lower('ÀÉ墨'), length('墨栈𠮷')")).toEqual(['àé墨', 3]);
  });

  test('sorts names by pinyin', async () => {
    const text = `SELECT name FROM unnest(ARRAY['张伟', '李娜', '王芳', '陈晨']) name
      ORDER BY name COLLATE "zh-x-icu"`;
    expect(await query(database.connection, text)).toEqual(['陈晨', '李娜', '王芳', '张伟']);
  });

  test('lets the application create pg_trgm, which recognises Chinese letters', async () => {
    await query(database.connection, 'CREATE EXTENSION pg_trgm');
    expect(await query(database.connection, "SELECT similarity('程序员', '程序员们')")).toEqual([0.5]);
  });
});

test('keeps its data after a restart in a path with spaces, quotes and Chinese characters', async () => {
  const dataDir = join(createTempDir(), `墨栈 的 "data", it's`);
  const first = await start(dataDir);
  expect(first.notes).toContain('正在创建数据库…');
  await query(first.connection, "CREATE TABLE essays AS SELECT '你好' AS title");
  await Promise.all([first.stop(), first.stop()]);
  await first.stop();
  await waitForNoProcess(dataDir);
  const second = await start(dataDir);
  expect(second.notes).not.toContain('正在创建数据库…');
  expect(await query(second.connection, 'SELECT title FROM essays')).toEqual(['你好']);
});

test('rejects a second start in the same or another process while the database runs', async () => {
  const dataDir = join(createTempDir(), 'data');
  const database = await start(dataDir);
  expect(await errorMessageOf(start(dataDir))).toContain(`另一个墨栈进程正在使用数据目录 ${dataDir}`);
  expect(await startInChildProcess(dataDir).waitForEvent('failed')).toContain(`正在使用数据目录 ${dataDir}`);
  expect(await query(database.connection, 'SELECT 1')).toEqual([1]);
  await database.stop();
  await start(dataDir);
});

test('explains why it cannot start and releases the lock', async () => {
  const dataDir = join(createTempDir(), 'data');
  const broken = await errorMessageOf(start(dataDir, { settings: { shared_buffers: 'nonsense' } }));
  expect(broken).toContain('invalid value for parameter "shared_buffers"');
  const cluster = join(dataDir, 'pg');
  writeFileSync(join(cluster, 'PG_VERSION'), '17\n');
  expect(await errorMessageOf(start(dataDir))).toContain('由 PostgreSQL 17 创建');
  rmSync(join(cluster, 'PG_VERSION'));
  expect(await errorMessageOf(start(dataDir))).toContain('不是完整的数据库');
});
