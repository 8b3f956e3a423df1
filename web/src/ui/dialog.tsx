import { AlertDialog } from '@base-ui/react/alert-dialog';
import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode, RefObject } from 'react';
import styles from './dialog.module.css';
import { Icon } from './icon.tsx';
import { IconButton } from './icon-button.tsx';
import overlay from './overlay.module.css';

interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Called after the closing animation. */
  onClosed?: () => void;
  title: string;
  description?: ReactNode;
  footer?: ReactNode;
  /** Requires an answer: only its buttons and Escape close it. */
  alert?: boolean;
  initialFocus?: RefObject<HTMLElement | null>;
  children?: ReactNode;
}

/** Large dependency: import it only from code that is loaded on demand. */
export function Dialog(props: DialogProps) {
  const {
    open,
    onOpenChange,
    onClosed,
    title,
    description,
    footer,
    alert = false,
    initialFocus,
    children,
  } = props;
  const Root = alert ? AlertDialog.Root : Base.Root;
  return (
    <Root
      open={open}
      onOpenChange={(next) => onOpenChange(next)}
      onOpenChangeComplete={(isOpen) => {
        if (!isOpen) onClosed?.();
      }}
    >
      <Base.Portal>
        <Base.Backdrop className={overlay.scrim} />
        <Base.Viewport className={`${overlay.layer} ${styles.viewport}`}>
          <Base.Popup className={styles.dialog} initialFocus={initialFocus}>
            <div className={styles.head}>
              <Base.Title>{title}</Base.Title>
              {alert ? null : (
                <Base.Close render={<IconButton label="关闭" />}>
                  <Icon name="close" />
                </Base.Close>
              )}
            </div>
            {description ? (
              <Base.Description className={styles.description}>{description}</Base.Description>
            ) : null}
            {children ? <div className={styles.body}>{children}</div> : null}
            {footer ? <div className={styles.foot}>{footer}</div> : null}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Root>
  );
}
