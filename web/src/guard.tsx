import { type ReactNode, Suspense, useEffect } from 'react';
import { Head } from './features/site/head.tsx';
import { lazyComponent } from './lib/lazy-component.ts';
import { useCurrentUser } from './lib/session.ts';
import { useHydrated } from './lib/use-hydrated.ts';
import { isDenied, isGuarded, signInPath } from './router/access.ts';
import type { View } from './router/navigation.ts';
import { useIsPagePreserved } from './router/preserved-page.ts';
import { useRouter } from './router/router.tsx';
import { PageSkeleton } from './ui/page-skeleton.tsx';

const ForbiddenPage = lazyComponent(() => import('./pages/forbidden.tsx'), 'ForbiddenPage');

function RedirectToSignIn({ view }: { view: View }) {
  const router = useRouter();
  useEffect(() => {
    void router.navigate(signInPath(router.view().url), { replace: true });
  }, [router]);
  return <Shell view={view} />;
}

const Shell = ({ view: { title = '', Shell: OwnShell, search } }: { view: View }) => (
  <>
    <Head title={title} hidden />
    {OwnShell === undefined ? <PageSkeleton /> : <OwnShell search={search} />}
  </>
);

/** The server does not know the reader: it renders a neutral shell for guarded pages, and access is checked here. */
export function Guard({ view, children }: { view: View; children: ReactNode }) {
  const user = useCurrentUser();
  const hydrated = useHydrated();
  const isPreserved = useIsPagePreserved();
  if (!isGuarded(view.path)) return children;
  if (!hydrated) return <Shell view={view} />;
  if (isPreserved || !isDenied(view.path, user)) return children;
  if (user === null) return <RedirectToSignIn view={view} />;
  return (
    <Suspense fallback={<PageSkeleton />}>
      <ForbiddenPage />
    </Suspense>
  );
}
