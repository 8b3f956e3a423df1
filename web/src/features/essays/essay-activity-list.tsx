import type { Client, Output } from '@mozhan/contract/client.ts';
import type { Page } from '@mozhan/contract/common.ts';
import type { EssayCard } from '@mozhan/contract/essays.ts';
import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { callPagesQuery } from '#web/lib/queries.ts';
import { InfiniteList } from '#web/ui/infinite-list.tsx';
import { DateText } from '#web/ui/time.tsx';
import styles from './essay-activity-list.module.css';
import { EssayEntry, EssayEntrySkeleton } from './essay-entry.tsx';

const routes = {
  like: 'GET core/user/profile/like',
  share: 'GET core/user/profile/share',
  collect: 'GET core/user/profile/collect',
} as const;

export type EssayActivity = keyof typeof routes;

const verbs: Record<EssayActivity, string> = { like: '点赞', share: '分享', collect: '收藏' };

type ActivityEssay = Output<(typeof routes)[EssayActivity]>['list'][number];

function activityTime(essay: ActivityEssay): string {
  if ('likedAt' in essay) return essay.likedAt;
  return 'sharedAt' in essay ? essay.sharedAt : essay.collectedAt;
}

interface ActivityFilter {
  /** Without it, the reader's own essays are listed. */
  userId?: string;
  /** For collected essays, limits the list to one folder. */
  folderId?: string;
}

export const essayActivityPages = (
  api: Client,
  activity: EssayActivity,
  filter: ActivityFilter,
  firstPage?: number,
) => callPagesQuery(api, routes[activity], filter, firstPage);

interface EssayActivityListProps extends ActivityFilter {
  activity: EssayActivity;
  label: string;
  firstPage?: number;
  level?: 'h2' | 'h3';
  empty: ReactNode;
  pageHref?: (page: number) => string;
}

/** Essays that a user liked, shared or collected, latest first. */
export function EssayActivityList(props: EssayActivityListProps) {
  const { activity, userId, folderId, label, firstPage, empty, pageHref, ...entry } = props;
  const filter = { ...(userId && { userId }), ...(folderId && { folderId }) };
  const query = useInfiniteQuery(essayActivityPages(useApi(), activity, filter, firstPage));
  return (
    <InfiniteList
      label={label}
      query={query as UseInfiniteQueryResult<InfiniteData<Page<EssayCard & ActivityEssay>>>}
      renderItem={(essay) => (
        <EssayEntry
          essay={essay}
          {...entry}
          footer={
            <span className={styles.when}>
              <DateText at={activityTime(essay)} /> {verbs[activity]}
            </span>
          }
        />
      )}
      empty={empty}
      skeleton={<EssayEntrySkeleton />}
      pageHref={pageHref}
    />
  );
}
