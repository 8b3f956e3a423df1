import { infoPages } from '#web/lib/info-pages.ts';
import { createMatcher } from './match.ts';
import type { AnyRoute, Layout, PageModule, PageRoute, RedirectRoute, RouteGroup } from './navigation.ts';
import type { StaticMode } from './static-page.ts';

interface PageOptions {
  layout?: Layout;
  staticMode?: StaticMode;
}

const page = <const Path extends string>(
  path: Path,
  file: string,
  load: () => Promise<PageModule<NoInfer<Path>>>,
  { layout = 'site', staticMode }: PageOptions = {},
): PageRoute<Path> => ({ path, file, page: load, layout, staticMode });

const redirect = <const Path extends string>(path: Path, to: string): RedirectRoute<Path> => ({
  path,
  redirect: to,
});

const guarded = <Child extends AnyRoute>(access: string, children: readonly Child[]): RouteGroup<Child> => ({
  access,
  children,
});

/** All routes of the reader site. */
export const routes = [
  redirect('/', '/home'),
  redirect('/index.html', '/home'),
  page('/home', 'src/pages/home.tsx', () => import('#web/pages/home.tsx'), {
    staticMode: 'untouched',
  }),
  page('/mhome.html', 'src/pages/mhome.tsx', () => import('#web/pages/mhome.tsx'), {
    layout: 'bare',
    staticMode: 'untouched',
  }),
  page('/login.html', 'src/pages/login.tsx', () => import('#web/pages/login.tsx'), {
    layout: 'bare',
  }),

  guarded('canWrite', [
    page('/essay/create.html', 'src/pages/essay-create.tsx', () => import('#web/pages/essay-create.tsx'), {
      layout: 'bare',
    }),
  ]),
  guarded('canEdit', [
    page('/essay/edit.html', 'src/pages/essay-edit.tsx', () => import('#web/pages/essay-edit.tsx'), {
      layout: 'bare',
    }),
  ]),
  page('/essay/:slug.html', 'src/pages/essay-list.tsx', () => import('#web/pages/essay-list.tsx'), {
    staticMode: 'untouched',
  }),
  page('/essay/detail/:id.html', 'src/pages/essay-detail.tsx', () => import('#web/pages/essay-detail.tsx'), {
    staticMode: 'at-first',
  }),
  page('/essay/mdetail/:id.html', 'src/pages/essay-detail.tsx', () => import('#web/pages/essay-detail.tsx'), {
    layout: 'bare',
    staticMode: 'at-first',
  }),

  page('/column/:id.html', 'src/pages/column.tsx', () => import('#web/pages/column.tsx'), {
    staticMode: 'untouched',
  }),
  page('/mcolumn/:id.html', 'src/pages/column.tsx', () => import('#web/pages/column.tsx'), {
    layout: 'bare',
    staticMode: 'untouched',
  }),

  redirect('/account.html', '/account/center.html'),
  guarded('signedIn', [
    page(
      '/account/center.html',
      'src/pages/account-center.tsx',
      () => import('#web/pages/account-center.tsx'),
    ),
    page(
      '/account/settings.html',
      'src/pages/account-settings.tsx',
      () => import('#web/pages/account-settings.tsx'),
    ),
  ]),

  redirect('/user.html', '/account/center.html'),
  page('/user/home/:id.html', 'src/pages/user-home.tsx', () => import('#web/pages/user-home.tsx')),
  page('/user/mhome/:id.html', 'src/pages/user-home.tsx', () => import('#web/pages/user-home.tsx'), {
    layout: 'bare',
  }),

  ...infoPages.map(({ path }) => page(path, 'src/pages/info.tsx', () => import('#web/pages/info.tsx'))),
  page('/page/links.html', 'src/pages/friend-links.tsx', () => import('#web/pages/friend-links.tsx')),
  page('/page/:slug.html', 'src/pages/page.tsx', () => import('#web/pages/page.tsx')),
  page('/cashier.html', 'src/pages/cashier.tsx', () => import('#web/pages/cashier.tsx'), {
    layout: 'bare',
  }),
  page('/exception', 'src/pages/exception.tsx', () => import('#web/pages/exception.tsx')),
];

type FlatRoute<Entry> = Entry extends RouteGroup<infer Child> ? Child : Entry;

const flatRoutes = routes.flatMap((route): readonly AnyRoute[] =>
  'children' in route ? route.children : [route],
);

export const match = createMatcher(flatRoutes);

export type Path = FlatRoute<(typeof routes)[number]>['path'];
