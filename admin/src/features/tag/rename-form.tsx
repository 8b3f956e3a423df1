import type { StaffTag } from '@mozhan/contract/tags.ts';
import { App } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { FormModal } from '#admin/ui/form-modal.tsx';
import type { PanelProps } from '#admin/ui/row-actions.tsx';

const mostUsed = (tags: readonly StaffTag[]): StaffTag | undefined =>
  tags.toSorted((a, b) => b.count - a.count)[0];

export function RenameForm({ rows: tags, onClose, onRemaining }: PanelProps<StaffTag>) {
  const { api } = useApp();
  const { message } = App.useApp();
  const isMerge = tags.length > 1;
  const names = tags.map(({ name }) => name);
  return (
    <FormModal<{ to: string }>
      title={isMerge ? `合并 ${tags.length} 个标签` : `标签「${names[0] ?? ''}」改名`}
      open={tags.length > 0}
      onClose={onClose}
      action={isMerge ? '合并' : '改名'}
      values={{ to: mostUsed(tags)?.name ?? '' }}
      fields={[
        {
          name: 'to',
          kind: 'text',
          label: isMerge ? '合并为' : '新的名字',
          required: true,
          maxLength: 20,
          help: isMerge
            ? `${names.join('、')} 的文章都归到这个标签下，旧名从此指向它。`
            : '已有这个标签时合并过去。文章随后在后台改好，旧名从此指向新名。',
        },
      ]}
      submit={async ({ to }) => {
        if (isMerge) await api('POST core/sys/tag/merge', { from: names, to });
        else await api('PUT core/sys/tag/', { name: names[0] ?? '', to });
        message.success(isMerge ? `正在合并为「${to.trim()}」` : `正在改为「${to.trim()}」`);
        onRemaining([]);
      }}
      codes={{ TAG_MOVING: 'to' }}
    />
  );
}
