import styles from './skeleton.module.css';

interface SkeletonProps {
  /** Percent of the container. */
  width?: '30' | '50' | '70' | '82' | '100';
  height?: 's' | 'm' | 'l';
  round?: boolean;
}

/** Placeholder of a text or picture. Its container must be `aria-hidden` and next to a `role="status"`. */
export function Skeleton({ width = '100', height = 's', round = false }: SkeletonProps) {
  const shape = round ? styles.round : styles[`w${width}`];
  return <span className={`${styles.skeleton} ${styles[height]} ${shape}`} />;
}
