import { hasErrorCode } from '@mozhan/client/errors.ts';
import type { Folder } from '@mozhan/contract/collections.ts';
import { useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { useForm } from '#web/lib/form.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { DialogForm } from '#web/ui/dialog-form.tsx';
import { ChoiceGroup, Field } from '#web/ui/field.tsx';
import type { DialogOpenProps } from '#web/ui/lazy-dialog.tsx';
import styles from './dialogs.module.css';

/** Option value for creating a new private folder. */
const NEW_FOLDER = 'new';

interface RemoveFormProps {
  folder: Folder;
  others: readonly Folder[];
  onDone: () => void;
  onCancel: () => void;
}

function RemoveForm({ folder, others, onDone, onCancel }: RemoveFormProps) {
  const api = useApi();
  const [moveTo, setMoveTo] = useState(others.find(({ isPublic }) => !isPublic)?.id ?? NEW_FOLDER);
  const form = useForm({
    names: ['moveTo', 'name'],
    check: ({ moveTo, name }) =>
      moveTo === NEW_FOLDER && name.trim() === '' ? { name: '请填写新收藏夹的名称' } : {},
    submit: async ({ moveTo, name }) => {
      const id = moveTo === NEW_FOLDER ? (await api('POST core/user/folder', { name })).id : moveTo;
      await api('DELETE core/user/folder', { id: folder.id, moveTo: id });
      onDone();
    },
    fieldOfError: (error) => (hasErrorCode(error, 'FOLDER_TAKEN') ? 'name' : undefined),
  });
  const options = others.map(({ id, name, isPublic }) => ({
    value: id,
    label: isPublic ? `${name}（公开，别人会看到）` : `${name}（不公开）`,
  }));
  return (
    <DialogForm form={form} action="删除" danger onCancel={onCancel}>
      <div className={styles.folders}>
        <ChoiceGroup
          {...form.field('moveTo')}
          legend={`里面的 ${folder.essayCount} 篇文章移到`}
          options={[...options, { value: NEW_FOLDER, label: '新建一个不公开的收藏夹' }]}
          value={moveTo}
          onChange={setMoveTo}
        />
      </div>
      {moveTo === NEW_FOLDER ? (
        <Field {...form.field('name')} label="新收藏夹的名称" maxLength={30} autoComplete="off" />
      ) : null}
    </DialogForm>
  );
}

type RemoveDialogProps = Omit<RemoveFormProps, 'onCancel'> & DialogOpenProps;

/** Asks where to move the essays of a private folder, because the default folder would make them public. */
export const RemoveDialog = ({ open, onOpenChange, ...form }: RemoveDialogProps) => (
  <Dialog open={open} onOpenChange={onOpenChange} title={`删除收藏夹「${form.folder.name}」？`}>
    <RemoveForm {...form} onCancel={() => onOpenChange(false)} />
  </Dialog>
);
