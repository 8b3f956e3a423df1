import type { Trend } from '@mozhan/contract/activity.ts';
import type { Client } from '@mozhan/contract/client.ts';
import { TREND_TARGET } from '@mozhan/contract/enums.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { callPagesQuery, useSite } from '#web/lib/queries.ts';
import { pathTo, useHrefs, useRouter } from '#web/router/router.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { InfiniteList } from '#web/ui/infinite-list.tsx';
import { SkeletonRows } from '#web/ui/loading-skeleton.tsx';
import { DateText } from '#web/ui/time.tsx';
import styles from './trend-list.module.css';
import { isPrivateTrend, isRegistration, trendPhrase } from './trend-types.ts';

function TrendTarget({ targetKind, target, keyword }: Pick<Trend, 'targetKind' | 'target' | 'keyword'>) {
  const { href } = useRouter();
  const { essayHref, userHref } = useHrefs();
  if (keyword !== undefined)
    return (
      <a className={styles.target} href={href(pathTo({ to: '/home', search: { keyword } }))}>
        「{keyword}」
      </a>
    );
  if (target === null)
    return (
      <span className="ink-3">
        {targetKind === TREND_TARGET.essay ? '一篇已经不在的文章' : '一位已注销的用户'}
      </span>
    );
  return targetKind === TREND_TARGET.essay ? (
    <a className={styles.target} href={essayHref(target)}>
      {`《${target.title}》`}
    </a>
  ) : (
    <a className={styles.target} href={userHref(target.id)}>
      {target.user?.displayName ?? target.title}
    </a>
  );
}

function TrendText({ trend }: { trend: Trend }) {
  const { settings } = useSite();
  const [before, after] = trendPhrase(trend.type, trend.targetKind);
  if (isRegistration(trend.type)) return `${before}${settings.title}`;
  return (
    <>
      {before}
      <TrendTarget {...trend} />
      {after}
    </>
  );
}

interface TrendRowProps {
  trend: Trend;
  /** Marks the trends that only the owner sees. */
  isOwn: boolean;
}

function TrendRow({ trend, isOwn }: TrendRowProps) {
  return (
    <div className={`flex apart divided ${styles.item}`}>
      <p>
        <TrendText trend={trend} />
        {isOwn && isPrivateTrend(trend.type) ? (
          <span className={`gap-1 ink-3 text-s ${styles.private}`}>
            <Icon name="lock" small />
            仅自己可见
          </span>
        ) : null}
      </p>
      <DateText at={trend.createdAt} />
    </div>
  );
}

interface TrendFilter {
  /** Without it, the current user's own trends. */
  userId?: string;
  /** Without it, trends of every type. */
  type?: number;
}

export const trendPages = (api: Client, { userId, type }: TrendFilter, firstPage?: number) =>
  callPagesQuery(
    api,
    'GET core/user/trend',
    { ...(userId !== undefined && { userId }), ...(type !== undefined && { type }) },
    firstPage,
  );

interface TrendListProps extends TrendFilter {
  firstPage?: number;
  empty: ReactNode;
  pageHref?: (page: number) => string;
}

export function TrendList({ userId, type, firstPage, ...list }: TrendListProps) {
  const query = useInfiniteQuery(trendPages(useApi(), { userId, type }, firstPage));
  return (
    <InfiniteList
      {...list}
      label="动态"
      query={query}
      renderItem={(trend) => <TrendRow trend={trend} isOwn={userId === undefined} />}
      skeleton={<SkeletonRows className={`flex apart divided ${styles.item}`} widths={['70', '50', '82']} />}
    />
  );
}
