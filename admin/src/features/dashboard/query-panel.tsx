import { Skeleton } from 'antd';
import type { ReactNode } from 'react';
import { Link } from '#admin/lib/navigation.tsx';
import { LoadError, RefreshError } from '#admin/ui/screen.tsx';
import styles from './dashboard.module.css';

interface QueryPanelProps<T> {
  title: string;
  /** The screen with everything. */
  to: string;
  query: { data: T | undefined; error: Error | null; refetch: () => unknown };
  children: (data: T) => ReactNode;
}

/** An excerpt of another screen, or the state of its query. */
export function QueryPanel<T>({ title, to, query: { data, error, refetch }, children }: QueryPanelProps<T>) {
  return (
    <section className={styles.panel} aria-label={title}>
      <div className={styles.head}>
        <h2>{title}</h2>
        <Link to={to} aria-label={`${title}，查看全部`}>
          查看全部
        </Link>
      </div>
      {data === undefined && error !== null ? (
        <LoadError error={error} onRetry={() => void refetch()} />
      ) : null}
      {data !== undefined && error !== null ? <RefreshError error={error} /> : null}
      {data === undefined && error === null ? (
        <Skeleton active title={false} paragraph={{ rows: 6 }} />
      ) : null}
      {data === undefined ? null : children(data)}
    </section>
  );
}
