import { APPLICATION_STATUS } from '@mozhan/contract/enums.ts';
import type { StaffApplication } from '@mozhan/contract/experts.ts';
import { App } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { useBatch } from '#admin/lib/batch.tsx';
import { FormModal } from '#admin/ui/form-modal.tsx';
import { textField } from '#admin/ui/text-field.tsx';

interface RefuseFormProps {
  subject: StaffApplication[] | undefined;
  onClose: () => void;
  /** Of several: which ones could not be answered. */
  onLeft: (left: StaffApplication[]) => void;
}

export const nameOf = ({ user }: StaffApplication): string => user?.displayName ?? '';

/** The applicants are told why, and may apply again. */
export function RefuseForm({ subject = [], onClose, onLeft }: RefuseFormProps) {
  const { api } = useApp();
  const { message } = App.useApp();
  const batch = useBatch();
  const [first, ...others] = subject;
  const whose =
    others.length === 0 ? `「${first === undefined ? '' : nameOf(first)}」` : `这 ${subject.length} 人`;

  async function submit({ reason }: { reason: string }): Promise<void> {
    if (others.length > 0) {
      // Whoever was answered meanwhile is named when all are through.
      void batch({
        verb: '拒绝',
        rows: subject,
        nameOf,
        work: (api, { id }) => api('PUT core/sys/apply/', { id, status: APPLICATION_STATUS.refused, reason }),
      }).then(onLeft);
      return;
    }
    if (first === undefined) return;
    await api('PUT core/sys/apply/', { id: first.id, status: APPLICATION_STATUS.refused, reason });
    message.success(`已答复${whose}`);
  }

  return (
    <FormModal<{ reason: string }>
      title={`不通过${whose}的申请`}
      open={subject.length > 0}
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
      submit={submit}
      codes={{ REASON_REQUIRED: 'reason' }}
    />
  );
}
