import { findRunningDatabase, startEmbedded } from '@mozhan/postgres';
import type pg from 'pg';
import type { Config } from '../config/config.ts';
import { MAX_CONNECTIONS_PER_PROCESS } from './client.ts';

export interface OpenDatabase {
  connection: pg.PoolConfig;
  close: () => Promise<void>;
}

type Note = (message: string) => void;

/**
 * Starts the embedded database, unless another one is configured. `onStarting` is called while PostgreSQL starts and can
 * do other work.
 */
export async function connectDatabase(
  config: Config,
  note: Note,
  onStarting = () => {},
): Promise<OpenDatabase> {
  if (config.databaseUrl !== undefined)
    return { connection: { connectionString: config.databaseUrl }, close: async () => {} };
  note('启动数据库');
  const { connection, stop } = await startEmbedded({
    dataDir: config.dataDir,
    notify: note,
    onStarting,
    settings: { max_connections: String(Math.max(100, 10 + MAX_CONNECTIONS_PER_PROCESS * config.workers)) },
  });
  return { connection, close: stop };
}

/** Opens the database for a command, also while a server runs. */
export async function openDatabaseForCommand(config: Config, note: Note): Promise<OpenDatabase> {
  const running =
    config.databaseUrl === undefined
      ? await findRunningDatabase({ dataDir: config.dataDir, notify: note })
      : null;
  return running === null
    ? await connectDatabase(config, note)
    : { connection: running, close: async () => {} };
}
