import { CashierWaiting } from '#web/features/paying/cashier-waiting.tsx';
import { Head } from '#web/features/site/head.tsx';
import { SkipLink } from '#web/features/site/skip-link.tsx';
import { lazyPart } from '#web/lib/lazy-part.ts';
import { useSite } from '#web/lib/queries.ts';
import { useHydrated } from '#web/lib/use-hydrated.ts';
import type { PageProps } from '#web/router/navigation.ts';
import { Link } from '#web/router/router.tsx';
import { Logo } from '#web/ui/logo.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Optional } from '#web/ui/optional.tsx';
import styles from './cashier.module.css';

const Cashier = lazyPart(() => import('#web/features/paying/cashier.tsx'), 'Cashier');

/** Where the sandbox leads to be paid, as others lead to their own pages. */
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
          <Notice tone="warn">演示收银台，不会产生真实扣款。</Notice>
          <noscript>
            <Notice>付款需要浏览器运行本站的脚本。</Notice>
          </noscript>
          {/* Which order it is stands in the address alone, of which the server's page knows nothing */}
          {isHydrated ? (
            <Optional fallback={<CashierWaiting />}>
              <Cashier no={search.get('no')} code={search.get('key')} />
            </Optional>
          ) : (
            <CashierWaiting />
          )}
        </main>
      </div>
    </>
  );
}
