import { queryFilterOf } from '@mozhan/client/query-filter.ts';
import type { PublicUser, UserCard } from '@mozhan/contract/users.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '#web/lib/app-context.ts';
import { callQuery } from '#web/lib/queries.ts';
import { confirm } from '#web/ui/confirm.tsx';
import { runWithErrorToast } from '#web/ui/run-with-error-toast.ts';
import { toast } from '#web/ui/toast.tsx';

/** Lists that include or exclude users depending on blocks. */
const affectedQueries = queryFilterOf(
  'GET core/user/block',
  'GET core/user/follower',
  'GET core/essay/cmt',
  'GET core/essay/cmt/reply',
  'GET core/essay/pri/msg',
);

/** Blocks a user after a confirmation, or unblocks them. */
export function useBlock({ id, displayName }: Pick<UserCard, 'id' | 'displayName'>) {
  const api = useApi();
  const queryClient = useQueryClient();

  function applyBlocked(blocked: boolean): void {
    queryClient.setQueryData(
      callQuery(api, 'GET core/user/public', { id }).queryKey,
      (user: PublicUser | undefined) =>
        user && {
          ...user,
          relation: { ...user.relation, blocked, followed: !blocked && user.relation.followed },
        },
    );
    void queryClient.invalidateQueries(affectedQueries);
  }

  async function send(blocked: boolean): Promise<boolean> {
    return runWithErrorToast(async () => {
      await api(blocked ? 'POST core/user/block' : 'DELETE core/user/block', { userId: id });
      applyBlocked(blocked);
      toast(blocked ? `已屏蔽${displayName}` : `已解除对${displayName}的屏蔽`);
    });
  }

  async function block(): Promise<void> {
    const isConfirmed = await confirm({
      title: `屏蔽${displayName}？`,
      text: '你们不再互相关注；TA 不能再关注、评论、回复或提到你，也不能给你发消息；你看不到 TA 的评论和群聊发言。TA 不会收到通知，你可以随时解除。',
      action: '屏蔽',
      danger: true,
    });
    if (isConfirmed) await send(true);
  }

  return { block, unblock: () => send(false) };
}
