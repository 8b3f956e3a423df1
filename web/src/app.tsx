import { readUser, syncWithOtherTabs } from '@mozhan/client/session.ts';
import { createClient, type Transport } from '@mozhan/contract/client.ts';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { SiteLayout } from './features/site/layout.tsx';
import { BackgroundServices } from './features/site/lazy-member-parts.ts';
import { Guard } from './guard.tsx';
import { AppContext, type AppContextValue, useApi } from './lib/app-context.ts';
import { lazyComponent } from './lib/lazy-component.ts';
import { createQueryClient, SiteContext, siteQuery, useMaybeSite, useQueryData } from './lib/queries.ts';
import { useCurrentUser } from './lib/session.ts';
import { syncTheme } from './lib/theme.ts';
import { useHydrated } from './lib/use-hydrated.ts';
import { FailedPage } from './pages/failed.tsx';
import { NotFoundPage } from './pages/not-found.tsx';
import { createRouter, type Router } from './router/navigation.ts';
import { Outlet, RouterProvider, useIsNavigating, useRouter, useView } from './router/router.tsx';
import { match } from './router/routes.ts';
import { ErrorBoundary } from './ui/error-boundary.tsx';
import { Optional } from './ui/optional.tsx';
import { ProgressBar } from './ui/progress-bar.tsx';
import { Toasts } from './ui/toast.tsx';

const OfflineStatus = lazyComponent(() => import('./features/site/offline.tsx'), 'OfflineStatus');

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
  /** Defaults to the base path. */
  filesUrl?: string | undefined;
}

/** Called once per rendered page on the server and once per tab in the browser. */
export function createApp({ side, transport, basePath, siteUrl, filesUrl = basePath }: AppOptions): AppParts {
  const api = createClient(transport);
  const queryClient = createQueryClient(side);
  const router = createRouter({
    match,
    context: { api, queryClient },
    basePath,
    loadLayoutData: () => queryClient.ensureQueryData(siteQuery(api)),
  });
  return { context: { api, basePath, siteUrl, filesUrl }, queryClient, router };
}

/** Reads the site from the query cache once, because many components of a page need it. */
function SiteProvider({ children }: { children: ReactNode }) {
  const data = useQueryData({ ...siteQuery(useApi()), enabled: false });
  return <SiteContext value={data}>{children}</SiteContext>;
}

function Page() {
  const view = useView();
  const hasSite = useMaybeSite() !== undefined;
  const outlet = (
    <ErrorBoundary resetKey={view} fallback={<FailedPage />}>
      <Guard view={view}>
        <Outlet NotFound={NotFoundPage} Failed={FailedPage} />
      </Guard>
    </ErrorBoundary>
  );
  // The site layout needs the settings; without them only the error page can be rendered.
  if (view.layout === 'bare' || !hasSite) return outlet;
  return <SiteLayout>{outlet}</SiteLayout>;
}

/** The server resolves pages as a visitor; a signed-in user may have access to a page that it could not find. */
function retryNotFoundWhenSignedIn(router: Router): void {
  const { status, url } = router.view();
  if (status === 404 && readUser() !== null && router.hasRoute(url))
    void router.navigate(url, { replace: true, keepScroll: true });
}

function useBrowserSetup(): void {
  const router = useRouter();
  useEffect(() => router.start(), [router]);
  useEffect(() => retryNotFoundWhenSignedIn(router), [router]);
  useEffect(syncTheme, []);
  useEffect(syncWithOtherTabs, []);
}

function Shell() {
  const signedIn = useCurrentUser() !== null;
  const hydrated = useHydrated();
  const pwa = useMaybeSite()?.settings.pwa === true;
  useBrowserSetup();
  return (
    <>
      <ProgressBar active={useIsNavigating()} />
      <Page />
      {signedIn ? (
        <Optional>
          <BackgroundServices />
        </Optional>
      ) : null}
      {pwa && hydrated ? (
        <Optional>
          <OfflineStatus />
        </Optional>
      ) : null}
      <Toasts />
    </>
  );
}

/** `children`: a fragment to render instead of the full page. */
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
