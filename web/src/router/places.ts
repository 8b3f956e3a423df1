import type { Layout } from './navigation.ts';
import { pathTo, useLayout, useRouter } from './router.tsx';

const essayPaths = { site: '/essay/detail/:id.html', bare: '/essay/mdetail/:id.html' } as const;
const personPaths = { site: '/user/home/:id.html', bare: '/user/mhome/:id.html' } as const;

export const essayPath = (id: string, layout: Layout = 'site') =>
  pathTo({ to: essayPaths[layout], params: { id } });

export const personPath = (
  id: string,
  search?: Record<string, string | undefined>,
  layout: Layout = 'site',
) => pathTo({ to: personPaths[layout], params: { id }, search });

const tagPath = (tag: string) => pathTo({ to: '/home', search: { tag } });

/** Links, base path included, to pages in the layout of the current one: readers without the frame stay without it. */
export function usePlaces() {
  const { href } = useRouter();
  const layout = useLayout();
  return {
    essayHref: (id: string) => href(essayPath(id, layout)),
    personHref: (id: string, search?: Record<string, string | undefined>) =>
      href(personPath(id, search, layout)),
    tagHref: (tag: string) => href(tagPath(tag)),
  };
}
