import { FLAG } from '@mozhan/contract/enums.ts';
import { App } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import type { Field } from '#admin/ui/fields.tsx';
import { FormModal } from '#admin/ui/form-modal.tsx';
import { textField } from '#admin/ui/text-field.tsx';
import { UserFilter } from '#admin/ui/user-filter.tsx';

/** Whom to pick; `new`: somebody who is yet to be chosen. */
export type Picked = { id: string; name: string; note: string } | 'new';

interface Values {
  userId: string | undefined;
  note: string;
}

interface WriterInputProps {
  /** These come from the form. */
  value?: string;
  onChange?: (value: string | undefined) => void;
}

function WriterInput({ value, onChange }: WriterInputProps) {
  return <UserFilter label="按昵称查找作者" value={value} onChange={(chosen) => onChange?.(chosen)} />;
}

const writerField: Field<Values> = {
  name: 'userId',
  kind: 'own',
  label: '作者',
  rules: [{ required: true, message: '请选择作者' }],
  control: <WriterInput />,
};

/** Recommends a writer, or says anew why. */
export function PickForm({ subject, onClose }: { subject: Picked | undefined; onClose: () => void }) {
  const { api } = useApp();
  const { message } = App.useApp();
  const known = subject === 'new' ? undefined : subject;
  return (
    <FormModal<Values>
      title={known === undefined ? '推荐作者' : `推荐「${known.name}」`}
      open={subject !== undefined}
      onClose={onClose}
      values={{ userId: known?.id, note: known?.note ?? '' }}
      fields={[
        ...(known === undefined ? [writerField] : []),
        textField<Values>({
          name: 'note',
          label: '推荐语（可选）',
          help: '显示在码星页作者的名字旁',
          max: 60,
        }),
      ]}
      submit={async ({ userId, note }) => {
        if (userId === undefined) return;
        await api('PUT core/code/star/', { userId, picked: FLAG.on, note });
        message.success(known === undefined ? '已推荐' : `已推荐「${known.name}」`);
      }}
      codes={{ TOO_MANY_PICKS: 'userId' }}
    />
  );
}
