import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Skeleton } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { useLocation } from '#admin/lib/navigation.tsx';
import { call } from '#admin/lib/queries.ts';
import { RangePicker, readRequestedRange } from '#admin/ui/range-picker.tsx';
import { Card, LoadError } from '#admin/ui/screen.tsx';
import { TimeAgo } from '#admin/ui/time.tsx';
import styles from './dashboard.module.css';
import { measures, type SiteStats } from './measures.ts';
import { StatCard } from './stat-card.tsx';
import { TopLists } from './tops.tsx';

const REFRESH_MS = 60_000;
/** While the server is counting. */
const REFRESHING_POLL_MS = 2000;

const stateOf = ({ updatedAt, refreshing }: SiteStats) => (
  <p className={styles.state} role="status">
    {updatedAt === null ? (
      '正在统计…'
    ) : (
      <>
        更新于 <TimeAgo at={updatedAt} />
        {refreshing ? '，正在更新' : ''}
      </>
    )}
  </p>
);

export function Stats() {
  const { api } = useApp();
  const requested = readRequestedRange(useLocation().search);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...call(api, 'GET core/sys/stat/', requested),
    placeholderData: keepPreviousData,
    refetchInterval: (query) => (query.state.data?.refreshing ? REFRESHING_POLL_MS : REFRESH_MS),
  });
  // Before the first count the server sends zeros, which must not be displayed.
  const isHere = data !== undefined && data.updatedAt !== null && (error === null || !isPlaceholderData);
  return (
    <>
      <div className={styles.bar}>
        <RangePicker path="/" requested={requested} displayed={data} />
        {data === undefined ? null : stateOf(data)}
      </div>
      {isHere ? (
        <>
          <div className={styles.measures} aria-busy={isPlaceholderData}>
            {measures
              .filter(({ parts: [{ key }] }) => data.total[key] !== null)
              .map((measure) => (
                <StatCard key={measure.title} measure={measure} stats={data} />
              ))}
          </div>
          <TopLists tops={data.tops} />
        </>
      ) : (
        <Card>
          {error === null ? (
            <div role="status" aria-label="正在载入">
              <Skeleton active title={false} paragraph={{ rows: 10, width: '100%' }} />
            </div>
          ) : (
            <LoadError error={error} onRetry={() => void refetch()} />
          )}
        </Card>
      )}
    </>
  );
}
