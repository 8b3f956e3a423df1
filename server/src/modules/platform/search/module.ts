import { defineModule } from '../../../module.ts';
import { jobs, schedule } from './jobs.ts';
import { routes } from './routes.ts';

export const search = defineModule({
  routes,
  jobs,
  schedule,
  menu: [
    {
      group: 'content',
      position: 9.5,
      path: '/search',
      name: '站内搜索',
      icon: 'search',
      permission: 'search:list',
      roles: ['operator'],
      actions: [
        { permission: 'search:update', name: '修改搜索词典', roles: ['operator'] },
        { permission: 'search:reindex', name: '重建索引', roles: ['operator'] },
      ],
    },
  ],
});
