import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import type { StaffEssay } from '@mozhan/contract/staff-essays.ts';
import { App } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { FormModal } from '#admin/ui/form-modal.tsx';
import { type Reason, reasonField } from '#admin/ui/reason-field.tsx';

interface ReasonFormProps {
  subject: Pick<StaffEssay, 'id' | 'title'> | undefined;
  onClose: () => void;
}

const HELP = '作者会收到这段话';

/** Takes an essay off the shelf; its author is told why. */
export function OffShelfForm({ subject, onClose }: ReasonFormProps) {
  const { api } = useApp();
  const { message } = App.useApp();
  return (
    <FormModal<Reason>
      title={`下架「${subject?.title}」`}
      open={subject !== undefined}
      onClose={onClose}
      action="下架"
      values={{ reason: '' }}
      fields={[reasonField({ label: '下架理由', help: HELP, dict: 'off-shelf-reason', max: 500 })]}
      submit={async ({ reason }) => {
        if (subject === undefined) return;
        await api('PUT core/essay/status', { id: subject.id, status: ESSAY_STATUS.offShelf, reason });
        message.success(`已下架「${subject.title}」`);
      }}
      codes={{ REASON_REQUIRED: 'reason' }}
    />
  );
}

/** Removes an essay for good. */
export function RemoveForm({ subject, onClose }: ReasonFormProps) {
  const { api } = useApp();
  const { message } = App.useApp();
  return (
    <FormModal<Reason>
      title={`删除「${subject?.title}」`}
      open={subject !== undefined}
      onClose={onClose}
      action="删除"
      intro={<p>删除后不能恢复，读者打开它的地址会看到「已删除」。只是不想让人看到，可以下架。</p>}
      values={{ reason: '' }}
      fields={[reasonField({ label: '删除理由', help: HELP, dict: 'off-shelf-reason', max: 200 })]}
      submit={async ({ reason }) => {
        if (subject === undefined) return;
        await api('DELETE core/essay/{id}', { id: subject.id, reason });
        message.success(`已删除「${subject.title}」`);
      }}
    />
  );
}
