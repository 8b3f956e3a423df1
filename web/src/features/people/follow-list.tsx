import type { Client } from '@mozhan/contract/client.ts';
import type { UserCard } from '@mozhan/contract/users.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ComponentType, ReactNode } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { callPages } from '#web/lib/queries.ts';
import { useAskedAgain } from '#web/lib/use-asked-again.ts';
import { InfiniteList } from '#web/ui/infinite-list.tsx';
import { Day } from '#web/ui/time.tsx';
import { PersonRow, PersonRowsSkeleton } from './person-row.tsx';

/** Of another feature: the page puts them together. */
export type FollowPart = ComponentType<{ author: UserCard; followed: boolean; small?: boolean }>;

export type FollowSide = 'follower' | 'following';

/** `userId` left out: one's own. */
export const followPages = (api: Client, type: FollowSide, userId?: string, firstPage?: number) =>
  callPages(api, 'GET core/user/follower', { type, ...(userId && { userId }) }, firstPage);

interface FollowListProps {
  type: FollowSide;
  label: string;
  userId?: string;
  firstPage?: number;
  variant?: 'site' | 'bare';
  Follow: FollowPart;
  empty: ReactNode;
  pageHref?: (page: number) => string;
}

/** Who follows somebody, or whom they follow, the latest first. */
export function FollowList(props: FollowListProps) {
  const { type, label, userId, firstPage, variant, Follow, empty, pageHref } = props;
  const query = useInfiniteQuery(followPages(useApi(), type, userId, firstPage));
  useAskedAgain(query.refetch);
  return (
    <InfiniteList
      label={label}
      query={query}
      keyOf={({ id }) => id}
      item={(person) => (
        <PersonRow
          person={person}
          variant={variant}
          words={
            person.bio ||
            person.title || (
              <>
                <Day at={person.followedAt} /> 关注
              </>
            )
          }
          action={<Follow author={person} followed={person.followed} small />}
        />
      )}
      empty={empty}
      skeleton={<PersonRowsSkeleton />}
      pageHref={pageHref}
    />
  );
}
