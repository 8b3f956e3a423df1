import { errorMessageOf } from '@mozhan/client/errors.ts';
import type { Column, ColumnFollowState } from '@mozhan/contract/columns.ts';
import { useApi } from '#web/lib/app-context.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { useOptimisticToggle } from '#web/lib/use-optimistic-toggle.ts';
import { SignInLink } from '#web/router/sign-in-link.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { toast } from '#web/ui/toast.tsx';

interface FollowColumnButtonProps {
  column: Column;
  followed: boolean;
  /** Called before the server responds, with its response, and with the former state when it refuses. */
  onChange: (state: ColumnFollowState) => void;
  /** For lists. */
  small?: boolean;
}

/** Nothing for the author of the column. */
export function FollowColumnButton({ column, followed, onChange, small = false }: FollowColumnButtonProps) {
  const api = useApi();
  const user = useCurrentUser();
  const { id: columnId, followerCount } = column;
  const follow = useOptimisticToggle({
    routes: ['GET core/essay/column/{id}', 'GET core/essay/column/follow'],
    send: (on) => api(on ? 'POST core/essay/column/follow' : 'DELETE core/essay/column/follow', { columnId }),
    applyOptimistic: (on) => {
      onChange({ followed: on, followerCount: Math.max(0, followerCount + (on ? 1 : -1)) });
      return () => onChange({ followed, followerCount });
    },
    applyResponse: onChange,
    onError: (error) => toast(errorMessageOf(error), 'warn'),
  });
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
      size={small ? 'small' : 'medium'}
      aria-pressed={followed}
      aria-label={`关注专栏《${column.name}》`}
      onClick={() => void follow(!followed)}
    >
      <Icon name={followed ? 'check' : 'plus'} small />
      {followed ? '已关注' : '关注'}
    </Button>
  );
}
