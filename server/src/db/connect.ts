import { findRunningDatabase, startEmbedded } from '@mozhan/postgres';
import pg from 'pg';
import { type Config, ConfigError } from '../config/config.ts';
import { MAX_CONNECTIONS_PER_PROCESS } from './client.ts';

export interface OpenDatabase {
  connection: pg.PoolConfig;
  close: () => Promise<void>;
}

type Note = (message: string) => void;

interface ConnectOptions {
  /** Called while PostgreSQL starts; can do other work. */
  onStarting?: () => void;
  /** Fails if the embedded database has not been created yet. */
  mustExist?: boolean;
}

/** Starts the embedded database, unless another one is configured. */
export async function connectDatabase(
  config: Config,
  note: Note,
  { onStarting = () => {}, mustExist = false }: ConnectOptions = {},
): Promise<OpenDatabase> {
  if (config.databaseUrl !== undefined)
    return { connection: { connectionString: config.databaseUrl }, close: async () => {} };
  note('启动数据库');
  const { connection, stop } = await startEmbedded({
    dataDir: config.dataDir,
    notify: note,
    onStarting,
    mustExist,
    settings: { max_connections: String(Math.max(100, 10 + MAX_CONNECTIONS_PER_PROCESS * config.workers)) },
  });
  return { connection, close: stop };
}

/** Opens the database of an existing site for a command, also while a server runs. */
export async function openDatabaseForCommand(config: Config, note: Note): Promise<OpenDatabase> {
  const running =
    config.databaseUrl === undefined
      ? await findRunningDatabase({ dataDir: config.dataDir, notify: note })
      : null;
  const database =
    running === null
      ? await connectDatabase(config, note, { mustExist: true })
      : { connection: running, close: async () => {} };
  try {
    await requireTables(database.connection);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

async function requireTables(connection: pg.PoolConfig): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const { rowCount } = await client.query("select from pg_class where oid = to_regclass('migrations')");
    if (rowCount === 0) throw new ConfigError('数据库还是空的：请先用 npm start 启动一次');
  } finally {
    await client.end();
  }
}
