import { defineModule } from '../../../module.ts';
import { jobs } from './jobs.ts';
import { routes } from './routes.ts';

export const covers = defineModule({
  routes,
  jobs,
  menu: [
    {
      group: 'content',
      position: 5,
      path: '/cover',
      name: '封面与横幅',
      icon: 'picture',
      permission: 'cover:list',
      roles: ['operator'],
      actions: [
        { permission: 'cover:create', name: '添加封面与横幅', roles: ['operator'] },
        { permission: 'cover:update', name: '修改封面与横幅', roles: ['operator'] },
        { permission: 'cover:remove', name: '删除封面与横幅', roles: ['operator'] },
      ],
    },
  ],
});
