import type { Client } from '@mozhan/contract/client.ts';
import type { UserCard } from '@mozhan/contract/users.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { useForm } from '#web/lib/form.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { callQuery } from '#web/lib/queries.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { DialogForm } from '#web/ui/dialog-form.tsx';
import { ChoiceGroup } from '#web/ui/field.tsx';
import type { DialogOpenProps } from '#web/ui/lazy-dialog.tsx';
import { LoadingSkeleton } from '#web/ui/loading-skeleton.tsx';
import { QueryContent } from '#web/ui/query-content.tsx';
import { runWithErrorToast } from '#web/ui/run-with-error-toast.ts';
import { toast } from '#web/ui/toast.tsx';
import styles from './room.module.css';

const HOUR_MINUTES = 60;
const DAY_MINUTES = 24 * HOUR_MINUTES;

const durations = [
  { value: '10', label: '10 分钟' },
  { value: String(HOUR_MINUTES), label: '1 小时' },
  { value: String(DAY_MINUTES), label: '1 天' },
  { value: String(7 * DAY_MINUTES), label: '7 天' },
  { value: String(30 * DAY_MINUTES), label: '30 天' },
];

const mutedQuery = (api: Client, essayId: string) =>
  callQuery(api, 'GET core/essay/group/chat/mute', { essayId });

interface MuteFormProps {
  essayId: string;
  user: UserCard;
  onClose: () => void;
}

function MuteForm({ essayId, user, onClose }: MuteFormProps) {
  const api = useApi();
  const queryClient = useQueryClient();
  const form = useForm({
    names: ['minutes'],
    submit: async ({ minutes }) => {
      await api('PUT core/essay/group/chat/mute', { essayId, userId: user.id, minutes: Number(minutes) });
      toast(`已将${user.displayName}禁言`);
      onClose();
      await queryClient.invalidateQueries(mutedQuery(api, essayId));
    },
  });
  return (
    <DialogForm form={form} className="stack gap-4" action="禁言" onCancel={onClose}>
      <ChoiceGroup name="minutes" legend="多久" options={durations} defaultValue={String(HOUR_MINUTES)} />
    </DialogForm>
  );
}

interface MuteDialogProps {
  essayId: string;
  /** Undefined when closed. */
  user: UserCard | undefined;
  onClose: () => void;
}

export function MuteDialog({ essayId, user, onClose }: MuteDialogProps) {
  // The user stays visible while the dialog closes.
  const [displayedUser, setDisplayedUser] = useState(user);
  if (user !== undefined && user !== displayedUser) setDisplayedUser(user);
  return (
    <Dialog
      open={user !== undefined}
      onOpenChange={onClose}
      title={`将${displayedUser?.displayName ?? ''}禁言`}
      description="TA 仍能看到群聊，到时自动恢复；你也可以在禁言名单里提前解除。"
    >
      {displayedUser === undefined ? null : (
        <MuteForm essayId={essayId} user={displayedUser} onClose={onClose} />
      )}
    </Dialog>
  );
}

function MutedList({ essayId }: { essayId: string }) {
  const api = useApi();
  const query = useQuery({ ...mutedQuery(api, essayId), refetchOnMount: 'always' });

  async function unmute({ id, displayName }: UserCard): Promise<void> {
    await runWithErrorToast(async () => {
      await api('PUT core/essay/group/chat/mute', { essayId, userId: id, minutes: 0 });
      toast(`已解除${displayName}的禁言`);
      await query.refetch();
    });
  }

  return (
    <QueryContent query={query} level="h3" loading={<LoadingSkeleton lines={['70 m']} />}>
      {({ list }) =>
        list.length === 0 ? (
          <p className="ink-3">没有人在禁言中。</p>
        ) : (
          <ul className={styles.muted} aria-label="禁言中的人">
            {list.map((user) => (
              <li key={user.id}>
                <Avatar name={user.displayName} image={user.headImg} />
                <div>
                  <strong>{user.displayName}</strong>
                  <small>到 {formatDateTime(user.mutedUntil).slice(0, 16)}</small>
                </div>
                <Button
                  size="small"
                  aria-label={`解除${user.displayName}的禁言`}
                  onClick={() => void unmute(user)}
                >
                  解除
                </Button>
              </li>
            ))}
          </ul>
        )
      }
    </QueryContent>
  );
}

interface MutedDialogProps extends DialogOpenProps {
  essayId: string;
}

export const MutedDialog = ({ essayId, open, onOpenChange }: MutedDialogProps) => (
  <Dialog open={open} onOpenChange={onOpenChange} title="禁言名单">
    <MutedList essayId={essayId} />
  </Dialog>
);
