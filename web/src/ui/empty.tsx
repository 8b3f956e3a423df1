import type { ReactNode } from 'react';
import styles from './empty.module.css';

interface EmptyProps {
  /** What to do next. */
  actions?: ReactNode;
  /** A landscape; when small, `Layers`. */
  picture?: ReactNode;
  title: string;
  /** The page's own heading, or one among others. */
  level?: 'h1' | 'h2' | 'h3';
  /** A part of a page rather than all of it. */
  small?: boolean;
  children: ReactNode;
}

/** Nothing here, or not this time: says why and how to go on. */
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
