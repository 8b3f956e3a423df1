import { defineModule } from '../../../module.ts';
import { routes } from './routes.ts';

export const reports = defineModule({
  routes,
  menu: [
    {
      group: 'content',
      position: 4,
      path: '/report',
      name: '举报',
      icon: 'warning',
      permission: 'report:list',
      roles: ['auditor', 'operator'],
      actions: [{ permission: 'report:update', name: '处理举报', roles: ['auditor', 'operator'] }],
    },
  ],
});
