import * as calls from '@mozhan/contract/backups.ts';
import { bind, bindDone } from '../../../http/route.ts';
import { requireSignedIn } from '../../../viewer.ts';
import { createBackup, createDownloadLink, isFileHere, removeBackup } from './actions/manage.ts';
import { getPlan, updatePlan } from './actions/plan.ts';
import { listBackups } from './queries.ts';
import { toBackup } from './views.ts';

export const routes = [
  bind(calls.listBackups, async (ctx, query) => {
    const page = await listBackups(ctx.db, query);
    const areFilesHere = await Promise.all(page.list.map(({ backup }) => isFileHere(ctx, backup.name)));
    return { ...page, list: page.list.map((row, index) => toBackup(row, areFilesHere[index] ?? false)) };
  }),
  bind(calls.createBackup, async (ctx) => toBackup(await createBackup(ctx), false)),
  bindDone(calls.removeBackup, (ctx, { id }) => removeBackup(ctx, id)),
  bind(calls.createBackupLink, (ctx, { id }) => createDownloadLink(ctx, requireSignedIn(ctx), id)),
  bind(calls.getBackupPlan, (ctx) => getPlan(ctx)),
  bind(calls.updateBackupPlan, updatePlan),
];
