import { type ComponentType, useState } from 'react';
import { toast } from './toast.tsx';

export interface DialogOpenProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Loads a dialog's code when it is opened, or earlier by `preload`. */
export function useLazyDialog<Props extends DialogOpenProps>(
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
    /** Errors are ignored here and reported by `open`. */
    preload: () => void load().catch(() => {}),
    dialog: (props: Omit<Props, keyof DialogOpenProps>) =>
      Dialog === undefined ? null : <Dialog {...(props as Props)} open={isOpen} onOpenChange={setOpen} />,
  };
}
