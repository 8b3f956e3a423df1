import type { ReactNode } from 'react';
import styles from './unseen.module.css';

/** Visually hidden, for screen readers. */
export const Unseen = ({ children }: { children: ReactNode }) => (
  <span className={styles.unseen}>{children}</span>
);
