import type { ReactNode } from 'react';
import styles from './list-row.module.css';
import { Skeleton } from './skeleton.tsx';

interface ListRowProps {
  roomy?: boolean;
  children: ReactNode;
}

/** One of a list: what it is, and at the end of the line its number. */
export const ListRow = ({ roomy = false, children }: ListRowProps) => (
  <article className={roomy ? `${styles.row} ${styles.roomy}` : styles.row}>{children}</article>
);

interface ListRowSkeletonProps {
  roomy?: boolean;
  width?: '30' | '50' | '70';
}

export const ListRowSkeleton = ({ roomy = false, width = '50' }: ListRowSkeletonProps) => (
  <div className={roomy ? `${styles.blank} ${styles.roomy}` : styles.blank}>
    <Skeleton width={width} height="m" />
    <Skeleton width="30" />
  </div>
);
