import { useQuery } from '@tanstack/react-query';
import { Skeleton } from 'antd';
import { RevenuePlot } from '#admin/features/finance/revenue-plot.tsx';
import { useApp } from '#admin/lib/app-context.ts';
import { Link } from '#admin/lib/navigation.tsx';
import { call } from '#admin/lib/queries.ts';
import { Failed } from '#admin/ui/screen.tsx';
import styles from './dashboard.module.css';

/** What came in lately. */
export function RevenuePanel() {
  const { api } = useApp();
  const { data, error, refetch } = useQuery(call(api, 'GET core/sys/finance/revenue', { days: 30 }));
  return (
    <section className={styles.panel} aria-label="收入">
      <div className={styles.head}>
        <h2>收入</h2>
        <Link to="/finance" aria-label="收入，查看全部">
          查看全部
        </Link>
      </div>
      {data === undefined && error !== null ? <Failed error={error} onRetry={() => void refetch()} /> : null}
      {data === undefined && error === null ? (
        <Skeleton active title={false} paragraph={{ rows: 6 }} />
      ) : null}
      {data === undefined ? null : <RevenuePlot revenue={data} />}
    </section>
  );
}
