import { hasCode } from '@mozhan/client/errors.ts';
import type { Folder } from '@mozhan/contract/collections.ts';
import { useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { useForm } from '#web/lib/form.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { DialogForm } from '#web/ui/dialog-form.tsx';
import { Choices, Field } from '#web/ui/field.tsx';
import type { Opened } from '#web/ui/late-dialog.tsx';
import styles from './dialogs.module.css';

/** A private folder that is not there yet. */
const NEW = 'new';

interface RemoveFormProps {
  folder: Folder;
  /** Where its essays may go. */
  others: readonly Folder[];
  onDone: () => void;
  onCancel: () => void;
}

function RemoveForm({ folder, others, onDone, onCancel }: RemoveFormProps) {
  const api = useApi();
  const [moveTo, setMoveTo] = useState(others.find(({ isPublic }) => !isPublic)?.id ?? NEW);
  const form = useForm({
    names: ['moveTo', 'name'],
    check: ({ moveTo, name }) =>
      moveTo === NEW && name.trim() === '' ? { name: '请填写新收藏夹的名称' } : {},
    submit: async ({ moveTo, name }) => {
      const id = moveTo === NEW ? (await api('POST core/user/folder', { name })).id : moveTo;
      await api('DELETE core/user/folder', { id: folder.id, moveTo: id });
      onDone();
    },
    place: (error) => (hasCode(error, 'FOLDER_TAKEN') ? 'name' : undefined),
  });
  const options = others.map(({ id, name, isPublic }) => ({
    value: id,
    label: isPublic ? `${name}（公开，别人会看到）` : `${name}（不公开）`,
  }));
  return (
    <DialogForm form={form} action="删除" danger onCancel={onCancel}>
      <div className={styles.folders}>
        <Choices
          {...form.field('moveTo')}
          legend={`里面的 ${folder.essayCount} 篇文章移到`}
          options={[...options, { value: NEW, label: '新建一个不公开的收藏夹' }]}
          value={moveTo}
          onChange={setMoveTo}
        />
      </div>
      {moveTo === NEW ? (
        <Field {...form.field('name')} label="新收藏夹的名称" maxLength={30} autoComplete="off" />
      ) : null}
    </DialogForm>
  );
}

type RemoveDialogProps = Omit<RemoveFormProps, 'onCancel'> & Opened;

/** Removes a private folder whose essays would be public in the default one: where they go is the owner's choice. */
export const RemoveDialog = ({ open, onOpenChange, ...form }: RemoveDialogProps) => (
  <Dialog open={open} onOpenChange={onOpenChange} title={`删除收藏夹「${form.folder.name}」？`}>
    <RemoveForm {...form} onCancel={() => onOpenChange(false)} />
  </Dialog>
);
