import type { ReportKind } from '@mozhan/contract/reports.ts';
import type { ReactNode } from 'react';
import { useCurrentUser } from '#web/lib/session.ts';
import { SignInLink } from '#web/router/sign-in-link.tsx';
import { useLateDialog } from '#web/ui/late-dialog.tsx';

const load = () => import('./report-dialog.tsx').then(({ ReportDialog }) => ReportDialog);

interface ReportButtonProps {
  kind: ReportKind;
  targetId: string;
  className?: string;
  children: ReactNode;
}

/** Asks for the reason in a dialog, whose code is fetched only then; visitors sign in first. */
export function ReportButton({ kind, targetId, className, children }: ReportButtonProps) {
  const { open, dialog } = useLateDialog(load);
  if (useCurrentUser() === null) return <SignInLink className={className}>{children}</SignInLink>;
  return (
    <>
      <button type="button" className={className} aria-haspopup="dialog" onClick={open}>
        {children}
      </button>
      {dialog({ kind, targetId })}
    </>
  );
}
