import { defineModule } from '../../../module.ts';
import { jobs } from './jobs.ts';
import { routes as announcementsRoutes } from './routes/announcements.ts';
import { routes as siteRoutes } from './routes/site.ts';
import { serveSite } from './serve.ts';

export const site = defineModule({
  routes: [...siteRoutes, ...announcementsRoutes],
  serve: serveSite,
  jobs,
  menu: [
    {
      group: 'content',
      position: 6,
      path: '/announcement',
      name: '公告',
      icon: 'notice',
      permission: 'announcement:list',
      roles: ['operator'],
      actions: [
        { permission: 'announcement:create', name: '发布公告', roles: ['operator'] },
        { permission: 'announcement:update', name: '修改公告', roles: ['operator'] },
        { permission: 'announcement:remove', name: '删除公告', roles: ['operator'] },
      ],
    },
    {
      group: 'content',
      position: 10,
      path: '/page',
      name: '说明页面',
      icon: 'page',
      permission: 'page:list',
      roles: ['operator'],
      actions: [{ permission: 'page:update', name: '修改说明页面', roles: ['operator'] }],
    },
    {
      group: 'system',
      position: 5,
      path: '/setting',
      name: '站点设置',
      icon: 'setting',
      permission: 'setting:list',
      roles: ['operator'],
      actions: [{ permission: 'setting:update', name: '修改站点设置', roles: [] }],
    },
  ],
});
