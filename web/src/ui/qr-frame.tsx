import type { ReactNode } from 'react';
import styles from './qr-frame.module.css';

/** White paper for a code, which is fetched later. */
export const QrFrame = ({ large = false, children }: { large?: boolean; children: ReactNode }) => (
  <div className={large ? `${styles.frame} ${styles.large}` : styles.frame}>{children}</div>
);
