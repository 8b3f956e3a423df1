import type { Client } from '@mozhan/contract/client.ts';
import type { UserCard } from '@mozhan/contract/users.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { useForm } from '#web/lib/form.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { call } from '#web/lib/queries.ts';
import { attempt } from '#web/ui/attempt.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { DialogForm } from '#web/ui/dialog-form.tsx';
import { Choices } from '#web/ui/field.tsx';
import type { Opened } from '#web/ui/late-dialog.tsx';
import { Loaded } from '#web/ui/loaded.tsx';
import { toast } from '#web/ui/toast.tsx';
import { Waiting } from '#web/ui/waiting.tsx';
import styles from './room.module.css';

const HOUR = 60;
const DAY = 24 * HOUR;

const spans = [
  { value: '10', label: '10 分钟' },
  { value: String(HOUR), label: '1 小时' },
  { value: String(DAY), label: '1 天' },
  { value: String(7 * DAY), label: '7 天' },
  { value: String(30 * DAY), label: '30 天' },
];

const mutedQuery = (api: Client, essayId: string) => call(api, 'GET core/essay/group/chat/mute', { essayId });

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
      <Choices name="minutes" legend="多久" options={spans} defaultValue={String(HOUR)} />
    </DialogForm>
  );
}

interface MuteDialogProps {
  essayId: string;
  /** Undefined: closed. */
  user: UserCard | undefined;
  onClose: () => void;
}

/** For how long somebody is to be silent in the room of an essay of one's own. */
export function MuteDialog({ essayId, user, onClose }: MuteDialogProps) {
  // Still shown while the dialog leaves.
  const [last, setLast] = useState(user);
  if (user !== undefined && user !== last) setLast(user);
  return (
    <Dialog
      open={user !== undefined}
      onOpenChange={onClose}
      title={`将${last?.displayName ?? ''}禁言`}
      description="TA 仍能看到群聊，到时自动恢复；你也可以在禁言名单里提前解除。"
    >
      {last === undefined ? null : <MuteForm essayId={essayId} user={last} onClose={onClose} />}
    </Dialog>
  );
}

function Muted({ essayId }: { essayId: string }) {
  const api = useApi();
  const query = useQuery({ ...mutedQuery(api, essayId), refetchOnMount: 'always' });

  async function release({ id, displayName }: UserCard): Promise<void> {
    await attempt(async () => {
      await api('PUT core/essay/group/chat/mute', { essayId, userId: id, minutes: 0 });
      toast(`已解除${displayName}的禁言`);
      await query.refetch();
    });
  }

  return (
    <Loaded query={query} level="h3" waiting={<Waiting lines={['70 m']} />}>
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
                  onClick={() => void release(user)}
                >
                  解除
                </Button>
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}

interface MutedDialogProps extends Opened {
  essayId: string;
}

/** Who is silent in the room, and how they may speak again. */
export const MutedDialog = ({ essayId, open, onOpenChange }: MutedDialogProps) => (
  <Dialog open={open} onOpenChange={onOpenChange} title="禁言名单">
    <Muted essayId={essayId} />
  </Dialog>
);
