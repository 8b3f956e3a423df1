import type { Category } from '@mozhan/contract/categories.ts';
import type { Flag } from '@mozhan/contract/enums.ts';
import { App } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { FormModal } from '#admin/ui/form-modal.tsx';
import { IconPicker } from '#admin/ui/icon-picker.tsx';
import { categoryIcons } from '#admin/ui/icons.tsx';

interface Values {
  name: string;
  slug: string;
  icon: string;
  enabled: Flag;
}

interface CategoryFormProps {
  subject: Category | 'new' | undefined;
  onClose: () => void;
}

export function CategoryForm({ subject, onClose }: CategoryFormProps) {
  const { api } = useApp();
  const { message } = App.useApp();
  const row = subject === 'new' ? undefined : subject;
  return (
    <FormModal<Values>
      title={row === undefined ? '新建分类' : `编辑分类「${row.name}」`}
      open={subject !== undefined}
      onClose={onClose}
      values={{
        name: row?.name ?? '',
        slug: row?.slug ?? '',
        icon: row?.icon ?? 'code',
        enabled: row?.enabled ?? 1,
      }}
      fields={[
        { name: 'name', kind: 'text', label: '名称', required: true, maxLength: 10 },
        {
          name: 'slug',
          kind: 'text',
          label: '地址',
          required: true,
          maxLength: 32,
          placeholder: 'program',
          help: '页面在 /essay/地址.html；改动后，旧的地址不再有效',
        },
        { name: 'icon', kind: 'own', label: '图标', control: <IconPicker icons={categoryIcons} /> },
        { name: 'enabled', kind: 'flag', label: '启用', help: '停用后读者看不到它' },
      ]}
      submit={async (values) => {
        if (row === undefined) await api('POST core/sys/category/', values);
        else await api('PUT core/sys/category/', { id: row.id, ...values });
        message.success(row === undefined ? `已新建分类「${values.name}」` : '已保存');
      }}
      codes={{ CATEGORY_TAKEN: 'slug' }}
    />
  );
}
