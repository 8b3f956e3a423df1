import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Skeleton } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { usePlace } from '#admin/lib/navigation.tsx';
import { call } from '#admin/lib/queries.ts';
import { Card, Failed } from '#admin/ui/screen.tsx';
import { TimeAgo } from '#admin/ui/time.tsx';
import styles from './dashboard.module.css';
import { measures, type SiteStats } from './measures.ts';
import { askedBy, RangeChoice } from './range.tsx';
import { StatCard } from './stat-card.tsx';
import { TopLists } from './tops.tsx';

const REFRESH_MS = 60_000;
/** While it is being counted. */
const SOON_MS = 2000;

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

/** How the site is doing, in days of one's choice. */
export function Stats() {
  const { api } = useApp();
  const asked = askedBy(usePlace().search);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...call(api, 'GET core/sys/stat/', asked),
    placeholderData: keepPreviousData,
    refetchInterval: (query) => (query.state.data?.refreshing ? SOON_MS : REFRESH_MS),
  });
  // Before the first count there are no figures, not zeros.
  const isHere = data !== undefined && data.updatedAt !== null && (error === null || !isPlaceholderData);
  return (
    <>
      <div className={styles.bar}>
        <RangeChoice asked={asked} shown={data} />
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
            <div role="status" aria-label="正在加载">
              <Skeleton active title={false} paragraph={{ rows: 10, width: '100%' }} />
            </div>
          ) : (
            <Failed error={error} onRetry={() => void refetch()} />
          )}
        </Card>
      )}
    </>
  );
}
