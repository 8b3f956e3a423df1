import type { Layout, PageModule, PageRoute, RedirectRoute, SearchRule } from './lib/navigation.ts';

interface PageOptions {
  layout?: Layout;
  search?: SearchRule;
}

const page = <const Path extends string>(
  path: Path,
  file: string,
  load: () => Promise<PageModule<Path>>,
  { layout = 'site', search = {} }: PageOptions = {},
): PageRoute<Path> => ({ path, file, page: load, layout, search });

const redirect = <const Path extends string>(path: Path, to: string): RedirectRoute<Path> => ({
  path,
  redirect: to,
});

/** Every address of the reader's site. */
export const routes = [
  redirect('/', '/home'),
  redirect('/index.html', '/home'),
  page('/home', 'src/pages/home.tsx', () => import('./pages/home.tsx')),
  page('/login.html', 'src/pages/login.tsx', () => import('./pages/login.tsx'), {
    layout: 'bare',
    search: { mode: ['register', 'reset'] },
  }),
];

export type Path = (typeof routes)[number]['path'];
