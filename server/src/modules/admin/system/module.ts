import { defineModule } from '../../../module.ts';
import { gauges } from './gauges.ts';
import { routes } from './routes.ts';

export const system = defineModule({
  routes,
  gauges,
  menu: [
    {
      group: 'system',
      position: 8,
      path: '/log',
      name: '操作日志',
      icon: 'log',
      permission: 'log:list',
      roles: [],
    },
    {
      group: 'system',
      position: 10,
      path: '/job',
      name: '任务',
      icon: 'task',
      permission: 'job:list',
      roles: [],
      actions: [
        { permission: 'job:update', name: '重试任务', roles: [] },
        { permission: 'job:remove', name: '删除任务', roles: [] },
      ],
    },
    {
      group: 'system',
      position: 11,
      path: '/health',
      name: '系统状态',
      icon: 'health',
      permission: 'health:list',
      roles: ['operator'],
    },
  ],
});
