import { REPORT_STATUS } from '@mozhan/contract/enums.ts';
import type { Report } from '@mozhan/contract/reports.ts';
import { rowForm } from '#admin/ui/row-form.tsx';
import { kindNames } from './labels.ts';
import { LetterContext } from './letter-context.tsx';

const resultOptions = [
  { value: 'upheld', label: '属实，已处理' },
  { value: 'dismissed', label: '不属实' },
];

/** One report per target, because handling it closes all reports of that target. */
const oneReportPerTarget = (rows: readonly Report[]): Report[] => [
  ...new Map(rows.map((row) => [`${row.kind}:${row.targetId}`, row])).values(),
];

function introOf({ kind, target, others }: Report): string {
  const what = target === null ? `这${kindNames[kind]}已经不在了` : `${kindNames[kind]}：${target.title}`;
  return others === 0 ? what : `${what}。另有 ${others} 条针对它的举报会一并处理。`;
}

/** Closes all open reports of a target and notifies everyone who reported it. */
export const handleForm = rowForm({
  title: (_: Report, { length }) => (length > 1 ? `处理这 ${length} 条举报` : '处理举报'),
  intro: (row, rows) => {
    if (rows.length > 1)
      return (
        <p>
          关于 {oneReportPerTarget(rows).length}{' '}
          个对象；它们的其他待处理举报会一并处理，举报的人都会收到同一个答复。
        </p>
      );
    const letter = row.target?.letter ?? null;
    return letter === null ? <p>{introOf(row)}</p> : <LetterContext letter={letter} />;
  },
  values: { status: 'upheld' as 'upheld' | 'dismissed', result: '' },
  fields: [
    { name: 'status', kind: 'choice', label: '结论', options: resultOptions },
    {
      name: 'result',
      kind: 'lines',
      label: '处理结果',
      required: true,
      maxLength: 200,
      help: '举报的人会收到这段话',
    },
  ],
  only: oneReportPerTarget,
  run: (api, { id }, { status, result }) =>
    api('PUT core/sys/report/', { id, status: REPORT_STATUS[status], result }),
  done: () => '已处理',
});
