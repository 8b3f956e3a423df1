import { followOtherTabs, readUser } from '@mozhan/client/session.ts';
import { createClient, type Transport } from '@mozhan/contract/client.ts';
import { type QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { SiteLayout } from './features/site/layout.tsx';
import { Guard } from './guard.tsx';
import { AppContext, type AppContextValue, useApi } from './lib/app-context.ts';
import { lazyPart } from './lib/lazy-part.ts';
import { createQueryClient, SiteContext, siteQuery, useMaybeSite } from './lib/queries.ts';
import { useCurrentUser } from './lib/session.ts';
import { followTheme } from './lib/theme.ts';
import { useHydrated } from './lib/use-hydrated.ts';
import { Failed } from './pages/failed.tsx';
import { NotFound } from './pages/not-found.tsx';
import { createRouter, type Router } from './router/navigation.ts';
import { Outlet, RouterProvider, usePending, useRouter, useView } from './router/router.tsx';
import { match } from './router/routes.ts';
import { ErrorBoundary } from './ui/error-boundary.tsx';
import { Optional } from './ui/optional.tsx';
import { ProgressBar } from './ui/progress-bar.tsx';
import { Toasts } from './ui/toast.tsx';

const Keepers = lazyPart(() => import('./features/site/keepers.tsx'), 'Keepers');

const Offline = lazyPart(() => import('./features/site/offline.tsx'), 'Offline');

export interface AppParts {
  context: AppContextValue;
  queryClient: QueryClient;
  router: Router;
}

interface AppProps {
  app: AppParts;
  children?: ReactNode;
}

export interface AppOptions {
  side: 'server' | 'browser';
  transport: Transport;
  basePath: string;
  siteUrl: string;
  /** Unless it is the base path. */
  filesUrl?: string | undefined;
}

/** One for each page on the server, one for each tab in the browser. */
export function createApp({ side, transport, basePath, siteUrl, filesUrl = basePath }: AppOptions): AppParts {
  const api = createClient(transport);
  const queryClient = createQueryClient(side);
  const router = createRouter({
    match,
    context: { api, queryClient },
    basePath,
    prepare: () => queryClient.ensureQueryData(siteQuery(api)),
  });
  return { context: { api, basePath, siteUrl, filesUrl }, queryClient, router };
}

/** Many parts of a page ask for the site: the cache is asked once for all of them. */
function SiteProvider({ children }: { children: ReactNode }) {
  const { data } = useQuery({ ...siteQuery(useApi()), enabled: false });
  return <SiteContext value={data}>{children}</SiteContext>;
}

function Page() {
  const view = useView();
  const hasSite = useMaybeSite() !== undefined;
  const outlet = (
    <ErrorBoundary resetBy={view} fallback={<Failed />}>
      <Guard view={view}>
        <Outlet NotFound={NotFound} Failed={Failed} />
      </Guard>
    </ErrorBoundary>
  );
  // Without the site's own settings nothing but the bare failure can be shown.
  if (view.layout === 'bare' || !hasSite) return outlet;
  return <SiteLayout>{outlet}</SiteLayout>;
}

/** What is not there for a visitor may be there for its owner: whoever is signed in asks once more. */
function seeAsOneself(router: Router): void {
  const { status, url } = router.view();
  if (status === 404 && readUser() !== null && router.knows(url))
    void router.navigate(url, { replace: true, keep: true });
}

/** What only a browser does, once the page is taken over. */
function useBrowser(): void {
  const router = useRouter();
  useEffect(() => router.start(), [router]);
  useEffect(() => seeAsOneself(router), [router]);
  useEffect(followTheme, []);
  useEffect(followOtherTabs, []);
}

function Shell() {
  const signedIn = useCurrentUser() !== null;
  const hydrated = useHydrated();
  const pwa = useMaybeSite()?.settings.pwa === true;
  useBrowser();
  return (
    <>
      <ProgressBar active={usePending()} />
      <Page />
      {signedIn ? (
        <Optional>
          <Keepers />
        </Optional>
      ) : null}
      {pwa && hydrated ? (
        <Optional>
          <Offline />
        </Optional>
      ) : null}
      <Toasts />
    </>
  );
}

/** `children`: a fragment that is rendered separately, instead of the whole page. */
export function App({ app: { context, queryClient, router }, children = <Shell /> }: AppProps) {
  return (
    <QueryClientProvider client={queryClient}>
      <AppContext value={context}>
        <RouterProvider router={router}>
          <SiteProvider>{children}</SiteProvider>
        </RouterProvider>
      </AppContext>
    </QueryClientProvider>
  );
}
