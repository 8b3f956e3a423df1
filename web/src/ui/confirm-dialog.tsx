import { useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Button } from './button.tsx';
import type { ConfirmOptions } from './confirm.tsx';
import { Dialog } from './dialog.tsx';

interface ConfirmDialogProps {
  options: ConfirmOptions;
  onResult: (answer: boolean) => void;
  onClosed: () => void;
}

function ConfirmDialog({ options, onResult, onClosed }: ConfirmDialogProps) {
  const { title, text, action = '确定', danger = false } = options;
  const [open, setOpen] = useState(true);
  const cancelButton = useRef<HTMLButtonElement>(null);
  const confirmButton = useRef<HTMLButtonElement>(null);

  function close(result: boolean): void {
    setOpen(false);
    onResult(result);
  }

  return (
    <Dialog
      alert
      open={open}
      onOpenChange={() => close(false)}
      onClosed={onClosed}
      title={title}
      description={text}
      initialFocus={danger ? cancelButton : confirmButton}
      footer={
        <>
          <Button ref={cancelButton} onClick={() => close(false)}>
            取消
          </Button>
          <Button ref={confirmButton} variant={danger ? 'danger' : 'primary'} onClick={() => close(true)}>
            {action}
          </Button>
        </>
      }
    />
  );
}

/** Renders into its own React root, so that code outside of any component can use it. */
export function showConfirmDialog(options: ConfirmOptions): Promise<boolean> {
  const root = createRoot(document.createElement('div'));
  return new Promise((resolve) => {
    root.render(<ConfirmDialog options={options} onResult={resolve} onClosed={() => root.unmount()} />);
  });
}
