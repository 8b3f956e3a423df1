import { defineModule } from '../../../module.ts';
import { jobs, schedule } from './jobs.ts';
import { routes } from './routes.ts';

export const webhooks = defineModule({
  routes,
  jobs,
  schedule,
  menu: [
    {
      group: 'system',
      position: 6,
      path: '/webhook',
      name: '外部通知',
      icon: 'webhook',
      permission: 'webhook:list',
      roles: [],
      actions: [
        { permission: 'webhook:create', name: '新建外部通知', roles: [] },
        { permission: 'webhook:update', name: '修改外部通知与重新投递', roles: [] },
        { permission: 'webhook:remove', name: '删除外部通知', roles: [] },
      ],
    },
  ],
});
