import type pg from 'pg';
import { z } from 'zod';
import type { Config } from '../../../config/config.ts';
import { createDb, type Db } from '../../../db/client.ts';
import { VERSION } from '../../../version.ts';
import { findSetting, updateSetting } from '../../platform/settings/index.ts';
import { describeError } from './actions/run.ts';
import { writeBackup } from './dump.ts';
import { BackupError } from './errors.ts';
import { chooseFileName, getFreeBytes, listBackupFiles, removeAbandonedFiles, removeFile } from './folder.ts';
import * as queries from './queries.ts';
import { hasEnoughSpace, isUpdateBackup, STALLED_AFTER_MS, UPDATE_PREFIX } from './rules.ts';

const KEY = 'program';
/** The last version that did not record itself. */
const UNRECORDED_VERSION = '0.1.0';
const RETAINED = 3;

const update = z.object({
  from: z.string(),
  to: z.string(),
  /** Path of the backup; null if UPDATE_BACKUP is off. */
  backup: z.string().nullable(),
  at: z.iso.datetime(),
});
export type Update = z.output<typeof update>;

/** `version` is the last one that started successfully. */
const program = z.object({ version: z.string().optional(), update: update.optional() });

const findProgram = async (db: Db) => program.parse((await findSetting(db, KEY)) ?? {});

export const findLastUpdate = async (db: Db): Promise<Update | null> =>
  (await findProgram(db)).update ?? null;

/** An update whose new version has not started successfully yet. */
export async function findUnfinishedUpdate(db: Db): Promise<Update | null> {
  const { version, update } = await findProgram(db);
  return update !== undefined && version !== update.to ? update : null;
}

export const recordUpdate = (db: Db, update: Update): Promise<void> =>
  updateSetting({ db, now: new Date(update.at) }, KEY, { version: update.from, update });

export async function recordStart(db: Db): Promise<void> {
  if ((await findProgram(db)).version === VERSION) return;
  await updateSetting({ db, now: new Date() }, KEY, { version: VERSION });
}

export interface UpdateBackupOptions {
  config: Pick<Config, 'dataDir' | 'updateBackup'>;
  note: (message: string) => void;
  findFreeBytes?: typeof getFreeBytes;
}

/** Writes a backup of the database only: files never change, and migrations do not touch them. */
export async function backUpBeforeUpdate(
  pool: pg.Pool,
  { config, note, findFreeBytes = getFreeBytes }: UpdateBackupOptions,
): Promise<Update> {
  const db = createDb(pool);
  const now = new Date();
  const { version: from = UNRECORDED_VERSION } = await findProgram(db);
  const result = { from, to: VERSION, at: now.toISOString() };
  if (!config.updateBackup) {
    note(`数据库由 ${from} 更新到 ${VERSION}，没有备份（UPDATE_BACKUP=off）`);
    return { ...result, backup: null };
  }
  try {
    await removeAbandonedFiles(config, new Date(now.getTime() - STALLED_AFTER_MS));
    if (!hasEnoughSpace(await findFreeBytes(config), null, await queries.getDatabaseSize(db)))
      throw new BackupError('磁盘空间不足');
    const { target, temporaryPath } = await chooseFileName(config, now, UPDATE_PREFIX);
    note(`数据库由 ${from} 更新到 ${VERSION}，先备份到 ${target}`);
    const options = {
      target,
      temporaryPath,
      madeBy: 'update',
      version: from,
      now,
      report: () => {},
    } as const;
    await writeBackup({ pool, files: null }, options);
    await removeOldest(db, config);
    return { ...result, backup: target };
  } catch (error) {
    throw new BackupError(
      `更新前的备份没有做成，没有更新，数据没有改动：${describeError(error)}。` +
        '请处理后重新启动；已经自己备份过的，可以设 UPDATE_BACKUP=off 再启动',
      { cause: error },
    );
  }
}

async function removeOldest(db: Db, config: UpdateBackupOptions['config']): Promise<void> {
  const names = (await listBackupFiles(config)).filter(isUpdateBackup).sort().reverse().slice(RETAINED);
  for (const name of names) await removeFile(config, name);
  await queries.removeByNames(db, names);
}
