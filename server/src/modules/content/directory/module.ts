import { defineModule } from '../../../module.ts';
import { erase } from './actions/erase.ts';
import { jobs, schedule } from './jobs.ts';
import { routes as codeFarmersRoutes } from './routes/code-farmers.ts';
import { routes as codeStarsRoutes } from './routes/code-stars.ts';
import { routes as expertsRoutes } from './routes/experts.ts';

export const directory = defineModule({
  routes: [...codeFarmersRoutes, ...codeStarsRoutes, ...expertsRoutes],
  jobs,
  schedule,
  eraseUser: erase,
  menu: [
    {
      group: 'user',
      position: 1,
      path: '/apply',
      name: '专家申请',
      icon: 'idcard',
      permission: 'apply:list',
      roles: ['auditor', 'operator'],
      actions: [{ permission: 'apply:update', name: '处理专家申请', roles: ['auditor', 'operator'] }],
    },
    {
      group: 'user',
      position: 2,
      path: '/star',
      name: '码星',
      icon: 'star',
      permission: 'star:update',
      roles: ['operator'],
    },
  ],
});
