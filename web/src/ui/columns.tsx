import type { ReactNode } from 'react';
import styles from './columns.module.css';

interface ColumnsProps {
  children: ReactNode;
  side: ReactNode;
  /** Set when the main column starts with tabs. */
  tabbed?: boolean;
}

/** Main content with a side column, which moves below it on narrow screens. */
export const Columns = ({ children, side, tabbed = false }: ColumnsProps) => (
  <div className={styles.columns}>
    <div>{children}</div>
    <aside className={tabbed ? `${styles.side} ${styles.lower}` : styles.side} aria-label="发现">
      {side}
    </aside>
  </div>
);
