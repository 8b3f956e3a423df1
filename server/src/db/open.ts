import { findRunning, startEmbedded } from '@mozhan/postgres';
import type pg from 'pg';
import { z } from 'zod';
import { type Config, ConfigError } from '../config/config.ts';
import { CONNECTIONS, createPool } from './client.ts';
import { migrate } from './migrate.ts';
import { parseRow } from './rows.ts';

export interface OpenDatabase {
  connection: pg.PoolConfig;
  close: () => Promise<void>;
}

const OLDEST = 15;

type Note = (sentence: string) => void;

/** The migrated database: the one that is configured, or the embedded one, started here. */
export async function openDatabase(config: Config, note: Note): Promise<OpenDatabase> {
  const database = await connect(config, note, false);
  try {
    note('检查数据库结构');
    const pool = createPool({ ...database.connection, max: 2, statement_timeout: 0 });
    await checkServer(pool)
      .then(() => migrate(pool))
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
  if (major < OLDEST) throw new ConfigError(`数据库是 PostgreSQL ${major}，至少需要 ${OLDEST}`);
}

/** As it is, with no server on it: for what brings tables of its own. */
export async function openDatabaseAlone(config: Config, note: Note): Promise<OpenDatabase> {
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

/** For commands: beside a running server where there is one. */
export const openDatabaseBeside = (config: Config, note: Note): Promise<OpenDatabase> =>
  connect(config, note, true);

async function connect(config: Config, note: Note, isCommand: boolean): Promise<OpenDatabase> {
  if (config.databaseUrl !== undefined) {
    return { connection: { connectionString: config.databaseUrl }, close: async () => {} };
  }
  const running = isCommand ? await findRunning({ dataDir: config.dataDir, note }) : null;
  if (running !== null) return { connection: running, close: async () => {} };
  note('启动数据库');
  const { connection, stop } = await startEmbedded({
    dataDir: config.dataDir,
    note,
    settings: { max_connections: String(Math.max(100, 10 + CONNECTIONS * config.workers)) },
  });
  return { connection, close: stop };
}
