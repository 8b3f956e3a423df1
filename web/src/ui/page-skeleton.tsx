import styles from './page-skeleton.module.css';
import { Skeleton } from './skeleton.tsx';

export function PageSkeleton() {
  return (
    <main id="main" tabIndex={-1} className={`wrap ${styles.page}`}>
      <p className="sr" role="status">
        正在载入
      </p>
      <div className={styles.outline} aria-hidden="true">
        <Skeleton width="30" height="l" />
        <Skeleton width="50" height="s" />
        <hr />
        <Skeleton width="70" height="m" />
        <Skeleton width="100" height="s" />
        <Skeleton width="82" height="s" />
      </div>
    </main>
  );
}
