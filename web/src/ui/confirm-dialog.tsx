import { useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Button } from './button.tsx';
import type { Question } from './confirm.tsx';
import { Dialog } from './dialog.tsx';

interface ConfirmDialogProps {
  question: Question;
  onAnswer: (answer: boolean) => void;
  onClosed: () => void;
}

function ConfirmDialog({ question, onAnswer, onClosed }: ConfirmDialogProps) {
  const { title, text, action = '确定', danger = false } = question;
  const [open, setOpen] = useState(true);
  const no = useRef<HTMLButtonElement>(null);
  const yes = useRef<HTMLButtonElement>(null);

  function answer(value: boolean): void {
    setOpen(false);
    onAnswer(value);
  }

  return (
    <Dialog
      alert
      open={open}
      onOpenChange={() => answer(false)}
      onClosed={onClosed}
      title={title}
      description={text}
      initialFocus={danger ? no : yes}
      footer={
        <>
          <Button ref={no} onClick={() => answer(false)}>
            取消
          </Button>
          <Button ref={yes} look={danger ? 'danger' : 'primary'} onClick={() => answer(true)}>
            {action}
          </Button>
        </>
      }
    />
  );
}

/** In a place of its own, so that whoever asks need not be part of any page. */
export function askInDialog(question: Question): Promise<boolean> {
  const root = createRoot(document.createElement('div'));
  return new Promise((resolve) => {
    root.render(<ConfirmDialog question={question} onAnswer={resolve} onClosed={() => root.unmount()} />);
  });
}
