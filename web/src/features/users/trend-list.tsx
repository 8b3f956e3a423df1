import type { Trend } from '@mozhan/contract/activity.ts';
import type { Client } from '@mozhan/contract/client.ts';
import { TREND_TARGET } from '@mozhan/contract/enums.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { callPages, useSite } from '#web/lib/queries.ts';
import { pathTo, useRouter } from '#web/router.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { InfiniteList } from '#web/ui/infinite-list.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Day } from '#web/ui/time.tsx';
import styles from './trend-list.module.css';
import { isPrivate, isRegistration, trendWords } from './trend-types.ts';

/** `site` leads to the pages with header and footer, `bare` to those without. */
type Variant = 'site' | 'bare';

const paths = {
  site: { essay: '/essay/detail/', home: '/user/home/' },
  bare: { essay: '/essay/mdetail/', home: '/user/mhome/' },
};

function Target({
  targetKind,
  target,
  keyword,
  variant,
}: Pick<Trend, 'targetKind' | 'target' | 'keyword'> & { variant: Variant }) {
  const { href } = useRouter();
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
  const { essay, home } = paths[variant];
  const text =
    targetKind === TREND_TARGET.essay ? `《${target.title}》` : (target.user?.displayName ?? target.title);
  return (
    <a
      className={styles.target}
      href={href(`${targetKind === TREND_TARGET.essay ? essay : home}${target.id}.html`)}
    >
      {text}
    </a>
  );
}

/** The sentence, phrased by what was done and to what. */
function Sentence({ trend, variant }: { trend: Trend; variant: Variant }) {
  const { settings } = useSite();
  const [before, after] = trendWords(trend.type, trend.targetKind);
  if (isRegistration(trend.type)) return `${before}${settings.title}`;
  return (
    <>
      {before}
      <Target {...trend} variant={variant} />
      {after}
    </>
  );
}

interface ItemProps {
  trend: Trend;
  variant: Variant;
  /** In a list that others see a part of. */
  isOwn: boolean;
}

function Item({ trend, variant, isOwn }: ItemProps) {
  return (
    <div className={`flex apart divided ${styles.item}`}>
      <p>
        <Sentence trend={trend} variant={variant} />
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

const blanks = ['70', '50', '82'] as const;

const TrendSkeleton = () => (
  <>
    {blanks.map((width) => (
      <div key={width} className={`flex apart divided ${styles.item}`}>
        <Skeleton width={width} height="m" />
      </div>
    ))}
  </>
);

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
  variant?: Variant;
  empty: ReactNode;
  pageHref?: (page: number) => string;
}

export function TrendList({ userId, type, firstPage, variant = 'site', empty, pageHref }: TrendListProps) {
  const query = useInfiniteQuery(trendPages(useApi(), { userId, type }, firstPage));
  return (
    <InfiniteList
      label="动态"
      query={query}
      keyOf={(trend) => trend.id}
      item={(trend) => <Item trend={trend} variant={variant} isOwn={userId === undefined} />}
      empty={empty}
      skeleton={<TrendSkeleton />}
      pageHref={pageHref}
    />
  );
}
