import { defineModule } from '../../../module.ts';
import { keepOldAddress } from './actions/redirects.ts';
import { routes } from './routes.ts';

export const redirects = defineModule({
  routes,
  essayMoved: keepOldAddress,
  menu: [
    {
      group: 'site',
      position: 4,
      path: '/redirect',
      name: '旧网址跳转',
      icon: 'redirect',
      permission: 'redirect:list',
      roles: ['operator'],
      actions: [
        { permission: 'redirect:create', name: '添加与导入跳转', roles: ['operator'] },
        { permission: 'redirect:update', name: '修改跳转', roles: ['operator'] },
        { permission: 'redirect:remove', name: '删除跳转', roles: ['operator'] },
      ],
    },
  ],
});
