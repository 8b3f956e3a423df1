import type { ReactNode } from 'react';
import styles from './chip.module.css';

interface ChipProps {
  /** Base path included. */
  href?: string;
  children: ReactNode;
}

export const Chip = ({ href, children }: ChipProps) =>
  href === undefined ? (
    <span className={styles.chip}>{children}</span>
  ) : (
    <a className={`${styles.chip} ${styles.link}`} href={href}>
      {children}
    </a>
  );
