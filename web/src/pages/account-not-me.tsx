import { Head } from '#web/features/site/head.tsx';
import { SkipLink } from '#web/features/site/skip-link.tsx';
import { NotMe, NotMeWaiting } from '#web/features/users/not-me.tsx';
import type { PageProps } from '#web/lib/navigation.ts';
import { useSite } from '#web/lib/queries.ts';
import { useHydrated } from '#web/lib/use-hydrated.ts';
import { Link } from '#web/router.tsx';
import { Logo } from '#web/ui/logo.tsx';
import { Notice } from '#web/ui/notice.tsx';
import styles from './account-not-me.module.css';

/** Where the link of a mail about a changed account leads. Opening it changes nothing: programs open links as well. */
export function Page({ search }: PageProps<'/account/not-me.html'>) {
  const { settings } = useSite();
  const isHydrated = useHydrated();
  return (
    <>
      <Head title="这不是我本人操作" description="撤销不是本人做的账号变更。" hidden />
      <SkipLink>跳到正文</SkipLink>
      <div className={styles.page}>
        <header>
          <Link to="/home" aria-label={`${settings.title}首页`}>
            <Logo title={settings.title} image={settings.logo} />
          </Link>
        </header>
        <main id="main" tabIndex={-1} className={styles.card}>
          <noscript>
            <Notice>撤销需要浏览器运行本站的脚本。</Notice>
          </noscript>
          {/* The secret stands behind the #, which browsers send to no server */}
          {isHydrated ? (
            <NotMe token={location.hash.slice(1)} id={search.get('id') ?? ''} />
          ) : (
            <NotMeWaiting />
          )}
        </main>
      </div>
    </>
  );
}
