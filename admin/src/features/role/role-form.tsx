import type { Role } from '@mozhan/contract/access.ts';
import type { Flag } from '@mozhan/contract/enums.ts';
import { App } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { FormModal } from '#admin/ui/form-modal.tsx';

interface Values {
  name: string;
  code: string;
  enabled: Flag;
}

interface RoleFormProps {
  subject: Role | 'new' | undefined;
  onClose: () => void;
}

export function RoleForm({ subject, onClose }: RoleFormProps) {
  const { api } = useApp();
  const { message } = App.useApp();
  const row = subject === 'new' ? undefined : subject;
  return (
    <FormModal<Values>
      title={row === undefined ? '新建角色' : `编辑角色「${row.name}」`}
      open={subject !== undefined}
      onClose={onClose}
      values={{ name: row?.name ?? '', code: row?.code ?? '', enabled: row?.enabled ?? 1 }}
      fields={[
        { name: 'name', kind: 'text', label: '角色名', required: true, maxLength: 30 },
        {
          name: 'code',
          kind: 'text',
          label: '角色编码',
          required: true,
          maxLength: 32,
          disabled: row?.builtIn ?? false,
          help: row?.builtIn ? '内置角色的编码不能修改' : '2–32 位小写字母、数字或短横线，以字母开头',
        },
        {
          name: 'enabled',
          kind: 'flag',
          label: '启用',
          disabled: row?.code === 'super',
          help: '停用后，靠它得到的权限立即失效',
        },
      ]}
      submit={async (values) => {
        if (row === undefined) await api('POST core/sys/role/', values);
        else await api('PUT core/sys/role/', { id: row.id, ...values });
        message.success(row === undefined ? `已新建角色「${values.name}」` : '已保存');
      }}
      codes={{ ROLE_CODE_TAKEN: 'code' }}
    />
  );
}
