import { expect, test } from 'vitest';
import { compareMigrations } from './db/migrate.ts';
import { openFiles } from './files/open.ts';
import { openBackup, restoreBackup } from './modules/admin/backups/index.ts';
import { createEncryption } from './secrets/encryption.ts';
import { protectSecrets } from './secrets/secrets.ts';
import { TEST_KEY } from './testing/config.ts';
import { createOldSite } from './testing/old-site.ts';
import { describeSchema } from './testing/schema.ts';
import { compareTables, hashTables } from './testing/table-hashes.ts';
import { VERSION } from './version.ts';

test('a failed migration changes nothing and says how to go back', async () => {
  const site = await createOldSite();
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

test('a downgrade restores schema and rows of the older version, which can be updated again', async () => {
  const site = await createOldSite();
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
