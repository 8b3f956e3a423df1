import { Button } from '#web/ui/button.tsx';
import { useLazyDialog } from '#web/ui/lazy-dialog.tsx';
import styles from './selection-bar.module.css';
import { useOwnActs } from './use-own-acts.ts';

const loadMoveDialog = () => import('./move-dialog.tsx').then(({ MoveDialog }) => MoveDialog);

interface SelectionBarProps {
  ids: string[];
  onDone: () => void;
}

/** Acts on the selected essays; those that an act does not fit are named afterwards. */
export function SelectionBar({ ids, onDone }: SelectionBarProps) {
  const { run, isBusy } = useOwnActs();
  const move = useLazyDialog(loadMoveDialog);
  const isIdle = isBusy || ids.length === 0;

  async function runAll(act: Parameters<typeof run>[0]): Promise<void> {
    await run(act);
    onDone();
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend
    <div className={styles.bar} role="group" aria-label="批量操作">
      <span className="text-m" role="status">
        {ids.length === 0 ? '选择文章' : `已选 ${ids.length} 篇`}
      </span>
      <span className={styles.acts}>
        <Button size="small" busy={isIdle} onClick={() => runAll({ act: 'shelve', ids })}>
          上架
        </Button>
        <Button size="small" busy={isIdle} onClick={() => runAll({ act: 'unshelve', ids })}>
          下架
        </Button>
        <Button size="small" busy={isIdle} onClick={move.open}>
          移到专栏
        </Button>
        <Button size="small" variant="danger" busy={isIdle} onClick={() => runAll({ act: 'remove', ids })}>
          删除
        </Button>
        <Button size="small" variant="ghost" onClick={onDone}>
          完成
        </Button>
      </span>
      {move.dialog({
        count: ids.length,
        onMove: (columnId) => void runAll({ act: 'move', ids, columnId }),
      })}
    </div>
  );
}
