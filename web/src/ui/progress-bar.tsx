import styles from './progress-bar.module.css';

/** A thin line along the top while the next page is on its way; a quick one never shows it. */
export function ProgressBar({ active }: { active: boolean }) {
  return active ? <div className={styles.bar} role="progressbar" aria-label="正在打开页面" /> : null;
}
