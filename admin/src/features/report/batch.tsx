import { REPORT_STATUS } from '@mozhan/contract/enums.ts';
import type { Report } from '@mozhan/contract/reports.ts';
import { Button } from 'antd';
import { useState } from 'react';
import { useBatch } from '#admin/lib/batch.tsx';
import { FormModal } from '#admin/ui/form-modal.tsx';
import { noVerdict, toDecision, type Verdict, verdictFields } from './verdict.tsx';
import { kindNames } from './words.tsx';

interface ReportBatchProps {
  rows: Report[];
  choose: (left?: Report[]) => void;
}

/** One of each thing: what is said of it closes all its reports. */
const ofEachThing = (rows: readonly Report[]): Report[] => [
  ...new Map(rows.map((row) => [`${row.kind}:${row.targetId}`, row])).values(),
];

/** The same answer to several reports. */
export function ReportBatch({ rows, choose }: ReportBatchProps) {
  const batch = useBatch();
  const [isOpen, setOpen] = useState(false);
  const waiting = rows.filter((row) => row.status === REPORT_STATUS.waiting);
  const things = ofEachThing(waiting);
  if (waiting.length === 0) return null;
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        处理 {waiting.length} 条
      </Button>
      <FormModal<Verdict>
        title={`处理这 ${waiting.length} 条举报`}
        open={isOpen}
        onClose={() => setOpen(false)}
        action="处理"
        intro={
          <p>关于 {things.length} 个对象；它们的其他待处理举报会一并处理，举报的人都会收到同一个答复。</p>
        }
        values={noVerdict}
        fields={verdictFields}
        submit={async (verdict) => {
          // The form makes room for the progress.
          void batch({
            verb: '处理',
            rows: things,
            nameOf: (row) => row.target?.title ?? `已经不在的${kindNames[row.kind]}`,
            work: (api, { id }) => api('PUT core/sys/report/', { id, ...toDecision(verdict) }),
          }).then(choose);
        }}
      />
    </>
  );
}
