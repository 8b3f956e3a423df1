import type { Client, Output } from '@mozhan/contract/client.ts';
import type { Page } from '@mozhan/contract/common.ts';
import type { EssayCard } from '@mozhan/contract/essays.ts';
import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { callPages } from '#web/lib/queries.ts';
import { InfiniteList } from '#web/ui/infinite-list.tsx';
import { Day } from '#web/ui/time.tsx';
import { Entry, EntrySkeleton } from './entry.tsx';
import styles from './kept-essays.module.css';

const routes = {
  like: 'GET core/user/profile/like',
  share: 'GET core/user/profile/share',
  collect: 'GET core/user/profile/collect',
} as const;

export type Keeping = keyof typeof routes;

const verbs: Record<Keeping, string> = { like: '点赞', share: '分享', collect: '收藏' };

type Kept = Output<(typeof routes)[Keeping]>['list'][number];

function keptAt(essay: Kept): string {
  if ('likedAt' in essay) return essay.likedAt;
  return 'sharedAt' in essay ? essay.sharedAt : essay.collectedAt;
}

interface Whose {
  /** Left out: one's own. */
  userId?: string;
  /** Of what was collected, one folder. */
  folderId?: string;
}

export const keptPages = (api: Client, keeping: Keeping, whose: Whose, firstPage?: number) =>
  callPages(api, routes[keeping], whose, firstPage);

interface KeptEssaysProps extends Whose {
  keeping: Keeping;
  label: string;
  firstPage?: number;
  level?: 'h2' | 'h3';
  empty: ReactNode;
  pageHref?: (page: number) => string;
}

/** Essays that somebody liked, shared or collected, the latest first. */
export function KeptEssays(props: KeptEssaysProps) {
  const { keeping, userId, folderId, label, firstPage, empty, pageHref, ...entry } = props;
  const whose = { ...(userId && { userId }), ...(folderId && { folderId }) };
  const query = useInfiniteQuery(keptPages(useApi(), keeping, whose, firstPage));
  return (
    <InfiniteList
      label={label}
      query={query as UseInfiniteQueryResult<InfiniteData<Page<EssayCard & Kept>>>}
      item={(essay) => (
        <Entry
          essay={essay}
          {...entry}
          foot={
            <span className={styles.when}>
              <Day at={keptAt(essay)} /> {verbs[keeping]}
            </span>
          }
        />
      )}
      empty={empty}
      skeleton={<EntrySkeleton />}
      pageHref={pageHref}
    />
  );
}
