import styles from './skeleton.module.css';

interface SkeletonProps {
  /** Percent of what it stands in. */
  width?: '30' | '50' | '70' | '82' | '100';
  height?: 's' | 'm' | 'l';
  /** A circle of that height. */
  round?: boolean;
}

/** Where a text or picture will be. Stands in something hidden from screen readers, beside a `role="status"`. */
export function Skeleton({ width = '100', height = 's', round = false }: SkeletonProps) {
  const shape = round ? styles.round : styles[`w${width}`];
  return <span className={`${styles.skeleton} ${styles[height]} ${shape}`} />;
}
