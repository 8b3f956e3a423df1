import { type ComponentType, useState } from 'react';
import { toast } from './toast.tsx';

/** Of a dialog that somebody else opens and closes. */
export interface Opened {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** A dialog whose code is fetched when it is wanted, or already when somebody reaches for it. */
export function useLateDialog<Props extends Opened>(
  load: () => Promise<ComponentType<Props>>,
  onFailed = () => toast('没能打开，请检查网络后再试', 'warn'),
) {
  const [Dialog, setDialog] = useState<ComponentType<Props>>();
  const [isOpen, setOpen] = useState(false);

  function open(): void {
    load().then((fetched) => {
      setDialog(() => fetched);
      setOpen(true);
    }, onFailed);
  }

  return {
    open,
    close: () => setOpen(false),
    /** A failure shows when it is wanted. */
    prepare: () => void load().catch(() => {}),
    dialog: (props: Omit<Props, keyof Opened>) =>
      Dialog === undefined ? null : <Dialog {...(props as Props)} open={isOpen} onOpenChange={setOpen} />,
  };
}
