import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { createDb, createPool } from './db/client.ts';
import { compareMigrations } from './db/migrate.ts';
import { openFiles } from './files/open.ts';
import {
  backUpBeforeUpdate,
  openBackup,
  RESTORE_APPLICATION_NAME,
  recordStart,
  restoreBackup,
} from './modules/admin/backups/index.ts';
import { createEncryption } from './secrets/encryption.ts';
import { protectSecrets } from './secrets/secrets.ts';
import { TEST_KEY, testConfig } from './testing/config.ts';
import { createTestDatabase } from './testing/database.ts';
import { loadDump } from './testing/dump.ts';
import { describeSchema } from './testing/schema.ts';
import { compareTables, hashTables } from './testing/table-hashes.ts';
import { describeWayBack, openUpdatedDatabase } from './update.ts';
import { VERSION } from './version.ts';

const root = join(import.meta.dirname, '../..');
/** Version 0.1.0 ends with this migration. */
const FIRST_RELEASE = join(root, 'server/src/db/fixtures/0044_revision_words.sql.gz');

const toUrl = ({ host, port, user, password = '', database }: pg.ClientConfig): string =>
  `postgresql://${user}:${encodeURIComponent(String(password))}@/${database}?host=${encodeURIComponent(String(host))}&port=${port}`;

async function createSite(fixture: string | null = FIRST_RELEASE) {
  const { connection, drop } = await createTestDatabase({ state: 'bare' });
  const dataDir = await mkdtemp(join(tmpdir(), 'mozhan-update-'));
  const pool = createPool({
    ...connection,
    application_name: RESTORE_APPLICATION_NAME,
    statement_timeout: 0,
  });
  onTestFinished(async () => {
    await pool.end();
    await drop();
    await rm(dataDir, { recursive: true, force: true });
  });
  if (fixture !== null) await loadDump(pool, fixture);
  const config = { ...testConfig(dataDir), databaseUrl: toUrl(connection) };
  const notes: string[] = [];
  return {
    pool,
    config,
    notes,
    db: createDb(pool),
    open: (more = {}) => openUpdatedDatabase({ ...config, ...more }, (line) => notes.push(line)),
    listBackups: () => readdir(join(dataDir, 'backups')).catch(() => []),
    pathOf: (name = '') => join(dataDir, 'backups', name),
  };
}

test('every package has the version of the program', async () => {
  const { workspaces, version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  for (const name of workspaces)
    expect(JSON.parse(await readFile(join(root, name, 'package.json'), 'utf8')).version, name).toBe(version);
});

test('the database of 0.1.0 is backed up once, whatever the number of starting processes, then updated', async () => {
  const site = await createSite();
  await Promise.all([site.open(), site.open(), site.open()]);
  expect(await compareMigrations(site.pool)).toEqual({ missing: [], unknown: [] });
  const [name, ...others] = await site.listBackups();
  expect(name).toMatch(/^mozhan-update-\d{8}-\d{6}\.tar$/);
  expect(others).toEqual([]);
  expect(site.notes.join('\n')).toContain(`由 0.1.0 更新到 ${VERSION}，先备份到 ${site.pathOf(name)}`);
  const { archive, manifest } = await openBackup(site.pathOf(name), () => {});
  await archive.close();
  // `command`, because version 0.1.0 must be able to read it.
  expect(manifest).toMatchObject({ version: '0.1.0', madeBy: 'command', files: { count: 0 }, missing: [] });
  expect(manifest.migrations.at(-1)?.name).toBe('0044_revision_words.sql');

  expect((await describeWayBack(site.db)).join('\n')).toContain(
    `npm run restore -- ${site.pathOf(name)} --replace --downgrade`,
  );
  await recordStart(site.db);
  expect(await describeWayBack(site.db)).toEqual([]);
  await site.open();
  expect(await site.listBackups()).toEqual([name]);
});

test('nothing is backed up at the first start, or if UPDATE_BACKUP is off', async () => {
  const first = await createSite(null);
  await first.open();
  expect(await first.listBackups()).toEqual([]);
  await recordStart(first.db);
  const { rows } = await first.pool.query("select value from settings where key = 'program'");
  expect(rows).toEqual([{ value: { version: VERSION } }]);

  const other = await createSite();
  await other.open({ updateBackup: false });
  expect(await other.listBackups()).toEqual([]);
  expect(other.notes.join('\n')).toContain('没有备份（UPDATE_BACKUP=off）');
  expect(await compareMigrations(other.pool)).toMatchObject({ missing: [] });
  expect((await describeWayBack(other.db)).join('\n')).toContain('自己的备份文件');
});

test('a failed migration changes nothing and says how to go back', async () => {
  const site = await createSite();
  // The last migrations fail after earlier ones have succeeded.
  await site.pool.query('create table remote_pictures (id int)');
  const before = { schema: await describeSchema(site.pool), tables: await hashTables(site.pool) };
  const error = await site.open().then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : ''),
  );
  const [name = ''] = await site.listBackups();
  expect(error).toContain(`更新到墨栈 ${VERSION} 没有成功，数据库没有改动，仍是 0.1.0 时的样子`);
  expect(error).toMatch(/数据库迁移 \d{4}_\w+\.sql 失败：.*remote_pictures/);
  expect(error).toContain(site.pathOf(name));
  expect(error).toContain('装回墨栈 0.1.0');
  expect(await describeSchema(site.pool)).toEqual(before.schema);
  expect(compareTables(before.tables, await hashTables(site.pool))).toEqual({});
});

