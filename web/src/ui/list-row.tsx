import type { ComponentProps, ReactNode } from 'react';
import styles from './list-row.module.css';
import { SkeletonRows } from './loading-skeleton.tsx';

interface ListRowProps {
  roomy?: boolean;
  children: ReactNode;
}

/** A list row with its number at the end of the line. */
export const ListRow = ({ roomy = false, children }: ListRowProps) => (
  <article className={roomy ? `${styles.row} ${styles.roomy}` : styles.row}>{children}</article>
);

interface ListRowSkeletonsProps {
  roomy?: boolean;
  widths?: ComponentProps<typeof SkeletonRows>['widths'];
}

export const ListRowSkeletons = ({ roomy = false, widths }: ListRowSkeletonsProps) => (
  <SkeletonRows
    className={roomy ? `${styles.blank} ${styles.roomy}` : styles.blank}
    widths={widths}
    rest={['30']}
  />
);
