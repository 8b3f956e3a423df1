import type { ReactNode } from 'react';
import styles from './secondary-text.module.css';

export const SecondaryText = ({ children }: { children: ReactNode }) => (
  <p className={styles.quiet}>{children}</p>
);