test('without space for the backup, the update does not start', async () => {
  const site = await createSite();
  const findFreeBytes = async () => 1_000_000;
  const options = { config: site.config, note: () => {}, findFreeBytes };
  await expect(backUpBeforeUpdate(site.pool, options)).rejects.toThrow(
    '更新前的备份没有做成，没有更新，数据没有改动：磁盘空间不足',
  );
  expect(await site.listBackups()).toEqual([]);
});

test('the three newest backups before updates are kept, with their rows', async () => {
  const site = await createSite();
  const days = [11, 12, 13, 14].map((day) => `mozhan-update-202601${day}-040000.tar`);
  const database = await site.open({ updateBackup: false });
  await database.close();
  for (const name of ['mozhan-20260101-040000.tar', ...days]) {
    await writeEmptyFile(site.pathOf(), name);
    await site.pool.query(
      "insert into backups (id, made_by, status, name, created_at, seen_at) values (gen_random_uuid(), 'update', 'done', $1, now(), now())",
      [name],
    );
  }
  const { backup } = await backUpBeforeUpdate(site.pool, { config: site.config, note: () => {} });
  const kept = ['mozhan-20260101-040000.tar', ...days.slice(2)];
  expect((await site.listBackups()).map((name) => site.pathOf(name)).toSorted()).toEqual(
    [...kept.map(site.pathOf), backup].toSorted(),
  );
  const { rows } = await site.pool.query<{ name: string }>('select name from backups order by name');
  expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(kept));
  expect(rows.filter(({ name }) => days.slice(0, 2).includes(name))).toEqual([]);
});

async function writeEmptyFile(folder: string, name: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), '');
}

test('a downgrade restores schema and rows of the older version, which can be updated again', async () => {
  const site = await createSite();
  await protectSecrets(site.config, site.pool, () => {});
  const before = { schema: await describeSchema(site.pool), tables: await hashTables(site.pool) };
  await site.open();
  await site.pool.query("update users set bio = 'after the update'");
  const [name] = await site.listBackups();
  const opened = await openBackup(site.pathOf(name), () => {});
  const target = {
    pool: site.pool,
    files: await openFiles(site.config),
    encryption: createEncryption([TEST_KEY]),
  };
  await restoreBackup(target, opened, {
    withJobs: true,
    withoutKey: false,
    downgrade: true,
    confirmReplace: async () => true,
    report: () => {},
  });
  await opened.archive.close();
  expect(await describeSchema(site.pool)).toEqual(before.schema);
  const changes = compareTables(before.tables, await hashTables(site.pool));
  // Not part of a backup.
  for (const table of ['backups', 'rate_limits', 'live_attachments', 'traffic_visitors'])
    delete changes[table];
  expect(changes).toEqual({});
  await site.open();
  expect(await compareMigrations(site.pool)).toEqual({ missing: [], unknown: [] });
  expect(await site.listBackups()).toHaveLength(2);
});
