import { infoPages } from './lib/info-pages.ts';
import { createMatcher } from './lib/match.ts';
import type { AnyRoute, Layout, PageModule, PageRoute, RedirectRoute, RouteGroup } from './lib/navigation.ts';
import type { Still } from './lib/still-page.ts';

interface PageOptions {
  layout?: Layout;
  still?: Still;
}

const page = <const Path extends string>(
  path: Path,
  file: string,
  load: () => Promise<PageModule<Path>>,
  { layout = 'site', still }: PageOptions = {},
): PageRoute<Path> => ({ path, file, page: load, layout, still });

const redirect = <const Path extends string>(path: Path, to: string): RedirectRoute<Path> => ({
  path,
  redirect: to,
});

const guarded = <Child extends AnyRoute>(access: string, children: readonly Child[]): RouteGroup<Child> => ({
  access,
  children,
});

/** Every address of the reader's site. The first that fits is taken. */
export const routes = [
  redirect('/', '/home'),
  redirect('/index.html', '/home'),
  page('/home', 'src/pages/home.tsx', () => import('./pages/home.tsx'), {
    still: 'untouched',
  }),
  page('/mhome.html', 'src/pages/mhome.tsx', () => import('./pages/mhome.tsx'), {
    layout: 'bare',
    still: 'untouched',
  }),
  page('/login.html', 'src/pages/login.tsx', () => import('./pages/login.tsx'), {
    layout: 'bare',
  }),

  guarded('canWrite', [
    page('/essay/create.html', 'src/pages/essay-create.tsx', () => import('./pages/essay-create.tsx'), {
      layout: 'bare',
    }),
    page('/essay/edit.html', 'src/pages/essay-edit.tsx', () => import('./pages/essay-edit.tsx'), {
      layout: 'bare',
    }),
  ]),
  page('/essay/:slug.html', 'src/pages/essay-list.tsx', () => import('./pages/essay-list.tsx'), {
    still: 'untouched',
  }),
  page('/essay/detail/:id.html', 'src/pages/essay-detail.tsx', () => import('./pages/essay-detail.tsx'), {
    still: 'at-first',
  }),
  page('/essay/mdetail/:id.html', 'src/pages/essay-mdetail.tsx', () => import('./pages/essay-mdetail.tsx'), {
    layout: 'bare',
    still: 'at-first',
  }),

  redirect('/account.html', '/account/center.html'),
  guarded('signedIn', [
    page('/account/center.html', 'src/pages/account-center.tsx', () => import('./pages/account-center.tsx')),
    page(
      '/account/settings.html',
      'src/pages/account-settings.tsx',
      () => import('./pages/account-settings.tsx'),
    ),
  ]),

  redirect('/user.html', '/account/center.html'),
  page('/user/home/:id.html', 'src/pages/user-home.tsx', () => import('./pages/user-home.tsx')),
  page('/user/mhome/:id.html', 'src/pages/user-mhome.tsx', () => import('./pages/user-mhome.tsx'), {
    layout: 'bare',
  }),

  ...infoPages.map(({ path }) => page(path, 'src/pages/info.tsx', () => import('./pages/info.tsx'))),
  page('/cashier.html', 'src/pages/cashier.tsx', () => import('./pages/cashier.tsx'), {
    layout: 'bare',
  }),
  page('/exception', 'src/pages/exception.tsx', () => import('./pages/exception.tsx')),
];

type Leaf<Entry> = Entry extends RouteGroup<infer Child> ? Child : Entry;

/** The routes themselves, out of their groups. */
const leaves = routes.flatMap((route): readonly AnyRoute[] =>
  'children' in route ? route.children : [route],
);

export const match = createMatcher(leaves);

export type Path = Leaf<(typeof routes)[number]>['path'];
