import { App } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { FormModal } from '#admin/ui/form-modal.tsx';
import { textField } from '#admin/ui/text-field.tsx';
import type { StaffApplication } from '#contract/experts.ts';

interface RefuseFormProps {
  subject: StaffApplication | undefined;
  onClose: () => void;
}

/** The applicant is told why, and may apply again. */
export function RefuseForm({ subject, onClose }: RefuseFormProps) {
  const { api } = useApp();
  const { message } = App.useApp();
  const name = subject?.user?.displayName ?? '';
  return (
    <FormModal<{ reason: string }>
      title={`不通过「${name}」的申请`}
      open={subject !== undefined}
      onClose={onClose}
      action="不通过"
      values={{ reason: '' }}
      fields={[
        textField({
          name: 'reason',
          label: '理由',
          help: '申请人会收到这段话，可以补充后再次申请',
          max: 200,
          missing: '请写明理由',
        }),
      ]}
      submit={async ({ reason }) => {
        if (subject === undefined) return;
        await api('PUT core/sys/apply/', { id: subject.id, status: 2, reason });
        message.success(`已答复「${name}」`);
      }}
      codes={{ REASON_REQUIRED: 'reason' }}
    />
  );
}
