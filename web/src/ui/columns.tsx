import type { ReactNode } from 'react';
import styles from './columns.module.css';

interface ColumnsProps {
  children: ReactNode;
  side: ReactNode;
  /** The main column begins with tabs. */
  tabbed?: boolean;
}

/** What a page is about, and what else there is to find; one below the other where there is no room. */
export const Columns = ({ children, side, tabbed = false }: ColumnsProps) => (
  <div className={styles.columns}>
    <div>{children}</div>
    <aside className={tabbed ? `${styles.side} ${styles.lower}` : styles.side} aria-label="发现">
      {side}
    </aside>
  </div>
);
