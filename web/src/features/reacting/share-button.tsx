import type { Essay } from '@mozhan/contract/essays.ts';
import { useLateDialog } from '#web/ui/late-dialog.tsx';
import { Action } from './action.tsx';
import styles from './action-bar.module.css';

const load = () => import('./share-dialog.tsx').then(({ ShareDialog }) => ShareDialog);

export function ShareButton({ essay }: { essay: Essay }) {
  const { open, prepare, dialog } = useLateDialog(load);
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
      {dialog({ essay })}
    </div>
  );
}
