import type { UploadQuotas } from '@mozhan/contract/media.ts';
import { useQuery } from '@tanstack/react-query';
import { App } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { call } from '#admin/lib/queries.ts';
import { FormModal } from '#admin/ui/form-modal.tsx';

const MAX_MB = 1024 * 1024;

interface QuotaFormProps {
  open: boolean;
  onClose: () => void;
}

export function QuotaForm({ open, onClose }: QuotaFormProps) {
  const { api } = useApp();
  const { message } = App.useApp();
  const { data: quotas } = useQuery({ ...call(api, 'GET core/sys/media/quota'), enabled: open });
  return (
    <FormModal<UploadQuotas>
      title="每人的空间"
      open={open && quotas !== undefined}
      onClose={onClose}
      values={quotas ?? { image: 0, attachment: 0 }}
      fields={[
        {
          name: 'image',
          kind: 'number',
          label: '图片',
          min: 0,
          max: MAX_MB,
          suffix: 'MB',
          help: '一个人上传的图片一共能占多少；0 是不限',
        },
        {
          name: 'attachment',
          kind: 'number',
          label: '附件',
          min: 0,
          max: MAX_MB,
          suffix: 'MB',
          help: '0 是不限。已经超过的人只是不能再传；单独给某人多少，在「用户管理」里设定',
        },
      ]}
      submit={async (values) => {
        await api('PUT core/sys/media/quota', values);
        message.success('已保存');
      }}
      action="保存"
    />
  );
}
