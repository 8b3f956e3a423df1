import { type BackupPlan, type BackupSchedule, backupSchedule } from '@mozhan/contract/backups.ts';
import { type Ctx, changed, inTx } from '../../../../ctx.ts';
import { findSetting, updateSetting } from '../../../platform/settings/index.ts';
import { folderOf, measureFree } from '../folder.ts';
import { defaultSchedule } from '../rules.ts';
import { toPlan } from '../views.ts';

const KEY = 'backups';
const stored = backupSchedule.partial();

const isManaged = (ctx: Ctx): boolean => ctx.services.config.databaseUrl === undefined;

export const getSchedule = async (ctx: Ctx): Promise<BackupSchedule> => ({
  ...defaultSchedule(isManaged(ctx)),
  ...stored.parse((await findSetting(ctx.db, KEY)) ?? {}),
});

export async function getPlan(ctx: Ctx): Promise<BackupPlan> {
  const { config } = ctx.services;
  const place = {
    folder: folderOf(config),
    freeBytes: await measureFree(config),
    isManaged: isManaged(ctx),
  };
  return toPlan(await getSchedule(ctx), ctx.now, place);
}

export function updatePlan(ctx: Ctx, given: Partial<BackupSchedule>): Promise<BackupPlan> {
  return inTx(ctx, async (ctx) => {
    const before = await getSchedule(ctx);
    await updateSetting(ctx, KEY, given);
    changed(ctx, 'setting:backups', before, await getSchedule(ctx));
    return getPlan(ctx);
  });
}
