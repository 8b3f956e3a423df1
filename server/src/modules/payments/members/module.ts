import { defineModule } from '../../../module.ts';
import { routes as membersRoutes } from './routes/members.ts';
import { routes as pricesRoutes } from './routes/prices.ts';

export const members = defineModule({
  routes: [...membersRoutes, ...pricesRoutes],
  menu: [
    {
      group: 'money',
      position: 4,
      path: '/price',
      name: '价格设置',
      icon: 'price',
      permission: 'price:update',
      roles: ['finance'],
      actions: [
        { permission: 'price:create', name: '新增金额', roles: ['finance'] },
        { permission: 'price:remove', name: '删除金额', roles: ['finance'] },
      ],
    },
    {
      group: 'money',
      position: 5,
      path: '/member',
      name: '会员与方案',
      icon: 'crown',
      permission: 'member:list',
      roles: ['operator', 'finance'],
      actions: [
        { permission: 'member:update', name: '赠送会员', roles: ['finance'] },
        { permission: 'plan:create', name: '新建会员方案', roles: ['finance'] },
        { permission: 'plan:update', name: '修改会员方案', roles: ['finance'] },
        { permission: 'plan:remove', name: '删除会员方案', roles: ['finance'] },
      ],
    },
  ],
});
