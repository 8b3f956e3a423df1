import type pg from 'pg';
import { type Config, ConfigError } from './config/config.ts';
import { createDb, type Db } from './db/client.ts';
import { connectDatabase, type OpenDatabase } from './db/connect.ts';
import { createStartPool, migrateDatabase } from './db/open.ts';
import {
  BackupError,
  backUpBeforeUpdate,
  findUnfinishedUpdate,
  recordUpdate,
  type Update,
} from './modules/admin/backups/index.ts';
import { VERSION } from './version.ts';

type Note = (message: string) => void;

/** Migrates the database with a pool of `createStartPool`; if it is in use, a backup is written first. */
export async function updateDatabase(pool: pg.Pool, config: Config, note: Note): Promise<void> {
  let update: Update | undefined;
  await migrateDatabase(pool, note, async () => {
    update = await backUpBeforeUpdate(pool, { config, note });
  }).catch((error: unknown) => {
    throw update === undefined || error instanceof BackupError ? error : toUpdateError(update, error);
  });
  if (update !== undefined) await recordUpdate(createDb(pool), update);
}

/** Opens and migrates the database; for a command. */
export async function openUpdatedDatabase(config: Config, note: Note): Promise<OpenDatabase> {
  const database = await connectDatabase(config, note);
  const pool = createStartPool(database);
  try {
    await updateDatabase(pool, config, note);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  } finally {
    await pool.end();
  }
}

const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}：${messageOf(error.cause)}`;
};

const toUpdateError = ({ from, to, backup }: Update, error: unknown): ConfigError =>
  new ConfigError(
    [
      `更新到墨栈 ${to} 没有成功，数据库没有改动，仍是 ${from} 时的样子。原因：`,
      `  ${messageOf(error)}`,
      ...(backup === null ? [] : [`更新前的备份在 ${backup}`]),
      `要继续使用旧版本：装回墨栈 ${from} 的程序，照常启动即可，不需要恢复备份。步骤见 docs/update.zh-CN.md「退回旧版本」`,
    ].join('\n'),
    { cause: error },
  );

/** How to return to the older version, if this one has migrated the database but has never started. */
export async function describeWayBack(db: Db): Promise<string[]> {
  // The database itself may be the reason of the failure.
  const update = await findUnfinishedUpdate(db).catch(() => null);
  if (update === null) return [];
  const { from, backup } = update;
  const file = backup ?? '自己的备份文件';
  return [
    `墨栈 ${VERSION} 没有启动，而数据库已经由 ${from} 更新过来，旧版本不能直接使用。要退回 ${from}：`,
    `  1. 运行 npm run restore -- ${file} --replace --downgrade，数据回到更新之前`,
    `  2. 装回墨栈 ${from} 的程序，照常启动`,
    '步骤见 docs/update.zh-CN.md「退回旧版本」',
  ];
}
