import { App } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { FormModal } from '#admin/ui/form-modal.tsx';
import { textField } from '#admin/ui/text-field.tsx';
import type { Report } from '#contract/reports.ts';
import { kindNames } from './words.tsx';

interface HandleFormProps {
  subject: Report | undefined;
  onClose: () => void;
}

interface Values {
  status: '1' | '2';
  result: string;
}

const verdicts = [
  { value: '1', label: '属实，已处理' },
  { value: '2', label: '不属实' },
];

function introOf({ kind, target, others }: Report): string {
  const what = target === null ? `这${kindNames[kind]}已经不在了` : `${kindNames[kind]}：${target.title}`;
  return others === 0 ? what : `${what}。另有 ${others} 条针对它的举报会一并处理。`;
}

/** Closes all open reports of one thing; everyone who reported it is told. */
export function HandleForm({ subject, onClose }: HandleFormProps) {
  const { api } = useApp();
  const { message } = App.useApp();
  return (
    <FormModal<Values>
      title="处理举报"
      open={subject !== undefined}
      onClose={onClose}
      action="处理"
      intro={subject === undefined ? null : <p>{introOf(subject)}</p>}
      values={{ status: '1', result: '' }}
      fields={[
        { name: 'status', kind: 'choice', label: '结论', options: verdicts },
        textField({
          name: 'result',
          label: '处理结果',
          help: '举报的人会收到这段话',
          max: 200,
          missing: '请写明处理结果',
        }),
      ]}
      submit={async ({ status, result }) => {
        if (subject === undefined) return;
        await api('PUT core/sys/report/', { id: subject.id, status: status === '1' ? 1 : 2, result });
        message.success('已处理');
      }}
    />
  );
}
