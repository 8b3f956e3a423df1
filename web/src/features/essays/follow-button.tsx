import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Essay } from '#contract/essays.ts';
import type { UserCard } from '#contract/users.ts';
import { useApi } from '#web/lib/app-context.ts';
import { messageOf } from '#web/lib/errors.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { Link, useView } from '#web/router.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { toast } from '#web/ui/toast.tsx';
import { authorQuery, essayQuery } from './essay-query.ts';

interface FollowButtonProps {
  essayId: string;
  author: UserCard;
  followed: boolean;
}

/** Shown as done at once, and taken back when the server refuses. */
function useFollow({ essayId, author }: FollowButtonProps) {
  const api = useApi();
  const queryClient = useQueryClient();
  const { queryKey: essayKey } = essayQuery(api, essayId);
  const { queryKey: authorKey } = authorQuery(api, author.id);

  const show = (followed: boolean, change: (followers: number) => number) => {
    queryClient.setQueryData(essayKey, (essay: Essay | undefined) => {
      return essay && { ...essay, mine: { ...essay.mine, followed } };
    });
    queryClient.setQueryData(authorKey, (user) => {
      return user && { ...user, counters: { ...user.counters, followers: change(user.counters.followers) } };
    });
  };

  return useMutation({
    mutationFn: (follow: boolean) =>
      api(follow ? 'POST core/essay/follow' : 'DELETE core/essay/follow', { userId: author.id }),
    onMutate: (follow) => show(follow, (count) => Math.max(0, count + (follow ? 1 : -1))),
    onSuccess: ({ followed, followerCount }) => show(followed, () => followerCount),
    onError: (error, follow) => {
      show(!follow, (count) => Math.max(0, count + (follow ? -1 : 1)));
      toast(messageOf(error), 'warn');
    },
  });
}

export function FollowButton(props: FollowButtonProps) {
  const { author, followed } = props;
  const user = useCurrentUser();
  const { url } = useView();
  const { mutate } = useFollow(props);
  if (user?.id === author.id) return null;
  const label = (
    <>
      <Icon name={followed ? 'check' : 'plus'} small />
      {followed ? '已关注' : '关注'}
    </>
  );
  if (user === null)
    return (
      <Link to="/login.html" search={{ redirect: url }} className={buttonClass({ look: 'primary' })}>
        {label}
      </Link>
    );
  return (
    <Button
      look={followed ? 'outline' : 'primary'}
      aria-pressed={followed}
      aria-label={`关注${author.displayName}`}
      onClick={() => mutate(!followed)}
    >
      {label}
    </Button>
  );
}
