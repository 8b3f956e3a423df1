import type { StaffUser } from '@mozhan/contract/system.ts';
import { useQuery } from '@tanstack/react-query';
import { App } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { formatBytes } from '#admin/lib/format.ts';
import { call } from '#admin/lib/queries.ts';
import { FormModal } from '#admin/ui/form-modal.tsx';
import type { PanelProps } from '#admin/ui/row-actions.tsx';

const MAX_MB = 1024 * 1024;

interface Values {
  image: number | null;
  attachment: number | null;
}

const helpOf = (used: { bytes: number; quotaBytes: number | null } | undefined): string =>
  used === undefined
    ? ''
    : `已用 ${formatBytes(used.bytes)}，${used.quotaBytes === null ? '不限' : `共 ${formatBytes(used.quotaBytes)}`}；留空与大家一样，0 是不限`;

export function UserQuotaForm({ subject, onClose }: PanelProps<StaffUser>) {
  const { api } = useApp();
  const { message } = App.useApp();
  const userId = subject?.id ?? '';
  const { data: storage } = useQuery({
    ...call(api, 'GET core/sys/media/user', { userId }),
    enabled: subject !== undefined,
  });
  return (
    <FormModal<Values>
      title={`「${subject?.displayName ?? ''}」的上传空间`}
      open={subject !== undefined && storage !== undefined}
      onClose={onClose}
      values={storage?.own ?? { image: null, attachment: null }}
      fields={[
        {
          name: 'image',
          kind: 'number',
          label: '图片',
          min: 0,
          max: MAX_MB,
          suffix: 'MB',
          help: helpOf(storage?.image),
        },
        {
          name: 'attachment',
          kind: 'number',
          label: '附件',
          min: 0,
          max: MAX_MB,
          suffix: 'MB',
          help: helpOf(storage?.attachment),
        },
      ]}
      submit={async ({ image, attachment }) => {
        await api('PUT core/sys/media/user', {
          userId,
          image: image ?? null,
          attachment: attachment ?? null,
        });
        message.success('已保存');
      }}
      action="保存"
    />
  );
}
