import { errorMessageOf } from '@mozhan/client/errors.ts';
import type { ColumnDetail, ColumnFollowState } from '@mozhan/contract/columns.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '#web/lib/app-context.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { useOptimisticToggle } from '#web/lib/use-optimistic-toggle.ts';
import { SignInLink } from '#web/router/sign-in-link.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { toast } from '#web/ui/toast.tsx';
import { columnQuery } from './column-query.ts';

/** Updates the cached column optimistically, and reverts when the server refuses. */
function useFollowColumn({ id: columnId, mine, followerCount }: ColumnDetail) {
  const api = useApi();
  const queryClient = useQueryClient();
  const { queryKey } = columnQuery(api, columnId);

  const apply = ({ followed, followerCount }: ColumnFollowState) =>
    queryClient.setQueryData(
      queryKey,
      (column) => column && { ...column, followerCount, mine: { ...column.mine, followed } },
    );

  return useOptimisticToggle({
    send: (on) => api(on ? 'POST core/essay/column/follow' : 'DELETE core/essay/column/follow', { columnId }),
    applyOptimistic: (on) => {
      apply({ followed: on, followerCount: Math.max(0, followerCount + (on ? 1 : -1)) });
      return () => void apply({ followed: mine.followed, followerCount });
    },
    applyResponse: apply,
    onError: (error) => toast(errorMessageOf(error), 'warn'),
  });
}

/** Nothing for the author of the column. */
export function FollowColumnButton({ column }: { column: ColumnDetail }) {
  const user = useCurrentUser();
  const follow = useFollowColumn(column);
  const { followed } = column.mine;
  if (user?.id === column.author.id) return null;
  if (user === null)
    return (
      <SignInLink className={buttonClass()}>
        <Icon name="plus" small />
        关注
      </SignInLink>
    );
  return (
    <Button
      aria-pressed={followed}
      aria-label={`关注专栏《${column.name}》`}
      onClick={() => void follow(!followed)}
    >
      <Icon name={followed ? 'check' : 'plus'} small />
      {followed ? '已关注' : '关注'}
    </Button>
  );
}
