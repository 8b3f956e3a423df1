import type { Report } from '@mozhan/contract/reports.ts';
import { App } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { FormModal } from '#admin/ui/form-modal.tsx';
import { noVerdict, toDecision, type Verdict, verdictFields } from './verdict.tsx';
import { kindNames } from './words.tsx';

interface HandleFormProps {
  subject: Report | undefined;
  onClose: () => void;
}

function introOf({ kind, target, others }: Report): string {
  const what = target === null ? `这${kindNames[kind]}已经不在了` : `${kindNames[kind]}：${target.title}`;
  return others === 0 ? what : `${what}。另有 ${others} 条针对它的举报会一并处理。`;
}

/** Closes all open reports of one thing; everyone who reported it is told. */
export function HandleForm({ subject, onClose }: HandleFormProps) {
  const { api } = useApp();
  const { message } = App.useApp();
  return (
    <FormModal<Verdict>
      title="处理举报"
      open={subject !== undefined}
      onClose={onClose}
      action="处理"
      intro={subject === undefined ? null : <p>{introOf(subject)}</p>}
      values={noVerdict}
      fields={verdictFields}
      submit={async (verdict) => {
        if (subject === undefined) return;
        await api('PUT core/sys/report/', { id: subject.id, ...toDecision(verdict) });
        message.success('已处理');
      }}
    />
  );
}
