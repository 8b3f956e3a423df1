import type { Client } from '@mozhan/contract/client.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { callPages } from '#web/lib/queries.ts';
import { useAskedAgain } from '#web/lib/use-asked-again.ts';
import { InfiniteList } from '#web/ui/infinite-list.tsx';
import { Day } from '#web/ui/time.tsx';
import { FollowButton } from './follow-button.tsx';
import { PersonRow, PersonRowsSkeleton } from './person-row.tsx';

export type FollowSide = 'follower' | 'following';

/** `userId` left out: one's own. */
export const followPages = (api: Client, type: FollowSide, userId?: string, firstPage?: number) =>
  callPages(api, 'GET core/user/follower', { type, ...(userId && { userId }) }, firstPage);

interface FollowListProps {
  type: FollowSide;
  label: string;
  userId?: string;
  firstPage?: number;
  empty: ReactNode;
  pageHref?: (page: number) => string;
}

/** Who follows somebody, or whom they follow, the latest first. */
export function FollowList(props: FollowListProps) {
  const { type, userId, firstPage, ...list } = props;
  const query = useInfiniteQuery(followPages(useApi(), type, userId, firstPage));
  useAskedAgain(query.refetch);
  return (
    <InfiniteList
      {...list}
      query={query}
      item={(person) => (
        <PersonRow
          person={person}
          words={
            person.bio ||
            person.title || (
              <>
                <Day at={person.followedAt} /> 关注
              </>
            )
          }
          action={<FollowButton author={person} followed={person.followed} small />}
        />
      )}
      skeleton={<PersonRowsSkeleton />}
    />
  );
}
