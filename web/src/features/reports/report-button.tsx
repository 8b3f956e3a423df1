import type { ReportKind } from '@mozhan/contract/reports.ts';
import { type ComponentProps, type ComponentType, type ReactNode, useState } from 'react';
import { useCurrentUser } from '#web/lib/session.ts';
import { Link, useView } from '#web/router/router.tsx';
import { toast } from '#web/ui/toast.tsx';
import type { ReportDialog } from './report-dialog.tsx';

interface ReportButtonProps {
  kind: ReportKind;
  targetId: string;
  className?: string;
  children: ReactNode;
}

/** Asks for the reason in a dialog, whose code is fetched only then; visitors sign in first. */
export function ReportButton({ kind, targetId, className, children }: ReportButtonProps) {
  const isSignedIn = useCurrentUser() !== null;
  const { url } = useView();
  const [Dialog, setDialog] = useState<ComponentType<ComponentProps<typeof ReportDialog>>>();
  const [isOpen, setOpen] = useState(false);

  function open(): void {
    import('./report-dialog.tsx').then(
      ({ ReportDialog }) => {
        setDialog(() => ReportDialog);
        setOpen(true);
      },
      () => toast('没能打开，请检查网络后再试', 'warn'),
    );
  }

  if (!isSignedIn)
    return (
      <Link className={className} to="/login.html" search={{ redirect: url }} rel="nofollow">
        {children}
      </Link>
    );
  return (
    <>
      <button type="button" className={className} aria-haspopup="dialog" onClick={open}>
        {children}
      </button>
      {Dialog === undefined ? null : (
        <Dialog kind={kind} targetId={targetId} open={isOpen} onOpenChange={setOpen} />
      )}
    </>
  );
}
