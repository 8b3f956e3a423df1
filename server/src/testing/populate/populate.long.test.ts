import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createPool } from '../../db/client.ts';
import { createTestDatabase } from '../database.ts';
import { loadDump, writeDump } from '../dump.ts';
import { compareRows, hashRows } from '../rows.ts';
import { populate } from './index.ts';

async function openDatabase(is: 'bare' | 'migrated') {
  const database = await createTestDatabase({ is });
  const pool = createPool(database.connection);
  onTestFinished(async () => {
    await pool.end();
    await database.drop();
  });
  return { connection: database.connection, pool };
}

test('a new fixture has rows in every table, and loads as it was written', async () => {
  const [source, target] = [await openDatabase('migrated'), await openDatabase('bare')];
  const clock = await populate(source.connection);
  const written = await hashRows(source.pool);
  const empty = [...written].filter(([, { count }]) => count === 0).map(([name]) => name);
  expect(empty).toEqual([]);
  const folder = await mkdtemp(join(tmpdir(), 'mozhan-dump-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'dump.sql.gz');
  await writeFile(path, await writeDump(source.connection, clock));
  expect(await loadDump(target.pool, path)).toEqual(clock);
  expect(compareRows(written, await hashRows(target.pool))).toEqual({});
});
