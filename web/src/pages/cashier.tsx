import { CashierSkeleton } from '#web/features/paying/cashier-skeleton.tsx';
import { Head } from '#web/features/site/head.tsx';
import { SkipLink } from '#web/features/site/skip-link.tsx';
import { lazyComponent } from '#web/lib/lazy-component.ts';
import { useSite } from '#web/lib/queries.ts';
import { useHydrated } from '#web/lib/use-hydrated.ts';
import type { PageProps } from '#web/router/navigation.ts';
import { Link } from '#web/router/router.tsx';
import { Alert } from '#web/ui/alert.tsx';
import { Logo } from '#web/ui/logo.tsx';
import { Optional } from '#web/ui/optional.tsx';
import styles from './cashier.module.css';

const Cashier = lazyComponent(() => import('#web/features/paying/cashier.tsx'), 'Cashier');

export function Page({ search }: PageProps<'/cashier.html'>) {
  const { settings } = useSite();
  const isHydrated = useHydrated();
  return (
    <>
      <Head title="演示收银台" description="演示用的付款页面，不会产生真实扣款。" hidden />
      <SkipLink>跳到付款</SkipLink>
      <div className={styles.page}>
        <header>
          <Link to="/home" aria-label={`${settings.title}首页`}>
            <Logo title={settings.title} image={settings.logo} />
          </Link>
        </header>
        <main id="main" tabIndex={-1} className={`card stack gap-5 ${styles.card}`}>
          <h1>演示收银台</h1>
          <Alert tone="warn">演示收银台，不会产生真实扣款。</Alert>
          <noscript>
            <Alert>付款需要启用 JavaScript。</Alert>
          </noscript>
          {/* The order is only in the URL, which the server's HTML does not contain */}
          {isHydrated ? (
            <Optional fallback={<CashierSkeleton />}>
              <Cashier no={search.get('no')} code={search.get('key')} />
            </Optional>
          ) : (
            <CashierSkeleton />
          )}
        </main>
      </div>
    </>
  );
}
