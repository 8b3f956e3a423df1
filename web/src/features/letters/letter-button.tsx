import type { UserCard } from '@mozhan/contract/users.ts';
import { useSite } from '#web/lib/queries.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { SignInLink } from '#web/router/sign-in-link.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { useLazyDialog } from '#web/ui/lazy-dialog.tsx';

const load = () => import('./letter-dialog.tsx').then(({ LetterDialog }) => LetterDialog);

interface LetterButtonProps {
  user: UserCard;
  /** The essay that the letter is about. */
  essay?: { id: string; title: string };
}

/** Opens a dialog to write a letter, whose code is loaded on demand; visitors have to sign in first. */
export function LetterButton({ user, essay }: LetterButtonProps) {
  const { open, dialog } = useLazyDialog(load);
  const isOn = useSite().switches.letters;
  const me = useCurrentUser();
  if (!isOn) return null;
  if (me === null) return <SignInLink className={buttonClass()}>私信</SignInLink>;
  return (
    <>
      <Button aria-haspopup="dialog" aria-label={`给${user.displayName}写私信`} onClick={open}>
        私信
      </Button>
      {dialog({ to: user, essay })}
    </>
  );
}
