import type { Folder } from '#contract/collections.ts';
import { useApi } from '#web/lib/app-context.ts';
import { useForm } from '#web/lib/form.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Choices } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import styles from './dialogs.module.css';

/** As many as one call takes. */
const AT_ONCE = 100;

interface MoveFormProps {
  essayIds: readonly string[];
  folders: readonly Folder[];
  onDone: (folder: Folder | undefined) => void;
  onCancel: () => void;
}

function MoveForm({ essayIds, folders, onDone, onCancel }: MoveFormProps) {
  const api = useApi();
  const { busy, errors, problem, props } = useForm({
    names: ['folderId'],
    check: ({ folderId }) => (folderId === '' ? { folderId: '请选择一个收藏夹' } : {}),
    submit: async ({ folderId }) => {
      for (let from = 0; from < essayIds.length; from += AT_ONCE)
        await api('PUT core/essay/collect', { essayIds: essayIds.slice(from, from + AT_ONCE), folderId });
      onDone(folders.find(({ id }) => id === folderId));
    },
  });
  if (folders.length === 0) return <p>还没有别的收藏夹，先新建一个，再把文章移过去。</p>;
  const options = folders.map(({ id, name, isPublic }) => ({
    value: id,
    label: isPublic ? `${name}（公开）` : name,
  }));
  return (
    <form {...props} className={styles.form}>
      {problem === '' ? null : <Notice tone="bad">{problem}</Notice>}
      <div className={styles.folders}>
        <Choices name="folderId" legend="收藏夹" options={options} error={errors.folderId} />
      </div>
      <div className={styles.buttons}>
        <Button onClick={onCancel}>取消</Button>
        <Button look="primary" type="submit" busy={busy}>
          移动
        </Button>
      </div>
    </form>
  );
}

interface MoveDialogProps extends Omit<MoveFormProps, 'onCancel'> {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export const MoveDialog = ({ open, onOpenChange, ...form }: MoveDialogProps) => (
  <Dialog
    open={open}
    onOpenChange={onOpenChange}
    title={form.essayIds.length > 1 ? `把 ${form.essayIds.length} 篇文章移到` : '把这篇文章移到'}
  >
    <MoveForm {...form} onCancel={() => onOpenChange(false)} />
  </Dialog>
);
