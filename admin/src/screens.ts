import type { Permission } from '@mozhan/contract/client.ts';
import { type ComponentType, lazy } from 'react';
import type { ScreenPath } from './screen-paths.ts';

interface ScreenModule {
  Page: ComponentType;
}

interface ScreenEntry {
  Page: ComponentType;
  /** Any of them opens the screen; none: everyone of the staff. */
  permissions: readonly Permission[];
}

const screen = (load: () => Promise<ScreenModule>, ...permissions: Permission[]): ScreenEntry => ({
  Page: lazy(() => load().then(({ Page }) => ({ default: Page }))),
  permissions,
});

/** Each is fetched when it is first opened. */
export const screens: Record<ScreenPath, ScreenEntry> = {
  '/': screen(() => import('./screens/dashboard.tsx')),
  '/account': screen(() => import('./screens/account.tsx'), 'account:list'),
  '/announcement': screen(() => import('./screens/announcement.tsx'), 'announcement:list'),
  '/apply': screen(() => import('./screens/apply.tsx'), 'apply:list'),
  '/audit': screen(() => import('./screens/audit.tsx'), 'essay:audit'),
  '/backup': screen(() => import('./screens/backup.tsx'), 'backup:list'),
  '/category': screen(
    () => import('./screens/category.tsx'),
    'category:create',
    'category:update',
    'category:remove',
  ),
  '/column': screen(() => import('./screens/column.tsx'), 'column:list'),
  '/comment': screen(() => import('./screens/comment.tsx'), 'comment:list'),
  '/cover': screen(() => import('./screens/cover.tsx'), 'cover:list'),
  '/dict': screen(() => import('./screens/dict.tsx'), 'dict:list'),
  '/essay': screen(() => import('./screens/essay.tsx'), 'essay:list'),
  '/finance': screen(() => import('./screens/finance.tsx'), 'finance:list'),
  '/health': screen(() => import('./screens/health.tsx'), 'health:list'),
  '/job': screen(() => import('./screens/job.tsx'), 'job:list'),
  '/ledger': screen(() => import('./screens/ledger.tsx'), 'ledger:list'),
  '/log': screen(() => import('./screens/log.tsx'), 'log:list'),
  '/member': screen(
    () => import('./screens/member.tsx'),
    'member:list',
    'plan:create',
    'plan:update',
    'plan:remove',
  ),
  '/menu': screen(() => import('./screens/menu.tsx'), 'menu:list'),
  '/order': screen(() => import('./screens/order.tsx'), 'order:list'),
  '/page': screen(() => import('./screens/page.tsx'), 'page:list'),
  '/price': screen(() => import('./screens/price.tsx'), 'price:create', 'price:update', 'price:remove'),
  '/report': screen(() => import('./screens/report.tsx'), 'report:list'),
  '/role': screen(() => import('./screens/role.tsx'), 'role:list'),
  '/session': screen(() => import('./screens/session.tsx'), 'session:list'),
  '/setting': screen(() => import('./screens/setting.tsx'), 'setting:list'),
  '/star': screen(() => import('./screens/star.tsx'), 'star:update'),
  '/tag': screen(() => import('./screens/tag.tsx'), 'tag:list'),
  '/transfer': screen(() => import('./screens/transfer.tsx'), 'transfer:list'),
  '/user': screen(() => import('./screens/user.tsx'), 'user:list'),
  '/webhook': screen(() => import('./screens/webhook.tsx'), 'webhook:list'),
  '/withdraw': screen(() => import('./screens/withdraw.tsx'), 'withdraw:list'),
  '/word': screen(() => import('./screens/word.tsx'), 'word:list'),
};
