import * as calls from '@mozhan/contract/backups.ts';
import { bind, bindDone } from '../../../http/route.ts';
import { signedIn } from '../../../viewer.ts';
import { createBackup, createLink, isHere, removeBackup } from './actions/manage.ts';
import { getPlan, updatePlan } from './actions/plan.ts';
import { listBackups } from './queries.ts';
import { toBackup } from './views.ts';

export const routes = [
  bind(calls.listBackups, async (ctx, query) => {
    const page = await listBackups(ctx.db, query);
    const here = await Promise.all(page.list.map(({ backup }) => isHere(ctx, backup.name)));
    return { ...page, list: page.list.map((row, place) => toBackup(row, here[place] ?? false)) };
  }),
  bind(calls.createBackup, async (ctx) => toBackup(await createBackup(ctx), false)),
  bindDone(calls.removeBackup, (ctx, { id }) => removeBackup(ctx, id)),
  bind(calls.linkBackup, (ctx, { id }) => createLink(ctx, signedIn(ctx), id)),
  bind(calls.getBackupPlan, (ctx) => getPlan(ctx)),
  bind(calls.updateBackupPlan, updatePlan),
];
