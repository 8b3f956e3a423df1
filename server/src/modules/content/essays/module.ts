import { defineModule } from '../../../module.ts';
import { erase } from './actions/erase.ts';
import { jobs, longJobs, schedule } from './jobs.ts';
import { routes as collectionsRoutes } from './routes/collections.ts';
import { routes as columnsRoutes } from './routes/columns.ts';
import { routes as essaysRoutes } from './routes/essays.ts';
import { routes as highlightsRoutes } from './routes/highlights.ts';
import { routes as likesRoutes } from './routes/likes.ts';
import { routes as ownEssaysRoutes } from './routes/own-essays.ts';
import { routes as readerHomeRoutes } from './routes/reader-home.ts';
import { routes as reindexRoutes } from './routes/reindex.ts';
import { serveDrawings } from './serve.ts';

export const essays = defineModule({
  routes: [
    ...essaysRoutes,
    ...columnsRoutes,
    ...collectionsRoutes,
    ...highlightsRoutes,
    ...likesRoutes,
    ...ownEssaysRoutes,
    ...readerHomeRoutes,
    ...reindexRoutes,
  ],
  jobs,
  longJobs,
  schedule,
  serve: serveDrawings,
  eraseUser: erase,
  menu: [
    {
      group: 'content',
      position: 0,
      path: '/audit',
      name: '文章审核',
      icon: 'audit',
      permission: 'essay:audit',
      roles: ['auditor'],
    },
    {
      group: 'content',
      position: 1,
      path: '/essay',
      name: '文章',
      icon: 'file',
      permission: 'essay:list',
      roles: ['auditor', 'operator'],
      actions: [
        { permission: 'essay:update', name: '上架与下架文章', roles: ['operator'] },
        { permission: 'essay:edit', name: '代作者写文章', roles: ['operator'] },
        { permission: 'essay:bulk', name: '批量修改文章', roles: ['operator'] },
        { permission: 'essay:remove', name: '删除文章', roles: ['operator'] },
        { permission: 'essay:pin', name: '首页置顶文章', roles: ['operator'] },
      ],
    },
    {
      group: 'content',
      position: 2,
      path: '/column',
      name: '专栏',
      icon: 'book',
      permission: 'column:list',
      roles: ['operator'],
      actions: [
        { permission: 'column:create', name: '代作者建专栏', roles: ['operator'] },
        { permission: 'column:update', name: '修改专栏', roles: ['operator'] },
        { permission: 'column:remove', name: '删除专栏', roles: ['operator'] },
      ],
    },
    {
      group: 'content',
      position: 9,
      path: '/tag',
      name: '标签',
      icon: 'tags',
      permission: 'tag:list',
      roles: ['operator'],
      actions: [
        { permission: 'tag:update', name: '改名与合并标签', roles: ['operator'] },
        { permission: 'tag:remove', name: '删除标签', roles: ['operator'] },
      ],
    },
  ],
});
