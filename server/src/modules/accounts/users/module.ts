import { defineModule } from '../../../module.ts';
import { eraseUserData } from './actions/erase.ts';
import { jobs, schedule } from './jobs.ts';
import { routes as noticesRoutes } from './routes/notices.ts';
import { routes as usersRoutes } from './routes/users.ts';
import { mailSamples } from './views/mails.ts';

export const users = defineModule({
  routes: [...usersRoutes, ...noticesRoutes],
  jobs,
  schedule,
  eraseUser: eraseUserData,
  mailSamples,
  menu: [
    {
      group: 'user',
      position: 0,
      path: '/user',
      name: '用户管理',
      icon: 'user',
      permission: 'user:list',
      roles: ['operator'],
      actions: [{ permission: 'user:update', name: '修改用户', roles: ['operator'] }],
    },
    {
      group: 'system',
      position: 0,
      path: '/account',
      name: '账号',
      icon: 'team',
      permission: 'account:list',
      roles: [],
      actions: [
        { permission: 'account:create', name: '新建账号', roles: [] },
        { permission: 'account:update', name: '修改账号', roles: [] },
        { permission: 'account:remove', name: '删除账号', roles: [] },
      ],
    },
    {
      group: 'system',
      position: 9,
      path: '/session',
      name: '登录设备',
      icon: 'device',
      permission: 'session:list',
      roles: [],
      actions: [{ permission: 'session:remove', name: '结束登录', roles: [] }],
    },
    {
      group: 'system',
      position: 9.5,
      path: '/sign-in',
      name: '登录记录',
      icon: 'signIn',
      permission: 'sign-in:list',
      roles: [],
    },
  ],
});
