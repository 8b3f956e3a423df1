import type { UserCard } from '@mozhan/contract/users.ts';
import { type ComponentProps, type ComponentType, useState } from 'react';
import { useCurrentUser } from '#web/lib/session.ts';
import { Link, useView } from '#web/router/router.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { toast } from '#web/ui/toast.tsx';
import type { LetterDialog } from './letter-dialog.tsx';

interface LetterButtonProps {
  user: UserCard;
  /** What the letter is about. */
  essay?: { id: string; title: string };
}

/** Opens a letter to somebody, whose code is fetched only then; visitors sign in first. */
export function LetterButton({ user, essay }: LetterButtonProps) {
  const isSignedIn = useCurrentUser() !== null;
  const { url } = useView();
  const [Dialog, setDialog] = useState<ComponentType<ComponentProps<typeof LetterDialog>>>();
  const [isOpen, setOpen] = useState(false);

  function open(): void {
    import('./letter-dialog.tsx').then(
      ({ LetterDialog }) => {
        setDialog(() => LetterDialog);
        setOpen(true);
      },
      () => toast('没能打开，请检查网络后再试', 'warn'),
    );
  }

  if (!isSignedIn)
    return (
      <Link className={buttonClass()} to="/login.html" search={{ redirect: url }} rel="nofollow">
        私信
      </Link>
    );
  return (
    <>
      <Button aria-haspopup="dialog" aria-label={`给${user.displayName}写私信`} onClick={open}>
        私信
      </Button>
      {Dialog === undefined ? null : <Dialog to={user} essay={essay} open={isOpen} onOpenChange={setOpen} />}
    </>
  );
}
