import { defineModule } from '../../../module.ts';
import { routes } from './routes.ts';

export const categories = defineModule({
  routes,
  menu: [
    {
      group: 'content',
      position: 8,
      path: '/category',
      name: '分类',
      icon: 'tag',
      permission: 'category:update',
      roles: ['operator'],
      actions: [
        { permission: 'category:create', name: '新建分类', roles: ['operator'] },
        { permission: 'category:remove', name: '删除分类', roles: ['operator'] },
      ],
    },
  ],
});
