import type { Input } from '@mozhan/contract/client.ts';
import type { StaffUser } from '@mozhan/contract/system.ts';
import { App } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { FormModal } from '#admin/ui/form-modal.tsx';

interface Values {
  clear: NonNullable<Input<'PUT core/sys/user/'>['clear']>;
}

interface ClearFormProps {
  subject: Pick<StaffUser, 'id' | 'displayName'> | undefined;
  onClose: () => void;
}

/** Takes away what nobody should have to see of a person. */
export function ClearForm({ subject, onClose }: ClearFormProps) {
  const { api } = useApp();
  const { message } = App.useApp();
  const name = subject?.displayName ?? '';
  return (
    <FormModal<Values>
      title={`清空「${name}」的资料`}
      open={subject !== undefined}
      onClose={onClose}
      action="清空"
      danger
      intro={<p>用于辱骂、广告等不当的资料。清空后不能恢复，本人会收到通知，可以重新填写。</p>}
      values={{ clear: [] }}
      fields={[
        {
          name: 'clear',
          kind: 'select',
          label: '清空什么',
          multiple: true,
          placeholder: '昵称、简介或头像',
          help: '昵称换成「用户」加编号的末六位',
          rules: [{ required: true, type: 'array', min: 1, message: '请选择要清空的资料' }],
          options: [
            { value: 'displayName', label: '昵称' },
            { value: 'bio', label: '简介' },
            { value: 'headImg', label: '头像' },
          ],
        },
      ]}
      submit={async ({ clear }) => {
        if (subject === undefined) return;
        await api('PUT core/sys/user/', { id: subject.id, clear });
        message.success(`已清空「${name}」的资料`);
      }}
    />
  );
}
