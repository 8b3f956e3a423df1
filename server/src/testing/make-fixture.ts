/**
 * `node server/src/testing/make-fixture.ts` fills a new database and stores its dump in `server/src/db/fixtures`, named
 * after the last migration; tests run the migrations of later releases on it.
 */
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { createPool } from '../db/client.ts';
import { migrate, readMigrations } from '../db/migrate.ts';
import { closeThreads } from '../threads/threads.ts';
import { startPostgres } from './cluster.ts';
import { writeDump } from './dump.ts';
import { populate } from './populate/index.ts';

const folder = join(import.meta.dirname, '../db/fixtures');

const { connection, stop } = await startPostgres();
const database = `mozhan_fixture_${randomBytes(4).toString('hex')}`;
const client = new pg.Client(connection);
await client.connect();
try {
  await client.query(`create database ${database}`);
  const target = { ...connection, database };
  const pool = createPool(target);
  await migrate(pool).finally(() => pool.end());
  const clock = await populate(target);
  const dump = await writeDump(target, clock);
  const last = (await readMigrations()).at(-1)?.name ?? '';
  await writeFile(join(folder, `${last}.gz`), dump);
  console.log(`${last}.gz: ${Math.ceil(dump.length / 1024)} KB`);
} finally {
  await client.query(`drop database if exists ${database} with (force)`);
  await client.end();
  await closeThreads();
  await stop();
}
