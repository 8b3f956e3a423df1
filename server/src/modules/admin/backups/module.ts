import { defineModule } from '../../../module.ts';
import { jobs, longJobs, schedule } from './jobs.ts';
import { routes } from './routes.ts';
import { serveBackups } from './serve.ts';

export const backups = defineModule({
  routes,
  serve: serveBackups,
  jobs,
  longJobs,
  schedule,
  menu: [
    {
      group: 'system',
      position: 7,
      path: '/backup',
      name: '备份',
      icon: 'backup',
      permission: 'backup:list',
      roles: [],
      actions: [
        { permission: 'backup:create', name: '立即备份', roles: [] },
        { permission: 'backup:update', name: '修改定时备份', roles: [] },
        { permission: 'backup:download', name: '下载备份', roles: [] },
        { permission: 'backup:remove', name: '删除备份', roles: [] },
      ],
    },
  ],
});
