import { hasErrorCode } from '@mozhan/client/errors.ts';
import type { Folder } from '@mozhan/contract/collections.ts';
import { useRef, useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { useForm } from '#web/lib/form.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { DialogForm } from '#web/ui/dialog-form.tsx';
import { ChoiceGroup, Field, SwitchField } from '#web/ui/field.tsx';
import type { DialogOpenProps } from '#web/ui/lazy-dialog.tsx';
import styles from './dialogs.module.css';

/** Limit of the API call. */
const MAX_BATCH_SIZE = 100;

const NEW_FOLDER = 'new';

interface MoveFormProps {
  essayIds: readonly string[];
  folders: readonly Folder[];
  onDone: (folder: Folder) => void;
  onCancel: () => void;
}

function MoveForm({ essayIds, folders, onDone, onCancel }: MoveFormProps) {
  const api = useApi();
  const [chosen, setChosen] = useState(folders.length === 0 ? NEW_FOLDER : '');
  /** Created by an attempt that failed afterwards; reused by the next one. */
  const createdFolder = useRef<Folder>(null);
  const form = useForm({
    names: ['folderId', 'name', 'isPublic'],
    check: ({ folderId, name }) => {
      if (folderId === '') return { folderId: '请选择一个收藏夹' };
      return folderId === NEW_FOLDER && name.trim() === '' ? { name: '请填写名称' } : {};
    },
    submit: async ({ folderId, name, isPublic }) => {
      const folder =
        folders.find(({ id }) => id === folderId) ??
        createdFolder.current ??
        (await api('POST core/user/folder', { name: name.trim(), isPublic: isPublic !== '' }));
      if (folderId === NEW_FOLDER) createdFolder.current = folder;
      for (let from = 0; from < essayIds.length; from += MAX_BATCH_SIZE)
        await api('PUT core/essay/collect', {
          essayIds: essayIds.slice(from, from + MAX_BATCH_SIZE),
          folderId: folder.id,
        });
      onDone(folder);
    },
    fieldOfError: (error) => (hasErrorCode(error, 'FOLDER_TAKEN') ? 'name' : undefined),
  });
  const options = folders.map(({ id, name, isPublic }) => ({
    value: id,
    label: isPublic ? `${name}（公开）` : name,
  }));
  return (
    <DialogForm form={form} action="移动" onCancel={onCancel}>
      <div className={styles.folders}>
        <ChoiceGroup
          {...form.field('folderId')}
          legend="收藏夹"
          options={[...options, { value: NEW_FOLDER, label: '新建收藏夹' }]}
          value={chosen}
          onChange={setChosen}
        />
      </div>
      {chosen === NEW_FOLDER ? (
        <>
          <Field {...form.field('name')} label="新收藏夹的名称" maxLength={30} autoComplete="off" />
          <SwitchField name="isPublic" label="公开" description="别人可以在你的主页看到它" />
        </>
      ) : null}
    </DialogForm>
  );
}

type MoveDialogProps = Omit<MoveFormProps, 'onCancel'> & DialogOpenProps;

export const MoveDialog = ({ open, onOpenChange, ...form }: MoveDialogProps) => (
  <Dialog
    open={open}
    onOpenChange={onOpenChange}
    title={form.essayIds.length > 1 ? `把 ${form.essayIds.length} 篇文章移到` : '把这篇文章移到'}
  >
    <MoveForm {...form} onCancel={() => onOpenChange(false)} />
  </Dialog>
);
