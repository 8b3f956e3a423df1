import { Skeleton } from '#web/ui/skeleton.tsx';
import styles from './apply-waiting.module.css';

/** The shape of the form, until it is known what to show. */
export const ApplyWaiting = () => (
  <div data-for="member">
    <p className="sr" role="status">
      正在载入…
    </p>
    <div className={styles.blank} aria-hidden="true">
      <Skeleton width="30" />
      <Skeleton height="l" />
      <Skeleton width="30" />
      <Skeleton height="l" />
    </div>
  </div>
);
