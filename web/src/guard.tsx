import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import { Head } from './features/site/head.tsx';
import { type Marked, markAccess, rulesFor } from './lib/access.ts';
import { usePageHeld } from './lib/held-page.ts';
import type { View } from './lib/navigation.ts';
import { useCurrentUser } from './lib/session.ts';
import { useHydrated } from './lib/use-hydrated.ts';
import { pathTo, useRouter } from './router.tsx';
import { routes } from './routes.ts';
import { PageSkeleton } from './ui/page-skeleton.tsx';

const Forbidden = lazy(() =>
  import('./pages/forbidden.tsx').then((module) => ({ default: module.Forbidden })),
);

interface Node {
  path?: string;
  access?: string;
  children?: readonly Node[];
}

/** Paths of the table that these rules deny. */
function deniedPaths(user: Parameters<typeof rulesFor>[0]): Set<string> {
  const collect = ({ path, denied, children }: Marked<Node>): string[] => [
    ...(denied && path !== undefined ? [path] : []),
    ...children.flatMap(collect),
  ];
  return new Set(markAccess<Node>(routes, rulesFor(user)).flatMap(collect));
}

/** Everything that has an access key at all. */
const guardedPaths = deniedPaths(null);

function SignInFirst({ title }: { title: string | undefined }) {
  const router = useRouter();
  useEffect(() => {
    const redirect = router.view().url;
    void router.navigate(pathTo({ to: '/login.html', search: { redirect } }), { replace: true });
  }, [router]);
  return <Shell title={title} />;
}

const Shell = ({ title }: { title: string | undefined }) => (
  <>
    <Head title={title ?? ''} hidden />
    <PageSkeleton />
  </>
);

/**
 * The server does not know its reader: for a page with an access key it renders a neutral shell, and the rule runs
 * here.
 */
export function Guard({ view, children }: { view: View; children: ReactNode }) {
  const user = useCurrentUser();
  const hydrated = useHydrated();
  const held = usePageHeld();
  if (view.path === undefined || !guardedPaths.has(view.path)) return children;
  if (!hydrated) return <Shell title={view.title} />;
  if (held || !deniedPaths(user).has(view.path)) return children;
  if (user === null) return <SignInFirst title={view.title} />;
  return (
    <Suspense fallback={<PageSkeleton />}>
      <Forbidden />
    </Suspense>
  );
}
