import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createPool } from '../../db/client.ts';
import { createTestDatabase } from '../database.ts';
import { loadDump, writeDump } from '../dump.ts';
import { compareTables, hashTables } from '../table-hashes.ts';
import { populate } from './index.ts';

async function openDatabase(state: 'bare' | 'migrated') {
  const database = await createTestDatabase({ state });
  const pool = createPool(database.connection);
  onTestFinished(async () => {
    await pool.end();
    await database.drop();
  });
  return { connection: database.connection, pool };
}

test('a new fixture has rows in every table, and loading it restores them exactly', async () => {
  const [source, target] = [await openDatabase('migrated'), await openDatabase('bare')];
  const clock = await populate(source.connection);
  const written = await hashTables(source.pool);
  const empty = [...written].filter(([, { count }]) => count === 0).map(([name]) => name);
  expect(empty).toEqual([]);
  const folder = await mkdtemp(join(tmpdir(), 'mozhan-dump-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'dump.sql.gz');
  await writeFile(path, await writeDump(source.connection, clock));
  expect(await loadDump(target.pool, path)).toEqual(clock);
  expect(compareTables(written, await hashTables(target.pool))).toEqual({});
});
