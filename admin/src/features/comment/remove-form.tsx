import { COMMENT_STATUS } from '@mozhan/contract/enums.ts';
import { App } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { FormModal } from '#admin/ui/form-modal.tsx';
import { type Reason, reasonField } from '#admin/ui/reason-field.tsx';

interface RemoveFormProps {
  subject: { id: string; content: string } | undefined;
  onClose: () => void;
}

/** Takes a comment out of everyone's sight; whoever wrote it is told why. */
export function RemoveCommentForm({ subject, onClose }: RemoveFormProps) {
  const { api } = useApp();
  const { message } = App.useApp();
  return (
    <FormModal<Reason>
      title="移除评论"
      open={subject !== undefined}
      onClose={onClose}
      action="移除"
      intro={<p>读者不再看到这条评论，以后可以再公开。</p>}
      values={{ reason: '' }}
      fields={[
        reasonField({ label: '移除理由', help: '写评论的人会收到这段话', dict: 'report-reason', max: 200 }),
      ]}
      submit={async ({ reason }) => {
        if (subject === undefined) return;
        await api('PUT core/sys/comment/', { id: subject.id, status: COMMENT_STATUS.removed, reason });
        message.success('已移除这条评论');
      }}
      codes={{ REASON_REQUIRED: 'reason' }}
    />
  );
}
