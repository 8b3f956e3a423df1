import type { Column } from '@mozhan/contract/columns.ts';
import type { ReactNode } from 'react';
import { useHrefs } from '#web/router/router.tsx';
import { Cover } from '#web/ui/cover.tsx';
import { SkeletonRows } from '#web/ui/loading-skeleton.tsx';
import styles from './column-row.module.css';

interface ColumnRowProps {
  column: Pick<Column, 'id' | 'name' | 'cover'>;
  /** Shown below the name. */
  facts: readonly string[];
  /** At the end of the row. */
  action: ReactNode;
}

export function ColumnRow({ column: { id, name, cover }, facts, action }: ColumnRowProps) {
  const { columnHref } = useHrefs();
  return (
    <article className={`row gap-4 divided ${styles.row}`}>
      <div className={styles.cover}>
        <Cover title={name} image={cover} />
      </div>
      <div className="grow">
        <h3>
          <a className="stretched brand-hover" href={columnHref(id)}>
            {name}
          </a>
        </h3>
        <p className="ellipsis ink-3 text-s">{facts.join('　')}</p>
      </div>
      <div className={styles.action}>{action}</div>
    </article>
  );
}

export const ColumnRowSkeletons = () => <SkeletonRows className={styles.row} rest={['30']} />;
