import type { ReactNode } from 'react';
import { useSite } from '#web/lib/queries.ts';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import styles from './layout.module.css';
import { MainNavigation } from './main-navigation.tsx';
import { SkipLink } from './skip-link.tsx';

/** Header and footer around a page, which renders its own `<main id="main">`. */
export function SiteLayout({ children }: { children: ReactNode }) {
  const { layout, navTheme } = useSite().settings;
  return (
    <div className={styles.layout}>
      <SkipLink>跳到正文</SkipLink>
      <Header />
      <div className={styles.body}>
        {layout === 'mix' ? (
          <div className={styles.sidebar} data-theme={navTheme === 'dark' ? 'dark' : undefined}>
            <div className={styles.inside}>
              <MainNavigation />
            </div>
          </div>
        ) : null}
        <div className={styles.content}>
          {children}
          <Footer />
        </div>
      </div>
    </div>
  );
}
