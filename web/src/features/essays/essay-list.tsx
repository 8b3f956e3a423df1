import type { Client, Input, Output } from '@mozhan/contract/client.ts';
import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { CachedFragment } from '#web/lib/cached-fragment.ts';
import { planCovers } from '#web/lib/cover-choice.ts';
import { callPagesQuery } from '#web/lib/queries.ts';
import { InfiniteList } from '#web/ui/infinite-list.tsx';
import { EssayEntry, EssayEntrySkeleton } from './essay-entry.tsx';

export type EssayFilter = Omit<Input<'GET core/essay/'>, 'page' | 'pageSize' | 'cursor' | 'mine' | 'status'>;

export type EssayPages = InfiniteData<Output<'GET core/essay/'>>;

export const essayPages = (api: Client, filter: EssayFilter, firstPage?: number) =>
  callPagesQuery(api, 'GET core/essay/', filter, firstPage);

interface EssayListProps {
  filter: EssayFilter;
  firstPage?: number;
  label: string;
  showsAuthor?: boolean;
  empty: ReactNode;
  pageHref?: (page: number) => string;
}

export function EssayList({ filter, firstPage, pageHref, empty, label, ...entry }: EssayListProps) {
  const query = useInfiniteQuery(essayPages(useApi(), filter, firstPage));
  const covers = planCovers((query.data as EssayPages | undefined)?.pages.flatMap(({ list }) => list) ?? []);
  return (
    <InfiniteList
      label={label}
      query={query as UseInfiniteQueryResult<EssayPages>}
      renderItem={(essay) => (
        <CachedFragment name="entry" input={[essay, entry, covers.get(essay.id)]}>
          <EssayEntry essay={essay} cover={covers.get(essay.id)} {...entry} />
        </CachedFragment>
      )}
      empty={empty}
      skeleton={<EssayEntrySkeleton />}
      pageHref={pageHref}
    />
  );
}
