import { defineModule } from '../../../module.ts';
import { routes } from './routes.ts';

export const sensitiveWords = defineModule({
  routes,
  menu: [
    {
      group: 'content',
      position: 7,
      path: '/word',
      name: '敏感词',
      icon: 'stop',
      permission: 'word:list',
      roles: ['auditor', 'operator'],
      actions: [
        { permission: 'word:create', name: '添加敏感词', roles: ['operator'] },
        { permission: 'word:update', name: '修改敏感词', roles: ['operator'] },
        { permission: 'word:remove', name: '删除敏感词', roles: ['operator'] },
      ],
    },
  ],
});
