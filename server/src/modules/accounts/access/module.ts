import { defineModule } from '../../../module.ts';
import { removeOperator } from './queries.ts';
import { routes } from './routes.ts';

export const access = defineModule({
  routes,
  eraseUser: ({ db }, { id }) => removeOperator(db, id),
  menu: [
    {
      group: 'system',
      position: 1,
      path: '/role',
      name: '角色',
      icon: 'lock',
      permission: 'role:list',
      roles: [],
      actions: [
        { permission: 'role:create', name: '新建角色', roles: [] },
        { permission: 'role:update', name: '修改角色', roles: [] },
        { permission: 'role:remove', name: '删除角色', roles: [] },
        { permission: 'role:grant', name: '设置角色的菜单', roles: [] },
      ],
    },
    {
      group: 'system',
      position: 2,
      path: '/menu',
      name: '菜单',
      icon: 'menu',
      permission: 'menu:list',
      roles: [],
      actions: [
        { permission: 'menu:create', name: '新建菜单', roles: [] },
        { permission: 'menu:update', name: '修改菜单', roles: [] },
        { permission: 'menu:remove', name: '删除菜单', roles: [] },
      ],
    },
  ],
});
