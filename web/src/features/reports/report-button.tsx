import type { ReportKind } from '@mozhan/contract/reports.ts';
import type { ReactNode } from 'react';
import { useCurrentUser } from '#web/lib/session.ts';
import { SignInLink } from '#web/router/sign-in-link.tsx';
import { useLazyDialog } from '#web/ui/lazy-dialog.tsx';

const load = () => import('./report-dialog.tsx').then(({ ReportDialog }) => ReportDialog);

interface ReportButtonProps {
  kind: ReportKind;
  targetId: string;
  className?: string;
  children: ReactNode;
}

/** Opens a dialog that asks for the reason, whose code is loaded on demand; visitors have to sign in first. */
export function ReportButton({ kind, targetId, className, children }: ReportButtonProps) {
  const { open, dialog } = useLazyDialog(load);
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
