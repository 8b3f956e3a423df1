import { FLAG } from '@mozhan/contract/enums.ts';
import type { UserCard } from '@mozhan/contract/users.ts';
import { App } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import type { Field } from '#admin/ui/fields.tsx';
import { FormModal } from '#admin/ui/form-modal.tsx';
import { UserFilter } from '#admin/ui/user-filter.tsx';

interface Values {
  userId: string | undefined;
  note: string;
}

const writerField: Field<Values> = {
  name: 'userId',
  kind: 'own',
  label: '作者',
  rules: [{ required: true, message: '请选择作者' }],
  control: <UserFilter label="按昵称查找作者" />,
};

interface PickFormProps {
  open: boolean;
  /** When undefined, the form asks for the writer. */
  pick?: { user: UserCard; note?: string } | undefined;
  onClose: () => void;
}

export function PickForm({ open, pick, onClose }: PickFormProps) {
  const { api } = useApp();
  const { message } = App.useApp();
  const name = pick?.user.displayName;
  return (
    <FormModal<Values>
      title={name === undefined ? '推荐作者' : `推荐「${name}」`}
      open={open}
      onClose={onClose}
      values={{ userId: pick?.user.id, note: pick?.note ?? '' }}
      fields={[
        pick === undefined && writerField,
        {
          name: 'note',
          kind: 'lines',
          label: '推荐语（可选）',
          maxLength: 60,
          help: '显示在码星页作者的名字旁',
        },
      ]}
      submit={async ({ userId, note }) => {
        if (userId === undefined) return;
        await api('PUT core/code/star/', { userId, picked: FLAG.on, note });
        message.success(name === undefined ? '已推荐' : `已推荐「${name}」`);
      }}
      codes={{ TOO_MANY_PICKS: 'userId' }}
    />
  );
}
