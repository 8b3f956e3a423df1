import { errorMessageOf } from '@mozhan/client/errors.ts';
import type { Output } from '@mozhan/contract/client.ts';
import type { Essay } from '@mozhan/contract/essays.ts';
import type { UserCard } from '@mozhan/contract/users.ts';
import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { authorQuery, essayQuery } from '#web/features/essays/essay-query.ts';
import { useApi } from '#web/lib/app-context.ts';
import { callPagesQuery } from '#web/lib/queries.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { useOptimisticToggle } from '#web/lib/use-optimistic-toggle.ts';
import { SignInLink } from '#web/router/sign-in-link.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { toast } from '#web/ui/toast.tsx';

interface FollowButtonProps {
  author: UserCard;
  followed: boolean;
  /** For lists. */
  small?: boolean;
}

type Follows = InfiniteData<Output<'GET core/user/follower'>>;

/** Updates every cached query optimistically, and reverts when the server refuses. */
function useFollow({ author: { id: userId }, followed }: FollowButtonProps) {
  const api = useApi();
  const queryClient = useQueryClient();
  const me = useCurrentUser();
  const { queryKey: authorKey } = authorQuery(api, userId);
  const [essays] = essayQuery(api, '').queryKey;
  const [follows] = callPagesQuery(api, 'GET core/user/follower').queryKey;

  const setFollowed = (followed: boolean, followerCount: number) => {
    queryClient.setQueryData(authorKey, (user) => {
      if (user === undefined) return user;
      const counters = { ...user.counters, followers: Math.max(0, followerCount) };
      return { ...user, counters, relation: { ...user.relation, followed } };
    });
    queryClient.setQueriesData<Essay>({ queryKey: [essays] }, (essay) =>
      essay?.author.id === userId ? { ...essay, mine: { ...essay.mine, followed } } : essay,
    );
    queryClient.setQueriesData<Follows>({ queryKey: [follows] }, (data) => {
      const mark = (page: Follows['pages'][number]) => ({
        ...page,
        list: page.list.map((each) => (each.id === userId ? { ...each, followed } : each)),
      });
      return data && { ...data, pages: data.pages.map(mark) };
    });
  };

  return useOptimisticToggle({
    routes: ['GET core/user/public', 'GET core/essay/{id}', 'GET core/user/follower'],
    send: (on) => api(on ? 'POST core/essay/follow' : 'DELETE core/essay/follow', { userId }),
    applyOptimistic: (on) => {
      const before = queryClient.getQueryData(authorKey)?.counters.followers ?? 0;
      setFollowed(on, before + (on ? 1 : -1));
      return () => setFollowed(followed, before);
    },
    applyResponse: ({ followed, followerCount }) => {
      setFollowed(followed, followerCount);
      // The number of followed users belongs to the current user's own counters.
      if (me !== null) void queryClient.invalidateQueries({ queryKey: authorQuery(api, me.id).queryKey });
    },
    onError: (error) => toast(errorMessageOf(error), 'warn'),
  });
}

export function FollowButton(props: FollowButtonProps) {
  const { author, followed, small = false } = props;
  const user = useCurrentUser();
  const follow = useFollow(props);
  if (user?.id === author.id) return null;
  const size = small ? 'small' : 'medium';
  const label = (
    <>
      <Icon name={followed ? 'check' : 'plus'} small />
      {followed ? '已关注' : '关注'}
    </>
  );
  if (user === null)
    return (
      <SignInLink className={buttonClass({ variant: small ? 'outline' : 'primary', size })}>
        {label}
      </SignInLink>
    );
  return (
    <Button
      variant={followed || small ? 'outline' : 'primary'}
      size={size}
      aria-pressed={followed}
      aria-label={`关注${author.displayName}`}
      onClick={() => void follow(!followed)}
    >
      {label}
    </Button>
  );
}
