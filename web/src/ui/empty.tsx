import type { ReactNode } from 'react';
import styles from './empty.module.css';

interface EmptyProps {
  /** What to do next. */
  actions?: ReactNode;
  picture?: ReactNode;
  title: string;
  /** The page's own heading, or one among others. */
  level?: 'h1' | 'h2';
  children: ReactNode;
}

/** Nothing here, or not this time: says why and how to go on. */
export function Empty({ actions, picture, title, level: Heading = 'h2', children }: EmptyProps) {
  return (
    <div className={styles.empty}>
      {picture ? <div className={styles.picture}>{picture}</div> : null}
      <Heading className={styles.title}>{title}</Heading>
      <div className={styles.text}>{children}</div>
      {actions ? <div className={styles.actions}>{actions}</div> : null}
    </div>
  );
}
