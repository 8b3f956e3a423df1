import type { UserCard } from '@mozhan/contract/users.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import type { Opened } from '#web/ui/late-dialog.tsx';
import { LetterForm } from './letter-form.tsx';

interface LetterDialogProps extends Opened {
  to: Pick<UserCard, 'id' | 'displayName'>;
  /** What it is about. */
  essay?: { id: string; title: string };
}

/** Begins a thread. Loaded when somebody wants to write. */
export function LetterDialog({ to, essay, open, onOpenChange }: LetterDialogProps) {
  const me = useCurrentUser();
  const close = () => onOpenChange(false);
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`写信给${to.displayName}`}
      description={
        essay === undefined ? '只有你们两个人看得到。' : `关于《${essay.title}》。只有你们两个人看得到。`
      }
    >
      <LetterForm
        given={{ toUserId: to.id, ...(essay !== undefined && { essayId: essay.id }) }}
        draftKey={`${me?.id}:${to.id}:${essay?.id ?? ''}`}
        hasSubject
        label="内容"
        placeholder="说明来意，更容易得到回复。"
        onSent={close}
        onCancel={close}
      />
    </Dialog>
  );
}
