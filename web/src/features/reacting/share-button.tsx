import type { Essay } from '@mozhan/contract/essays.ts';
import { useLazyDialog } from '#web/ui/lazy-dialog.tsx';
import styles from './action-bar.module.css';
import { ActionButton } from './action-button.tsx';

const load = () => import('./share-dialog.tsx').then(({ ShareDialog }) => ShareDialog);

export function ShareButton({ essay }: { essay: Essay }) {
  const { open, preload, dialog } = useLazyDialog(load);
  return (
    <div className={styles.item}>
      <ActionButton
        icon="share"
        label="分享"
        count={essay.shareCount}
        aria-haspopup="dialog"
        onClick={open}
        onPointerEnter={preload}
        onFocus={preload}
      />
      {dialog({ essay })}
    </div>
  );
}
