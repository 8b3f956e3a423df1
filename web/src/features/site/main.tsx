import type { MouseEvent, ReactNode } from 'react';
import { useSite } from '#web/lib/queries.ts';
import { Link, useLayout } from '#web/router/router.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import styles from './bare-bar.module.css';
import { SkipLink } from './skip-link.tsx';

/** Goes back in the history, or follows the link to home when there is none. */
function goBack(event: MouseEvent): void {
  if (history.length <= 1) return;
  event.preventDefault();
  history.back();
}

/** A page without the site's frame, with a bar like in an app. */
function BarePage({ children }: { children: ReactNode }) {
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

/** The main element of a page that exists with and without the site's frame. */
export function Main({ children }: { children: ReactNode }) {
  const main = (
    <main id="main" tabIndex={-1} className="wrap">
      {children}
    </main>
  );
  return useLayout() === 'bare' ? <BarePage>{main}</BarePage> : main;
}
