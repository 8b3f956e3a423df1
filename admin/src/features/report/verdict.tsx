import { REPORT_STATUS } from '@mozhan/contract/enums.ts';
import type { Field } from '#admin/ui/fields.tsx';
import { textField } from '#admin/ui/text-field.tsx';

export interface Verdict {
  status: 'upheld' | 'dismissed';
  result: string;
}

export const noVerdict: Verdict = { status: 'upheld', result: '' };

const verdicts = [
  { value: 'upheld', label: '属实，已处理' },
  { value: 'dismissed', label: '不属实' },
];

export const verdictFields: readonly Field<Verdict>[] = [
  { name: 'status', kind: 'choice', label: '结论', options: verdicts },
  textField({
    name: 'result',
    label: '处理结果',
    help: '举报的人会收到这段话',
    max: 200,
    missing: '请写明处理结果',
  }),
];

/** As the call takes it. */
export const toDecision = ({ status, result }: Verdict) =>
  ({ status: REPORT_STATUS[status], result }) as const;
