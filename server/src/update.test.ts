import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compareMigrations } from './db/migrate.ts';
import { backUpBeforeUpdate, openBackup, recordStart } from './modules/admin/backups/index.ts';
import { createOldSite } from './testing/old-site.ts';
import { describeWayBack } from './update.ts';
import { VERSION } from './version.ts';

const root = join(import.meta.dirname, '../..');

test('every package has the version of the program', async () => {
  const { workspaces, version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  for (const name of workspaces)
    expect(JSON.parse(await readFile(join(root, name, 'package.json'), 'utf8')).version, name).toBe(version);
});

test('the database of 0.1.0 is backed up once, whatever the number of starting processes, then updated', async () => {
  const site = await createOldSite();
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
  const first = await createOldSite(null);
  await first.open();
  expect(await first.listBackups()).toEqual([]);
  await recordStart(first.db);
  const { rows } = await first.pool.query("select value from settings where key = 'program'");
  expect(rows).toEqual([{ value: { version: VERSION } }]);

  const other = await createOldSite();
  await other.open({ updateBackup: false });
  expect(await other.listBackups()).toEqual([]);
  expect(other.notes.join('\n')).toContain('没有备份（UPDATE_BACKUP=off）');
  expect(await compareMigrations(other.pool)).toMatchObject({ missing: [] });
  expect((await describeWayBack(other.db)).join('\n')).toContain('自己的备份文件');
});

test('without space for the backup, the update does not start', async () => {
  const site = await createOldSite();
  const findFreeBytes = async () => 1_000_000;
  const options = { config: site.config, note: () => {}, findFreeBytes };
  await expect(backUpBeforeUpdate(site.pool, options)).rejects.toThrow(
    '更新前的备份没有做成，没有更新，数据没有改动：磁盘空间不足',
  );
  expect(await site.listBackups()).toEqual([]);
});

test('the three newest backups before updates are kept, with their rows', async () => {
  const site = await createOldSite();
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
