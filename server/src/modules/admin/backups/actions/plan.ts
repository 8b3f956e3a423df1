import { type BackupPlan, type BackupSchedule, backupSchedule } from '@mozhan/contract/backups.ts';
import { type Ctx, inTransaction, logChange } from '../../../../ctx.ts';
import { findSetting, updateSetting } from '../../../platform/settings/index.ts';
import { describeBucket } from '../copies.ts';
import { getFolder, getFreeBytes } from '../folder.ts';
import { defaultSchedule } from '../rules.ts';
import { toPlan } from '../views.ts';

const KEY = 'backups';
const storedSchedule = backupSchedule.partial();

const isManaged = (ctx: Ctx): boolean => ctx.services.config.databaseUrl === undefined;

export const getSchedule = async (ctx: Ctx): Promise<BackupSchedule> => ({
  ...defaultSchedule(isManaged(ctx)),
  ...storedSchedule.parse((await findSetting(ctx.db, KEY)) ?? {}),
});

export async function getPlan(ctx: Ctx): Promise<BackupPlan> {
  const { config } = ctx.services;
  const storage = {
    folder: getFolder(config),
    freeBytes: await getFreeBytes(config),
    isManaged: isManaged(ctx),
    copiesTo: config.backupS3 && describeBucket(config.backupS3),
  };
  return toPlan(await getSchedule(ctx), ctx.now, storage);
}

export function updatePlan(ctx: Ctx, given: Partial<BackupSchedule>): Promise<BackupPlan> {
  return inTransaction(ctx, async (ctx) => {
    const before = await getSchedule(ctx);
    await updateSetting(ctx, KEY, given);
    logChange(ctx, 'setting:backups', before, await getSchedule(ctx));
    return getPlan(ctx);
  });
}
