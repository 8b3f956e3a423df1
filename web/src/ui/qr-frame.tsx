import type { ReactNode } from 'react';
import styles from './qr-frame.module.css';

/** White background of a QR code, which is loaded later. */
export const QrFrame = ({ large = false, children }: { large?: boolean; children: ReactNode }) => (
  <div className={large ? `${styles.frame} ${styles.large}` : styles.frame}>{children}</div>
);
