import type { Client } from '@mozhan/contract/client.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { callPagesQuery } from '#web/lib/queries.ts';
import { useRefetchWhenSignedIn } from '#web/lib/use-refetch-when-signed-in.ts';
import { InfiniteList } from '#web/ui/infinite-list.tsx';
import { DateText } from '#web/ui/time.tsx';
import { FollowButton } from './follow-button.tsx';
import { PersonRow, PersonRowsSkeleton } from './person-row.tsx';

export type FollowDirection = 'follower' | 'following';

/** Without `userId`, those of the current user. */
export const followPages = (api: Client, type: FollowDirection, userId?: string, firstPage?: number) =>
  callPagesQuery(api, 'GET core/user/follower', { type, ...(userId && { userId }) }, firstPage);

interface FollowListProps {
  type: FollowDirection;
  label: string;
  userId?: string;
  firstPage?: number;
  empty: ReactNode;
  pageHref?: (page: number) => string;
}

export function FollowList(props: FollowListProps) {
  const { type, userId, firstPage, ...list } = props;
  const query = useInfiniteQuery(followPages(useApi(), type, userId, firstPage));
  useRefetchWhenSignedIn(query.refetch);
  return (
    <InfiniteList
      {...list}
      query={query}
      renderItem={(person) => (
        <PersonRow
          person={person}
          description={
            person.bio ||
            person.title || (
              <>
                <DateText at={person.followedAt} /> 关注
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
