import { defineModule } from '../../../module.ts';
import { eraseTransfers } from './actions/erase.ts';
import { jobs, longJobs, schedule } from './jobs.ts';
import { routes } from './routes.ts';
import { serveTransfers } from './serve.ts';

export const transfer = defineModule({
  routes,
  serve: serveTransfers,
  jobs,
  longJobs,
  schedule,
  eraseUser: eraseTransfers,
  menu: [
    {
      group: 'system',
      position: 4,
      path: '/transfer',
      name: '导入导出',
      icon: 'transfer',
      permission: 'transfer:list',
      roles: [],
      actions: [
        { permission: 'transfer:create', name: '导入与导出', roles: [] },
        { permission: 'transfer:remove', name: '撤销导入与删除记录', roles: [] },
      ],
    },
  ],
});
