import type { Essay } from '@mozhan/contract/essays.ts';
import { type ComponentProps, type ComponentType, useState } from 'react';
import { toast } from '#web/ui/toast.tsx';
import { Action } from './action.tsx';
import styles from './action-bar.module.css';
import type { ShareDialog } from './share-dialog.tsx';

const load = () => import('./share-dialog.tsx');
/** Fetched when somebody reaches for it; a failure shows when it is wanted. */
const prepare = () => void load().catch(() => {});

export function ShareButton({ essay }: { essay: Essay }) {
  const [Dialog, setDialog] = useState<ComponentType<ComponentProps<typeof ShareDialog>>>();
  const [isOpen, setOpen] = useState(false);

  function open(): void {
    load().then(
      ({ ShareDialog }) => {
        setDialog(() => ShareDialog);
        setOpen(true);
      },
      () => toast('没能打开，请检查网络后再试', 'warn'),
    );
  }

  return (
    <div className={styles.item}>
      <Action
        icon="share"
        word="分享"
        count={essay.shareCount}
        aria-haspopup="dialog"
        onClick={open}
        onPointerEnter={prepare}
        onFocus={prepare}
      />
      {Dialog === undefined ? null : <Dialog essay={essay} open={isOpen} onOpenChange={setOpen} />}
    </div>
  );
}
