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
import { fillPath, type LinkTarget } from './match.ts';
import type { Layout, Router, View } from './navigation.ts';
import type { Path } from './routes.ts';

const RouterContext = createContext<Router | null>(null);

export function RouterProvider({ router, children }: { router: Router; children: ReactNode }) {
  return <RouterContext value={router}>{children}</RouterContext>;
}

export function useRouter(): Router {
  const router = use(RouterContext);
  if (router === null) throw new Error('useRouter must be used inside RouterProvider');
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

/** True while the next page is loading. */
export function useIsNavigating(): boolean {
  const { subscribe, isPending } = useRouter();
  return useSyncExternalStore(subscribe, isPending, () => false);
}

// On the server a layout effect only produces a warning.
const useAfterCommit = typeof document === 'undefined' ? () => {} : useLayoutEffect;

interface OutletProps {
  NotFound: ComponentType<{ gone: boolean }>;
  Failed: ComponentType;
}

/** Runs in the same commit as hydration, so that a navigation right after it already knows. */
function RunAfterCommit({ run }: { run: () => void }) {
  useAfterCommit(run, [run]);
  return null;
}

/**
 * Keyed by path, so that a change of search parameters keeps the page's state. Memoized, because a page whose code is
 * not loaded keeps its server HTML only as long as its props do not change.
 */
const CurrentPage = memo(function CurrentPage({ view }: { view: View }) {
  const { Page, staticMode, onHydrated, url, path = '', params, search } = view;
  if (Page === undefined) return null;
  const page = <Page key={url.replace(/\?.*/, '')} path={path} params={params} search={search} />;
  if (staticMode === undefined) return page;
  return (
    <Suspense>
      {page}
      {onHydrated ? <RunAfterCommit run={onHydrated} /> : null}
    </Suspense>
  );
});

export function Outlet({ NotFound, Failed }: OutletProps) {
  const router = useRouter();
  const view = useView();
  useAfterCommit(() => router.onCommitted(), [router, view]);
  if (view.status === 404 || view.status === 410) return <NotFound gone={view.status === 410} />;
  return view.Page === undefined ? <Failed /> : <CurrentPage view={view} />;
}

type AnyLinkTarget = { [P in Path]: LinkTarget<P> }[Path];

type LinkProps = AnyLinkTarget & {
  search?: Record<string, string | undefined>;
  hash?: string;
  ref?: Ref<HTMLAnchorElement>;
} & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'>;

function toQuery(search: Record<string, string | undefined>): string {
  const entries = Object.entries(search).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return new URLSearchParams(entries).toString();
}

/** Builds a path with parameters, search and fragment, without the base path. */
export function pathTo({
  to,
  params,
  search,
  hash,
}: AnyLinkTarget & Pick<LinkProps, 'search' | 'hash'>): string {
  const query = search === undefined ? '' : toQuery(search);
  return fillPath(to, params) + (query && `?${query}`) + (hash ? `#${hash}` : '');
}

/** A plain anchor: one listener on the document handles all clicks. */
export function Link({ to, params, search, hash, ...rest }: LinkProps) {
  const { href } = useRouter();
  return <a {...rest} href={href(pathTo({ to, params, search, hash } as AnyLinkTarget))} />;
}

const essayPaths = { site: '/essay/detail/:id.html', bare: '/essay/mdetail/:id.html' } as const;
const userPaths = { site: '/user/home/:id.html', bare: '/user/mhome/:id.html' } as const;

const columnPaths = { site: '/column/:id.html', bare: '/mcolumn/:id.html' } as const;

/** What addresses an essay: its slug, or its id if it has none. */
export interface EssayAddress {
  id: string;
  slug?: string | null | undefined;
}

export const essayPath = ({ id, slug }: EssayAddress, layout: Layout = 'site') =>
  pathTo({ to: essayPaths[layout], params: { id: slug ?? id } });

export const userPath = (id: string, search?: Record<string, string | undefined>, layout: Layout = 'site') =>
  pathTo({ to: userPaths[layout], params: { id }, search });

export const columnPath = (
  id: string,
  search?: Record<string, string | undefined>,
  layout: Layout = 'site',
) => pathTo({ to: columnPaths[layout], params: { id }, search });

const tagPath = (tag: string) => pathTo({ to: '/home', search: { tag } });

/** Builds hrefs that keep the current layout, so that readers of the bare layout stay in it. */
export function useHrefs() {
  const { href } = useRouter();
  const layout = useLayout();
  return {
    essayHref: (essay: EssayAddress) => href(essayPath(essay, layout)),
    userHref: (id: string, search?: Record<string, string | undefined>) => href(userPath(id, search, layout)),
    columnHref: (id: string, search?: Record<string, string | undefined>) =>
      href(columnPath(id, search, layout)),
    tagHref: (tag: string) => href(tagPath(tag)),
  };
}
