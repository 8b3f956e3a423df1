import type { ComponentProps, ReactNode } from 'react';
import styles from './list-row.module.css';
import { SkeletonRows } from './waiting.tsx';

interface ListRowProps {
  roomy?: boolean;
  children: ReactNode;
}

/** One of a list: what it is, and at the end of the line its number. */
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
