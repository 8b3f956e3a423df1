import type { Client } from '@mozhan/contract/client.ts';
import type { ReactNode } from 'react';
import { useBatch } from '#admin/lib/batch.tsx';
import { FormModal } from './form-modal.tsx';
import { type Reason, reasonField } from './reason-field.tsx';

interface BatchReasonFormProps<T> {
  /** 下架, 移除 … */
  verb: string;
  /** 篇文章, 条评论 … */
  unit: string;
  /** Undefined: closed. */
  rows: T[] | undefined;
  onClose: () => void;
  /** Which ones could not be done. */
  onDone: (left: T[]) => void;
  nameOf: (row: T) => string;
  work: (api: Client, row: T, reason: string) => Promise<unknown>;
  /** Who will read the reason. */
  help: string;
  dict: string;
  max: number;
  intro?: ReactNode;
}

/** One reason for several rows; then they are dealt with one after the other. */
export function BatchReasonForm<T>(props: BatchReasonFormProps<T>) {
  const { verb, unit, rows, onClose, onDone, nameOf, work, help, dict, max, intro } = props;
  const batch = useBatch();
  return (
    <FormModal<Reason>
      title={`${verb}这 ${rows?.length ?? 0} ${unit}`}
      open={rows !== undefined}
      onClose={onClose}
      action={verb}
      danger
      intro={intro}
      values={{ reason: '' }}
      fields={[reasonField({ label: `${verb}理由`, help, dict, max })]}
      submit={async ({ reason }) => {
        // The form makes room for the progress.
        void batch({
          verb,
          rows: rows ?? [],
          nameOf,
          work: (api, row) => work(api, row, reason),
        }).then(onDone);
      }}
    />
  );
}
