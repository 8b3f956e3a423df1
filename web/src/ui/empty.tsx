import type { ReactNode } from 'react';
import styles from './empty.module.css';

interface EmptyProps {
  actions?: ReactNode;
  /** A `Landscape`, or `EmptyIllustration` for small ones. */
  picture?: ReactNode;
  title: string;
  level?: 'h1' | 'h2' | 'h3';
  /** For a section of a page instead of the entire page. */
  small?: boolean;
  children: ReactNode;
}

export function Empty(props: EmptyProps) {
  const { actions, picture, title, level: Heading = 'h2', small = false, children } = props;
  return (
    <div className={small ? `${styles.empty} ${styles.small}` : styles.empty}>
      {picture ? <div className={styles.picture}>{picture}</div> : null}
      <Heading className={styles.title}>{title}</Heading>
      <div className={styles.text}>{children}</div>
      {actions ? <div className={styles.actions}>{actions}</div> : null}
    </div>
  );
}
