import { defineModule } from '../../../module.ts';
import { jobs, schedule } from './jobs.ts';
import { routes } from './routes.ts';

export const media = defineModule({
  routes,
  jobs,
  schedule,
  menu: [
    {
      group: 'content',
      position: 10,
      path: '/media',
      name: '媒体库',
      icon: 'picture',
      permission: 'media:list',
      roles: ['operator'],
      actions: [
        { permission: 'media:remove', name: '清理未使用的文件', roles: ['operator'] },
        { permission: 'media:update', name: '修改上传空间', roles: [] },
      ],
    },
  ],
});
