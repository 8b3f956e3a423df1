import { pathTo } from './router.tsx';

/** `site` leads to the pages with header and footer, `bare` to those without. */
export type Variant = 'site' | 'bare';

const essayPaths = { site: '/essay/detail/:id.html', bare: '/essay/mdetail/:id.html' } as const;
const homePaths = { site: '/user/home/:id.html', bare: '/user/mhome/:id.html' } as const;

export const essayPath = (id: string, variant: Variant = 'site') =>
  pathTo({ to: essayPaths[variant], params: { id } });

export const authorPath = (id: string, variant: Variant = 'site', search?: Record<string, string>) =>
  pathTo({ to: homePaths[variant], params: { id }, search });

export const tagPath = (tag: string) => pathTo({ to: '/home', search: { tag } });
