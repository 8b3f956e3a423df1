import { defineModule } from '../../../module.ts';
import { removeCommentsOf } from './actions/remove.ts';
import { routes } from './routes.ts';

export const comments = defineModule({
  routes,
  eraseUser: removeCommentsOf,
  menu: [
    {
      group: 'content',
      position: 3,
      path: '/comment',
      name: '评论',
      icon: 'comment',
      permission: 'comment:list',
      roles: ['auditor', 'operator'],
      actions: [{ permission: 'comment:update', name: '放行与移除评论', roles: ['auditor', 'operator'] }],
    },
  ],
});
