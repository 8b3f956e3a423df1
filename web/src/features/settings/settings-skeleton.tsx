import { Skeleton } from '#web/ui/skeleton.tsx';
import styles from './settings.module.css';

const lines = ['30', '82', '50', '70', '100'] as const;

export const SettingsSkeleton = () => (
  <div className={styles.form}>
    {lines.map((width) => (
      <Skeleton key={width} width={width} height="m" />
    ))}
  </div>
);
