import type { ReactNode } from 'react';
import styles from './badge.module.css';

export type Tone = 'plain' | 'paid' | 'member' | 'ok' | 'warn' | 'bad' | 'info';

export const Badge = ({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) => (
  <span className={styles.badge} data-tone={tone}>
    {children}
  </span>
);
