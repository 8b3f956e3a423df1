import styles from './progress-bar.module.css';

/** Shown at the top while the next page loads; delayed, so that fast navigations do not show it. */
export function ProgressBar({ active }: { active: boolean }) {
  return active ? <div className={styles.bar} role="progressbar" aria-label="正在打开页面" /> : null;
}
