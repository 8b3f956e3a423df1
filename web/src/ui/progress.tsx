import styles from './progress.module.css';

interface ProgressProps {
  /** From 0 to 1. */
  value: number;
  label: string;
}

export function Progress({ value, label }: ProgressProps) {
  return <progress className={styles.progress} max={1} value={value} aria-label={label} />;
}
