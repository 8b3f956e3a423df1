import type { Dict } from '@mozhan/contract/dicts.ts';
import type { Flag } from '@mozhan/contract/enums.ts';
import { App } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { FormModal } from '#admin/ui/form-modal.tsx';

interface Values {
  name: string;
  code: string;
  enabled: Flag;
}

interface DictFormProps {
  subject: Dict | 'new' | undefined;
  onClose: () => void;
  onSaved: (dict: Dict) => void;
}

export function DictForm({ subject, onClose, onSaved }: DictFormProps) {
  const { api } = useApp();
  const { message } = App.useApp();
  const row = subject === 'new' ? undefined : subject;
  return (
    <FormModal<Values>
      title={row === undefined ? '新建字典' : `编辑字典「${row.name}」`}
      open={subject !== undefined}
      onClose={onClose}
      values={{ name: row?.name ?? '', code: row?.code ?? '', enabled: row?.enabled ?? 1 }}
      fields={[
        { name: 'name', kind: 'text', label: '名称', required: true, maxLength: 20 },
        {
          name: 'code',
          kind: 'text',
          label: '编码',
          required: true,
          maxLength: 32,
          placeholder: 'audit-reason',
          help: '程序按编码取用；改动后，用旧编码的地方取不到',
        },
        { name: 'enabled', kind: 'flag', label: '启用', help: '停用后，它的条目都取不到' },
      ]}
      submit={async (values) => {
        const dict =
          row === undefined
            ? await api('POST core/sys/dict/', values)
            : await api('PUT core/sys/dict/', { id: row.id, ...values });
        message.success(row === undefined ? `已新建字典「${values.name}」` : '已保存');
        onSaved(dict);
      }}
      codes={{ DICT_TAKEN: 'code' }}
    />
  );
}
