import { errorMessageOf } from '@mozhan/client/errors.ts';
import type { Output } from '@mozhan/contract/client.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '#web/lib/app-context.ts';
import { callQuery } from '#web/lib/queries.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { useOptimisticToggle } from '#web/lib/use-optimistic-toggle.ts';
import { SignInLink } from '#web/router/sign-in-link.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { toast } from '#web/ui/toast.tsx';

interface TagFollowButtonProps {
  tag: string;
  /** Set in a list of followed tags, where it need not be requested. */
  isFollowed?: boolean;
}

const toPage = (tag: string, followed: boolean): Output<'GET core/essay/tag/follow'> => ({
  list: followed ? [{ name: tag, count: 0, followedAt: '' }] : [],
  total: followed ? 1 : 0,
  page: 1,
  pageSize: 1,
  next: null,
});

const Label = ({ followed }: { followed: boolean }) => (
  <>
    <Icon name={followed ? 'check' : 'plus'} small />
    {followed ? '已关注' : '关注'}
  </>
);

function SignedInButton({ tag, isFollowed }: TagFollowButtonProps) {
  const api = useApi();
  const queryClient = useQueryClient();
  const query = callQuery(api, 'GET core/essay/tag/follow', { tag, pageSize: 1 });
  const initialData = isFollowed === undefined ? undefined : toPage(tag, isFollowed);
  const { data } = useQuery({ ...query, initialData });
  const followed = data !== undefined && data.list.length > 0;
  const setFollowed = (on: boolean) => queryClient.setQueryData(query.queryKey, toPage(tag, on));
  const follow = useOptimisticToggle({
    routes: ['GET core/essay/tag/follow'],
    send: (on) => api(on ? 'POST core/essay/tag/follow' : 'DELETE core/essay/tag/follow', { tag }),
    applyOptimistic: (on) => {
      setFollowed(on);
      return () => setFollowed(!on);
    },
    applyResponse: ({ followed }) => setFollowed(followed),
    onError: (error) => toast(errorMessageOf(error), 'warn'),
  });
  return (
    <Button
      size="small"
      aria-pressed={followed}
      aria-label={`${followed ? '已关注' : '关注'}标签「${tag}」`}
      onClick={() => void follow(!followed)}
    >
      <Label followed={followed} />
    </Button>
  );
}

export function TagFollowButton(props: TagFollowButtonProps) {
  const user = useCurrentUser();
  if (user !== null) return <SignedInButton key={props.tag} {...props} />;
  return (
    <SignInLink className={buttonClass({ size: 'small' })}>
      <Label followed={false} />
      <span className="sr">标签「{props.tag}」</span>
    </SignInLink>
  );
}
