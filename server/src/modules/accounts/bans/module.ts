import { defineModule } from '../../../module.ts';
import { removeExpiredBans } from './queries.ts';
import { routes } from './routes.ts';

/** Expired bans stay visible this long. */
const RETENTION_MS = 30 * 24 * 3_600_000;

export const bans = defineModule({
  routes,
  jobs: {
    'expire-bans': (ctx) => removeExpiredBans(ctx.db, new Date(ctx.now.getTime() - RETENTION_MS)),
  },
  schedule: { 'expire-bans': '40 20 * * *' },
  menu: [
    {
      group: 'system',
      position: 9.6,
      path: '/ban',
      name: '封禁地址',
      icon: 'stop',
      permission: 'ban:list',
      roles: [],
      actions: [
        { permission: 'ban:create', name: '封禁地址', roles: [] },
        { permission: 'ban:update', name: '修改封禁', roles: [] },
        { permission: 'ban:remove', name: '解除封禁', roles: [] },
      ],
    },
  ],
});
