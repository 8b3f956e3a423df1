import { defineModule } from '../../../module.ts';
import { jobs, schedule } from './jobs.ts';
import { routes } from './routes.ts';

export const stats = defineModule({
  routes,
  jobs,
  schedule,
  menu: [
    {
      group: null,
      position: 0,
      code: 'dashboard',
      path: '/',
      name: '工作台',
      icon: 'dashboard',
      actions: [
        { permission: 'stat:list', name: '查看统计', roles: ['auditor', 'operator', 'finance'] },
        { permission: 'checklist:list', name: '查看开站清单', roles: [] },
        { permission: 'checklist:update', name: '收起开站清单', roles: [] },
        { permission: 'demo:remove', name: '移除示例内容', roles: [] },
      ],
    },
  ],
});
