import type { Input } from '@mozhan/contract/client.ts';
import type { StaffUser } from '@mozhan/contract/system.ts';
import { rowForm } from '#admin/ui/row-form.tsx';

interface Values {
  clear: NonNullable<Input<'PUT core/sys/user/'>['clear']>;
}

export const clearForm = rowForm<StaffUser, Values>({
  title: ({ displayName }) => `清空「${displayName}」的资料`,
  intro: () => <p>用于辱骂、广告等不当的资料。清空后不能恢复，本人会收到通知，可以重新填写。</p>,
  action: '清空',
  danger: true,
  values: { clear: [] },
  fields: [
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
  ],
  run: (api, { id }, { clear }) => api('PUT core/sys/user/', { id, clear }),
  done: ({ displayName }) => `已清空「${displayName}」的资料`,
});
