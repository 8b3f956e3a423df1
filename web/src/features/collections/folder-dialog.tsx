import { hasErrorCode } from '@mozhan/client/errors.ts';
import type { Folder } from '@mozhan/contract/collections.ts';
import { useApi } from '#web/lib/app-context.ts';
import { requiredFieldErrors, useForm } from '#web/lib/form.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { DialogForm } from '#web/ui/dialog-form.tsx';
import { Field, SwitchField } from '#web/ui/field.tsx';
import type { DialogOpenProps } from '#web/ui/lazy-dialog.tsx';

interface FolderFormProps {
  /** Null for a new folder. */
  folder: Folder | null;
  onDone: (folder: Folder) => void;
  onCancel: () => void;
}

function FolderForm({ folder, onDone, onCancel }: FolderFormProps) {
  const api = useApi();
  const form = useForm({
    names: ['name', 'isPublic'],
    initial: folder && { name: folder.name },
    check: (values) => requiredFieldErrors(values, { name: '请填写名称' }),
    submit: async ({ name, isPublic }) => {
      const fields = { name, isPublic: isPublic !== '' };
      onDone(
        folder === null
          ? await api('POST core/user/folder', fields)
          : await api('PUT core/user/folder', { id: folder.id, ...fields }),
      );
    },
    fieldOfError: (error) => (hasErrorCode(error, 'FOLDER_TAKEN') ? 'name' : undefined),
  });
  return (
    <DialogForm form={form} action={folder === null ? '新建' : '保存'} onCancel={onCancel}>
      <Field {...form.field('name')} label="名称" maxLength={30} autoComplete="off" />
      <SwitchField
        name="isPublic"
        label="公开"
        description="别人可以在你的主页看到它，也可以用链接打开"
        defaultChecked={folder?.isPublic}
      />
    </DialogForm>
  );
}

type FolderDialogProps = Omit<FolderFormProps, 'onCancel'> & DialogOpenProps;

export const FolderDialog = ({ open, onOpenChange, ...form }: FolderDialogProps) => (
  <Dialog open={open} onOpenChange={onOpenChange} title={form.folder === null ? '新建收藏夹' : '编辑收藏夹'}>
    <FolderForm {...form} onCancel={() => onOpenChange(false)} />
  </Dialog>
);
