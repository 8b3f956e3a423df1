import { errorMessageOf } from '@mozhan/client/errors.ts';
import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import type { EssayStatus } from '@mozhan/contract/essays.ts';
import { useStoreValue } from '@mozhan/editor/store.ts';
import { useState } from 'react';
import type { EssayModel, EssayStatusInfo } from '#web/features/writing/essay-model.ts';
import { useApi } from '#web/lib/app-context.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextArea } from '#web/ui/field.tsx';
import { toast } from '#web/ui/toast.tsx';

interface Step {
  label: string;
  to: EssayStatus;
  revision?: true;
  doneMessage: string;
}

interface StatusNotice {
  text: string;
  tone?: 'info' | 'warn';
  steps: Step[];
}

const withdrawStep: Step = { label: '取回修改', to: ESSAY_STATUS.draft, doneMessage: '已取回，可以修改了' };

function statusNoticeOf(
  { status, revision, rejection }: EssayStatusInfo,
  scheduledAt: string | null,
): StatusNotice | null {
  if (status === ESSAY_STATUS.waiting) {
    const step: Step = { label: '撤回', to: ESSAY_STATUS.draft, doneMessage: '已撤回，可以修改了' };
    return { text: '正在审核，期间不能修改。', steps: [step] };
  }
  if (status === ESSAY_STATUS.approved) {
    const text =
      scheduledAt === null
        ? '审核已通过，还没有上架。'
        : `审核已通过，将在 ${formatDateTime(scheduledAt).slice(0, 16)} 自动上架。`;
    return {
      text,
      steps: [{ label: '立即上架', to: ESSAY_STATUS.onShelf, doneMessage: '已上架' }, withdrawStep],
    };
  }
  if (status === ESSAY_STATUS.offShelf) {
    return {
      text: '已下架，读者看不到。',
      steps: [{ label: '重新上架', to: ESSAY_STATUS.onShelf, doneMessage: '已上架' }, withdrawStep],
    };
  }
  if (status === ESSAY_STATUS.onShelf && revision === ESSAY_STATUS.waiting) {
    const step: Step = {
      label: '撤回修订',
      to: ESSAY_STATUS.draft,
      revision: true,
      doneMessage: '已撤回，可以接着改',
    };
    return { text: '修订正在审核，读者看到的仍是原来的文字。', steps: [step] };
  }
  if (
    rejection !== null &&
    (status === ESSAY_STATUS.rejected || status === ESSAY_STATUS.draft || revision === ESSAY_STATUS.rejected)
  ) {
    return { text: `没有通过审核：${rejection.reason}`, tone: 'warn', steps: [] };
  }
  if (status === ESSAY_STATUS.onShelf) {
    const text =
      revision === ESSAY_STATUS.draft
        ? '修订还没有提交审核，读者看到的仍是已上架的文字。'
        : '已上架。现在的修改会成为修订，通过审核之后读者才看到。';
    return { text, steps: [] };
  }
  return null;
}

function Appeal({ id, onDone }: { id: string; onDone: () => Promise<void> }) {
  const api = useApi();
  const [open, setOpen] = useState(false);
  const [text, setText] = useState('');
  const [problem, setProblem] = useState('');

  async function send(): Promise<void> {
    if (text.trim() === '') return setProblem('请写明理由');
    try {
      await api('POST core/essay/appeal', { id, text });
      setOpen(false);
      toast('申诉已提交，文章回到待审核');
      await onDone();
    } catch (error) {
      setProblem(errorMessageOf(error));
    }
  }

  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        申诉
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="申诉"
        description="每次驳回可以申诉一次，由另一位审核员再看。"
        footer={
          <Button variant="primary" onClick={send}>
            提交申诉
          </Button>
        }
      >
        <TextArea
          name="text"
          label="理由"
          maxLength={500}
          value={text}
          error={problem}
          onChange={({ target }) => setText(target.value)}
        />
      </Dialog>
    </>
  );
}

export function EssayStatusNotice({ essay }: { essay: EssayModel }) {
  const api = useApi();
  const statusInfo = useStoreValue(essay.statusInfo);
  const { scheduledAt } = useStoreValue(essay.fields);
  const notice = statusNoticeOf(statusInfo, scheduledAt);
  const id = essay.autosave.saved()?.id;
  // Staff who write for the author take an essay back, but do not publish it here.
  const steps = notice?.steps.filter(({ to }) => essay.author === null || to === ESSAY_STATUS.draft) ?? [];
  if (notice === null || id === undefined) return null;

  async function runStep({ to, revision, doneMessage }: Step): Promise<void> {
    try {
      await api('PUT core/essay/status', { id: id ?? '', status: to, revision });
      toast(doneMessage);
      await essay.refresh();
    } catch (error) {
      toast(errorMessageOf(error), 'bad');
    }
  }

  return (
    <Alert tone={notice.tone}>
      {notice.text}
      {steps.map((step) => (
        <Button key={step.label} size="small" onClick={() => runStep(step)}>
          {step.label}
        </Button>
      ))}
      {statusInfo.rejection?.canAppeal && essay.author === null ? (
        <Appeal id={id} onDone={() => essay.refresh()} />
      ) : null}
    </Alert>
  );
}
