import {
  type AnchorHTMLAttributes,
  type ComponentType,
  createContext,
  memo,
  type ReactNode,
  type Ref,
  Suspense,
  use,
  useLayoutEffect,
  useSyncExternalStore,
} from 'react';
import { fillPath, type Target } from './match.ts';
import type { Layout, Router, View } from './navigation.ts';
import type { Path } from './routes.ts';

const RouterContext = createContext<Router | null>(null);

export function RouterProvider({ router, children }: { router: Router; children: ReactNode }) {
  return <RouterContext value={router}>{children}</RouterContext>;
}

export function useRouter(): Router {
  const router = use(RouterContext);
  if (router === null) throw new Error('outside of the router');
  return router;
}

export function useView(): View {
  const { subscribe, view } = useRouter();
  return useSyncExternalStore(subscribe, view, view);
}

export function useLayout(): Layout {
  const { subscribe, view } = useRouter();
  const layout = () => view().layout;
  return useSyncExternalStore(subscribe, layout, layout);
}

/** The next page is on its way. */
export function usePending(): boolean {
  const { subscribe, pending } = useRouter();
  return useSyncExternalStore(subscribe, pending, () => false);
}

// Effects do not run on the server, and a layout effect there only warns.
const useAfterCommit = typeof document === 'undefined' ? () => {} : useLayoutEffect;

interface OutletProps {
  NotFound: ComponentType<{ gone: boolean }>;
  Failed: ComponentType;
}

/** In the same step as React takes over: whoever leaves right after it must already know. */
function WhenThere({ run }: { run: () => void }) {
  useAfterCommit(run, [run]);
  return null;
}

/**
 * The page of the current address. A change of search parameters alone keeps its state; one whose code is still to
 * come stays as the server rendered it, as long as nothing but another view touches it.
 */
const Shown = memo(function Shown({ view }: { view: View }) {
  const { Page, still, takenOver, url, path = '', params, search } = view;
  if (Page === undefined) return null;
  const page = <Page key={url.replace(/\?.*/, '')} path={path} params={params} search={search} />;
  if (still === undefined) return page;
  return (
    <Suspense>
      {page}
      {takenOver ? <WhenThere run={takenOver} /> : null}
    </Suspense>
  );
});

export function Outlet({ NotFound, Failed }: OutletProps) {
  const router = useRouter();
  const view = useView();
  useAfterCommit(() => router.committed(), [router, view]);
  if (view.status === 404 || view.status === 410) return <NotFound gone={view.status === 410} />;
  return view.Page === undefined ? <Failed /> : <Shown view={view} />;
}

type AnyTarget = { [P in Path]: Target<P> }[Path];

type LinkProps = AnyTarget & {
  search?: Record<string, string | undefined>;
  hash?: string;
  ref?: Ref<HTMLAnchorElement>;
} & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'>;

function toQuery(search: Record<string, string | undefined>): string {
  const given = Object.entries(search).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return new URLSearchParams(given).toString();
}

/** A path of this site with its parameters and search, base path not included. */
export function pathTo({ to, params, search, hash }: AnyTarget & Pick<LinkProps, 'search' | 'hash'>): string {
  const query = search === undefined ? '' : toQuery(search);
  return fillPath(to, params) + (query && `?${query}`) + (hash ? `#${hash}` : '');
}

/** A plain anchor: clicks are taken up by one listener for the whole document. */
export function Link({ to, params, search, hash, ...rest }: LinkProps) {
  const { href } = useRouter();
  return <a {...rest} href={href(pathTo({ to, params, search, hash } as AnyTarget))} />;
}

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
