import type { UserCard } from '@mozhan/contract/users.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import type { DialogOpenProps } from '#web/ui/lazy-dialog.tsx';
import { LetterForm } from './letter-form.tsx';

interface LetterDialogProps extends DialogOpenProps {
  to: Pick<UserCard, 'id' | 'displayName'>;
  /** The essay that the letter is about. */
  essay?: { id: string; title: string };
}

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
        target={{ toUserId: to.id, ...(essay !== undefined && { essayId: essay.id }) }}
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
