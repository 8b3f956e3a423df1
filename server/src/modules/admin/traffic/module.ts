import type { Ctx } from '../../../ctx.ts';
import { chinaDayOf } from '../../../day.ts';
import { defineModule } from '../../../module.ts';
import { removeAuthorSources, removeValues, removeVisitors } from './queries/write.ts';
import { routes } from './routes.ts';

/** Sources, regions and devices are kept this long. */
const KEPT_DAYS = 400;
const DAY_MS = 86_400_000;

async function removeExpired({ db, now }: Ctx): Promise<void> {
  await removeVisitors(db, chinaDayOf(now));
  await removeValues(db, chinaDayOf(new Date(now.getTime() - KEPT_DAYS * DAY_MS)));
}

export const traffic = defineModule({
  routes,
  jobs: { 'expire-traffic': removeExpired },
  // Every hour, so that the hashes are deleted soon after midnight in China, also after an outage.
  schedule: { 'expire-traffic': '1 * * * *' },
  eraseUser: ({ db }, { id }) => removeAuthorSources(db, id),
  menu: [
    {
      group: 'site',
      position: 7,
      path: '/traffic',
      name: '访问统计',
      icon: 'chart',
      permission: 'traffic:list',
      roles: ['operator'],
    },
  ],
});
