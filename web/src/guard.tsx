import { type ReactNode, Suspense, useEffect } from 'react';
import { Head } from './features/site/head.tsx';
import { lazyPart } from './lib/lazy-part.ts';
import { useCurrentUser } from './lib/session.ts';
import { useHydrated } from './lib/use-hydrated.ts';
import { isDenied, isGuarded, signInPath } from './router/access.ts';
import { usePageHeld } from './router/held-page.ts';
import type { View } from './router/navigation.ts';
import { useRouter } from './router/router.tsx';
import { PageSkeleton } from './ui/page-skeleton.tsx';

const Forbidden = lazyPart(() => import('./pages/forbidden.tsx'), 'Forbidden');

function SignInFirst({ title }: { title: string | undefined }) {
  const router = useRouter();
  useEffect(() => {
    void router.navigate(signInPath(router.view().url), { replace: true });
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
  if (!isGuarded(view.path)) return children;
  if (!hydrated) return <Shell title={view.title} />;
  if (held || !isDenied(view.path, user)) return children;
  if (user === null) return <SignInFirst title={view.title} />;
  return (
    <Suspense fallback={<PageSkeleton />}>
      <Forbidden />
    </Suspense>
  );
}
