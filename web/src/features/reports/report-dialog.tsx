import type { ReportKind } from '@mozhan/contract/reports.ts';
import { useApi } from '#web/lib/app-context.ts';
import { useForm } from '#web/lib/form.ts';
import { useCall } from '#web/lib/queries.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { DialogForm } from '#web/ui/dialog-form.tsx';
import { ChoiceGroup, TextArea } from '#web/ui/field.tsx';
import type { DialogOpenProps } from '#web/ui/lazy-dialog.tsx';
import { toast } from '#web/ui/toast.tsx';
import styles from './report-dialog.module.css';

interface ReportFormProps {
  kind: ReportKind;
  targetId: string;
  onClose: () => void;
}

/** Staff maintain the reasons; the list may be empty. */
function useReasons() {
  const { data, isPending } = useCall('GET core/sys/dict/item/', { code: 'report-reason' });
  const items = Array.isArray(data) ? data : [];
  return { isPending, reasons: items.map(({ value, item }) => ({ value, label: item })) };
}

function ReportForm({ kind, targetId, onClose }: ReportFormProps) {
  const api = useApi();
  const { isPending, reasons } = useReasons();
  const form = useForm({
    names: ['reason', 'detail'],
    check: ({ reason }) => (reason === '' && reasons.length > 0 ? { reason: '请选择理由' } : {}),
    submit: async ({ reason, detail }) => {
      await api('POST core/user/report', {
        kind,
        targetId,
        reason: reason || 'other',
        ...(detail.trim() !== '' && { detail }),
      });
      toast('已收到，处理结果会通知你');
      onClose();
    },
  });
  return (
    <DialogForm
      form={{ ...form, busy: form.busy || isPending }}
      className="stack gap-4"
      buttonsClass={styles.buttons}
      action="提交"
      onCancel={onClose}
    >
      {isPending ? (
        <p role="status">正在载入…</p>
      ) : (
        <ChoiceGroup {...form.field('reason')} legend="理由" options={reasons} />
      )}
      <TextArea
        {...form.field('detail')}
        label="说明"
        placeholder="可以不写。写清楚一些，处理会更快。"
        maxLength={500}
      />
    </DialogForm>
  );
}

const titles: Record<ReportKind, string> = {
  essay: '举报这篇文章',
  comment: '举报这条评论',
  user: '举报这个用户',
  chat: '举报这条消息',
  letter: '举报这封私信',
};

const notes: Partial<Record<ReportKind, string>> = {
  letter: '工作人员会看到这封信和前后几封的开头。对方不会知道是谁举报的。',
};

interface ReportDialogProps extends DialogOpenProps {
  kind: ReportKind;
  targetId: string;
}

export const ReportDialog = ({ kind, targetId, open, onOpenChange }: ReportDialogProps) => (
  <Dialog
    open={open}
    onOpenChange={onOpenChange}
    title={titles[kind]}
    description={notes[kind] ?? '对方不会知道是谁举报的。'}
  >
    <ReportForm kind={kind} targetId={targetId} onClose={() => onOpenChange(false)} />
  </Dialog>
);
