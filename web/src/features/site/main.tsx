import type { MouseEvent, ReactNode } from 'react';
import { useSite } from '#web/lib/queries.ts';
import { Link, useLayout } from '#web/router/router.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import styles from './bare-bar.module.css';
import { SkipLink } from './skip-link.tsx';

/** Where one came from; home for whoever came from elsewhere. */
function goBack(event: MouseEvent): void {
  if (history.length <= 1) return;
  event.preventDefault();
  history.back();
}

/** A page without the site's frame, under a bar as apps have it. */
function BareBar({ children }: { children: ReactNode }) {
  const { title } = useSite().settings;
  return (
    <div className={styles.page}>
      <SkipLink>跳到正文</SkipLink>
      <header className={`no-print ${styles.bar}`}>
        <Link to="/mhome.html" className={`centred ink-2 ${styles.back}`} aria-label="返回" onClick={goBack}>
          <Icon name="back" />
        </Link>
        <Link to="/mhome.html" className={`centred bold ${styles.site}`}>
          {title}
        </Link>
      </header>
      {children}
    </div>
  );
}

/** The main part of a page that exists with the site's frame and without it, where it stands under a bar as apps have it. */
export function Main({ children }: { children: ReactNode }) {
  const main = (
    <main id="main" tabIndex={-1} className="wrap">
      {children}
    </main>
  );
  return useLayout() === 'bare' ? <BareBar>{main}</BareBar> : main;
}
