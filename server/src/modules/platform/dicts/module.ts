import { defineModule } from '../../../module.ts';
import { routes } from './routes.ts';

export const dicts = defineModule({
  routes,
  menu: [
    {
      group: 'system',
      position: 3,
      path: '/dict',
      name: '字典',
      icon: 'book',
      permission: 'dict:list',
      roles: ['operator'],
      actions: [
        { permission: 'dict:create', name: '新建字典与条目', roles: ['operator'] },
        { permission: 'dict:update', name: '修改字典与条目', roles: ['operator'] },
        { permission: 'dict:remove', name: '删除字典与条目', roles: ['operator'] },
      ],
    },
  ],
});
