import type { Trend } from '@mozhan/contract/activity.ts';
import type { Client } from '@mozhan/contract/client.ts';
import { TREND_TARGET } from '@mozhan/contract/enums.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { callPages, useSite } from '#web/lib/queries.ts';
import { pathTo, usePlaces, useRouter } from '#web/router/router.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { InfiniteList } from '#web/ui/infinite-list.tsx';
import { Day } from '#web/ui/time.tsx';
import { SkeletonRows } from '#web/ui/waiting.tsx';
import styles from './trend-list.module.css';
import { isPrivate, isRegistration, trendWords } from './trend-types.ts';

function Target({ targetKind, target, keyword }: Pick<Trend, 'targetKind' | 'target' | 'keyword'>) {
  const { href } = useRouter();
  const { essayHref, personHref } = usePlaces();
  if (keyword !== undefined)
    return (
      <a className={styles.target} href={href(pathTo({ to: '/home', search: { keyword } }))}>
        「{keyword}」
      </a>
    );
  if (target === null)
    return (
      <span className="ink-3">
        {targetKind === TREND_TARGET.essay ? '一篇已经不在的文章' : '一位已经离开的人'}
      </span>
    );
  return targetKind === TREND_TARGET.essay ? (
    <a className={styles.target} href={essayHref(target.id)}>
      {`《${target.title}》`}
    </a>
  ) : (
    <a className={styles.target} href={personHref(target.id)}>
      {target.user?.displayName ?? target.title}
    </a>
  );
}

/** The sentence, phrased by what was done and to what. */
function Sentence({ trend }: { trend: Trend }) {
  const { settings } = useSite();
  const [before, after] = trendWords(trend.type, trend.targetKind);
  if (isRegistration(trend.type)) return `${before}${settings.title}`;
  return (
    <>
      {before}
      <Target {...trend} />
      {after}
    </>
  );
}

interface ItemProps {
  trend: Trend;
  /** In a list that others see a part of. */
  isOwn: boolean;
}

function Item({ trend, isOwn }: ItemProps) {
  return (
    <div className={`flex apart divided ${styles.item}`}>
      <p>
        <Sentence trend={trend} />
        {isOwn && isPrivate(trend.type) ? (
          <span className={`gap-1 ink-3 text-s ${styles.private}`}>
            <Icon name="lock" small />
            仅自己可见
          </span>
        ) : null}
      </p>
      <Day at={trend.createdAt} />
    </div>
  );
}

interface Which {
  /** Left out: everything of one's own. */
  userId?: string;
  /** Left out: of every kind. */
  type?: number;
}

export const trendPages = (api: Client, { userId, type }: Which, firstPage?: number) =>
  callPages(
    api,
    'GET core/user/trend',
    { ...(userId !== undefined && { userId }), ...(type !== undefined && { type }) },
    firstPage,
  );

interface TrendListProps extends Which {
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
      item={(trend) => <Item trend={trend} isOwn={userId === undefined} />}
      skeleton={<SkeletonRows className={`flex apart divided ${styles.item}`} widths={['70', '50', '82']} />}
    />
  );
}
