import type { ReactNode } from 'react';
import styles from './card-head.module.css';

export const CardHead = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div className={styles.head}>
    <h2>{title}</h2>
    {children}
  </div>
);
