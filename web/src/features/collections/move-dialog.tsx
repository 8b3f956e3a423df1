import { hasCode } from '@mozhan/client/errors.ts';
import type { Folder } from '@mozhan/contract/collections.ts';
import { useRef, useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { useForm } from '#web/lib/form.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { DialogForm } from '#web/ui/dialog-form.tsx';
import { Choices, Field, SwitchField } from '#web/ui/field.tsx';
import type { Opened } from '#web/ui/late-dialog.tsx';
import styles from './dialogs.module.css';

/** As many as one call takes. */
const AT_ONCE = 100;

/** A folder that is not there yet. */
const NEW = 'new';

interface MoveFormProps {
  essayIds: readonly string[];
  folders: readonly Folder[];
  onDone: (folder: Folder) => void;
  onCancel: () => void;
}

function MoveForm({ essayIds, folders, onDone, onCancel }: MoveFormProps) {
  const api = useApi();
  const [chosen, setChosen] = useState(folders.length === 0 ? NEW : '');
  /** Made by an attempt whose second half failed. */
  const made = useRef<Folder>(null);
  const form = useForm({
    names: ['folderId', 'name', 'isPublic'],
    check: ({ folderId, name }) => {
      if (folderId === '') return { folderId: '请选择一个收藏夹' };
      return folderId === NEW && name.trim() === '' ? { name: '请填写名称' } : {};
    },
    submit: async ({ folderId, name, isPublic }) => {
      const folder =
        folders.find(({ id }) => id === folderId) ??
        made.current ??
        (await api('POST core/user/folder', { name: name.trim(), isPublic: isPublic !== '' }));
      if (folderId === NEW) made.current = folder;
      for (let from = 0; from < essayIds.length; from += AT_ONCE)
        await api('PUT core/essay/collect', {
          essayIds: essayIds.slice(from, from + AT_ONCE),
          folderId: folder.id,
        });
      onDone(folder);
    },
    place: (error) => (hasCode(error, 'FOLDER_TAKEN') ? 'name' : undefined),
  });
  const options = folders.map(({ id, name, isPublic }) => ({
    value: id,
    label: isPublic ? `${name}（公开）` : name,
  }));
  return (
    <DialogForm form={form} action="移动" onCancel={onCancel}>
      <div className={styles.folders}>
        <Choices
          {...form.field('folderId')}
          legend="收藏夹"
          options={[...options, { value: NEW, label: '新建收藏夹' }]}
          value={chosen}
          onChange={setChosen}
        />
      </div>
      {chosen === NEW ? (
        <>
          <Field {...form.field('name')} label="新收藏夹的名称" maxLength={30} autoComplete="off" />
          <SwitchField name="isPublic" label="公开" description="别人可以在你的主页看到它" />
        </>
      ) : null}
    </DialogForm>
  );
}

type MoveDialogProps = Omit<MoveFormProps, 'onCancel'> & Opened;

export const MoveDialog = ({ open, onOpenChange, ...form }: MoveDialogProps) => (
  <Dialog
    open={open}
    onOpenChange={onOpenChange}
    title={form.essayIds.length > 1 ? `把 ${form.essayIds.length} 篇文章移到` : '把这篇文章移到'}
  >
    <MoveForm {...form} onCancel={() => onOpenChange(false)} />
  </Dialog>
);
