import type { DictItem } from '@mozhan/contract/dicts.ts';
import type { Flag } from '@mozhan/contract/enums.ts';
import { App } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { FormModal } from '#admin/ui/form-modal.tsx';

interface Values {
  item: string;
  value: string;
  enabled: Flag;
}

interface ItemFormProps {
  dictId: string;
  subject: DictItem | 'new' | undefined;
  onClose: () => void;
}

export function ItemForm({ dictId, subject, onClose }: ItemFormProps) {
  const { api } = useApp();
  const { message } = App.useApp();
  const row = subject === 'new' ? undefined : subject;
  return (
    <FormModal<Values>
      title={row === undefined ? '新建条目' : `编辑条目「${row.item}」`}
      open={subject !== undefined}
      onClose={onClose}
      values={{ item: row?.item ?? '', value: row?.value ?? '', enabled: row?.enabled ?? 1 }}
      fields={[
        { name: 'item', kind: 'text', label: '文字', required: true, maxLength: 100, help: '人们看到的' },
        { name: 'value', kind: 'text', label: '值', required: true, maxLength: 50, help: '存下来的' },
        { name: 'enabled', kind: 'flag', label: '启用' },
      ]}
      submit={async (values) => {
        if (row === undefined) await api('POST core/sys/dict/item/', { dictId, ...values });
        else await api('PUT core/sys/dict/item/', { id: row.id, ...values });
        message.success(row === undefined ? `已新建条目「${values.item}」` : '已保存');
      }}
      codes={{ DICT_VALUE_TAKEN: 'value' }}
    />
  );
}
