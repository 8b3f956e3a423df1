import { Skeletons } from '#web/ui/waiting.tsx';
import styles from './settings.module.css';

export const SettingsSkeleton = () => (
  <div className={styles.form}>
    <Skeletons lines={['30 m', '82 m', '50 m', '70 m', '100 m']} />
  </div>
);
