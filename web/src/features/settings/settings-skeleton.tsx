import { SkeletonLines } from '#web/ui/loading-skeleton.tsx';
import styles from './settings.module.css';

export const SettingsSkeleton = () => (
  <div className={styles.form}>
    <SkeletonLines lines={['30 m', '82 m', '50 m', '70 m', '100 m']} />
  </div>
);
