import { type Config, ConfigError } from './config/config.ts';
import { createDb, createPool, type Db } from './db/client.ts';
import { type OpenDatabase, openDatabase } from './db/open.ts';
import {
  BackupError,
  backUpBeforeUpdate,
  findUnfinishedUpdate,
  recordStart,
  recordUpdate,
  type Update,
} from './modules/admin/backups/index.ts';
import { VERSION } from './version.ts';

async function withDb<T>({ connection }: OpenDatabase, work: (db: Db) => Promise<T>): Promise<T> {
  const pool = createPool({ ...connection, max: 1 });
  return work(createDb(pool)).finally(() => pool.end());
}

/** Opens the database; if this version has to migrate it, a backup is written first. */
export async function openUpdatedDatabase(
  config: Config,
  note: (message: string) => void,
): Promise<OpenDatabase> {
  let update: Update | undefined;
  const database = await openDatabase(config, note, async (pool) => {
    update = await backUpBeforeUpdate(pool, { config, note });
  }).catch((error: unknown) => {
    throw update === undefined || error instanceof BackupError ? error : toUpdateError(update, error);
  });
  const done = update;
  if (done !== undefined) await withDb(database, (db) => recordUpdate(db, done));
  return database;
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

/** Records that this version has started, which completes an update. */
export const completeUpdate = (database: OpenDatabase): Promise<void> => withDb(database, recordStart);

/** How to return to the older version, if this one has migrated the database but has never started. */
export async function describeWayBack(database: OpenDatabase): Promise<string[]> {
  // The database itself may be the reason of the failure.
  const update = await withDb(database, findUnfinishedUpdate).catch(() => null);
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
