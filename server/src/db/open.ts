import { findRunningDatabase, startEmbedded } from '@mozhan/postgres';
import type pg from 'pg';
import { z } from 'zod';
import { type Config, ConfigError } from '../config/config.ts';
import { createPool, MAX_CONNECTIONS_PER_PROCESS } from './client.ts';
import { type BeforeUpdate, migrate } from './migrate.ts';
import { parseRow } from './rows.ts';

export interface OpenDatabase {
  connection: pg.PoolConfig;
  close: () => Promise<void>;
}

const MIN_POSTGRES_VERSION = 15;

type Note = (message: string) => void;

/** Opens and migrates the configured database, or starts the embedded one. */
export async function openDatabase(
  config: Config,
  note: Note,
  beforeUpdate?: BeforeUpdate,
): Promise<OpenDatabase> {
  const database = await connect(config, note, false);
  try {
    note('检查数据库结构');
    const pool = createPool({ ...database.connection, max: 2, statement_timeout: 0 });
    await checkServer(pool)
      .then(() => migrate(pool, beforeUpdate))
      .finally(() => pool.end());
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

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
  const database = await connect(config, note, false);
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

/** Opens the database for a command, also while a server runs. */
export const openDatabaseForCommand = (config: Config, note: Note): Promise<OpenDatabase> =>
  connect(config, note, true);

async function connect(config: Config, note: Note, isCommand: boolean): Promise<OpenDatabase> {
  if (config.databaseUrl !== undefined) {
    return { connection: { connectionString: config.databaseUrl }, close: async () => {} };
  }
  const running = isCommand ? await findRunningDatabase({ dataDir: config.dataDir, notify: note }) : null;
  if (running !== null) return { connection: running, close: async () => {} };
  note('启动数据库');
  const { connection, stop } = await startEmbedded({
    dataDir: config.dataDir,
    notify: note,
    settings: { max_connections: String(Math.max(100, 10 + MAX_CONNECTIONS_PER_PROCESS * config.workers)) },
  });
  return { connection, close: stop };
}
