import type pg from 'pg';
import { z } from 'zod';
import { type Config, ConfigError } from '../config/config.ts';
import { createPool } from './client.ts';
import { connectDatabase, type OpenDatabase } from './connect.ts';
import { type BeforeUpdate, migrate } from './migrate.ts';
import { parseRow } from './rows.ts';

const MIN_POSTGRES_VERSION = 15;

type Note = (message: string) => void;

/** The pool needs two connections and no limit for the time of a statement: see `createStartPool`. */
export async function migrateDatabase(pool: pg.Pool, note: Note, beforeUpdate: BeforeUpdate): Promise<void> {
  note('检查数据库结构');
  await checkServer(pool);
  await migrate(pool, beforeUpdate);
}

/** For the steps of a start, one after the other; migrations hold a lock on one connection and work on the other. */
export const createStartPool = ({ connection }: OpenDatabase): pg.Pool =>
  createPool({ ...connection, max: 2, statement_timeout: 0 });

const versionRow = z.object({ version: z.int() });

async function checkServer(pool: pg.Pool): Promise<void> {
  const result = await pool
    .query("select current_setting('server_version_num')::int as version")
    .catch((error: unknown) => {
      throw new ConfigError(
        `连不上数据库（DATABASE_URL）：${error instanceof Error ? error.message : String(error)}`,
      );
    });
  const major = Math.floor(parseRow(versionRow, result).version / 10_000);
  if (major < MIN_POSTGRES_VERSION)
    throw new ConfigError(`数据库是 PostgreSQL ${major}，至少需要 ${MIN_POSTGRES_VERSION}`);
}

/** Opens the database without migrating it and without a running server; for a restore. */
export async function openDatabaseExclusively(config: Config, note: Note): Promise<OpenDatabase> {
  const database = await connectDatabase(config, note);
  const pool = createPool({ ...database.connection, max: 1 });
  try {
    await checkServer(pool);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  } finally {
    await pool.end();
  }
}
