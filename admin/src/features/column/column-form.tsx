import type { Column } from '@mozhan/contract/columns.ts';
import { App } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { FormModal } from '#admin/ui/form-modal.tsx';

interface ColumnFormProps {
  subject: Column | undefined;
  onClose: () => void;
}

export function ColumnForm({ subject, onClose }: ColumnFormProps) {
  const { api } = useApp();
  const { message } = App.useApp();
  return (
    <FormModal<Pick<Column, 'name' | 'summary'>>
      title={`编辑专栏「${subject?.name}」`}
      open={subject !== undefined}
      onClose={onClose}
      values={{ name: subject?.name ?? '', summary: subject?.summary ?? '' }}
      fields={[
        { name: 'name', kind: 'text', label: '名称', required: true, maxLength: 40 },
        { name: 'summary', kind: 'text', label: '简介', maxLength: 200 },
      ]}
      submit={async (values) => {
        if (subject === undefined) return;
        await api('PUT core/sys/column/', { id: subject.id, ...values });
        message.success('已保存');
      }}
    />
  );
}
