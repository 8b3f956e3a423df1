import { defineModule } from '../../../module.ts';
import { jobs } from './jobs.ts';
import { routes as announcementsRoutes } from './routes/announcements.ts';
import { routes as friendLinksRoutes } from './routes/friend-links.ts';
import { routes as navigationRoutes } from './routes/navigation.ts';
import { routes as pagesRoutes } from './routes/pages.ts';
import { routes as searchEngineRoutes } from './routes/search-engines.ts';
import { routes as siteRoutes } from './routes/site.ts';
import { serveSite } from './serve.ts';

export const site = defineModule({
  routes: [
    ...siteRoutes,
    ...pagesRoutes,
    ...navigationRoutes,
    ...friendLinksRoutes,
    ...announcementsRoutes,
    ...searchEngineRoutes,
  ],
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
      group: 'site',
      position: 1,
      path: '/page',
      name: '页面',
      icon: 'page',
      permission: 'page:list',
      roles: ['operator'],
      actions: [
        { permission: 'page:create', name: '新建页面', roles: ['operator'] },
        { permission: 'page:update', name: '修改页面', roles: ['operator'] },
        { permission: 'page:remove', name: '删除页面', roles: ['operator'] },
      ],
    },
    {
      group: 'site',
      position: 2,
      path: '/navigation',
      name: '导航',
      icon: 'navigation',
      permission: 'nav:list',
      roles: ['operator'],
      actions: [{ permission: 'nav:update', name: '修改导航', roles: ['operator'] }],
    },
    {
      group: 'site',
      position: 3,
      path: '/friend-link',
      name: '友情链接',
      icon: 'link',
      permission: 'friend-link:list',
      roles: ['operator'],
      actions: [
        { permission: 'friend-link:create', name: '添加友情链接', roles: ['operator'] },
        { permission: 'friend-link:update', name: '修改友情链接', roles: ['operator'] },
        { permission: 'friend-link:remove', name: '删除友情链接', roles: ['operator'] },
      ],
    },
    {
      group: null,
      position: 1,
      path: '/switch',
      name: '开关',
      icon: 'switch',
      permission: 'switch:list',
      roles: ['operator'],
      actions: [{ permission: 'switch:update', name: '打开或关闭', roles: ['operator'] }],
    },
    {
      group: 'site',
      position: 5,
      path: '/search-engine',
      name: '搜索引擎',
      icon: 'search',
      permission: 'search-engine:list',
      roles: ['operator'],
      actions: [{ permission: 'search-engine:update', name: '修改验证与抓取规则', roles: ['operator'] }],
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
