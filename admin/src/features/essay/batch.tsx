import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import type { StaffEssay } from '@mozhan/contract/staff-essays.ts';
import { Button } from 'antd';
import { useState } from 'react';
import { useBatch } from '#admin/lib/batch.tsx';
import { useCan } from '#admin/lib/viewer.ts';
import { BatchReasonForm } from '#admin/ui/batch-reason-form.tsx';
import { useConfirm } from '#admin/ui/confirm.ts';

/** Approved, or taken off before. */
export const canShelve = ({ status }: StaffEssay): boolean =>
  status === ESSAY_STATUS.approved || status === ESSAY_STATUS.offShelf;
export const isOnShelf = ({ status }: StaffEssay): boolean => status === ESSAY_STATUS.onShelf;

const nameOf = ({ title }: StaffEssay): string => title;
const common = {
  unit: '篇文章',
  nameOf,
  help: '作者会收到这段话',
  dict: 'off-shelf-reason',
};

interface EssayBatchProps {
  rows: StaffEssay[];
  choose: (left?: StaffEssay[]) => void;
}

/** What can be done with several essays; each is dealt with on its own. */
export function EssayBatch({ rows, choose }: EssayBatchProps) {
  const can = useCan();
  const confirm = useConfirm();
  const batch = useBatch();
  const [open, setOpen] = useState<'off' | 'remove'>();
  const off = rows.filter(canShelve);
  const on = rows.filter(isOnShelf);
  const close = () => setOpen(undefined);

  async function shelve(): Promise<void> {
    const title = `上架这 ${off.length} 篇文章？`;
    if (!(await confirm({ title, text: '读者马上就能看到它们。', action: '上架' }))) return;
    choose(
      await batch({
        verb: '上架',
        rows: off,
        nameOf,
        work: (api, { id }) => api('PUT core/essay/status', { id, status: ESSAY_STATUS.onShelf }),
      }),
    );
  }

  return (
    <>
      {can('essay:update') && off.length > 0 ? (
        <Button size="small" onClick={() => void shelve()}>
          上架 {off.length} 篇
        </Button>
      ) : null}
      {can('essay:update') && on.length > 0 ? (
        <Button size="small" onClick={() => setOpen('off')}>
          下架 {on.length} 篇
        </Button>
      ) : null}
      {can('essay:remove') ? (
        <Button size="small" danger onClick={() => setOpen('remove')}>
          删除
        </Button>
      ) : null}
      <BatchReasonForm<StaffEssay>
        {...common}
        verb="下架"
        max={500}
        rows={open === 'off' ? on : undefined}
        onClose={close}
        onDone={choose}
        work={(api, { id }, reason) =>
          api('PUT core/essay/status', { id, status: ESSAY_STATUS.offShelf, reason })
        }
      />
      <BatchReasonForm<StaffEssay>
        {...common}
        verb="删除"
        max={200}
        intro={<p>删除后不能恢复，读者打开它们的地址会看到「已删除」。有人买过的不能删除。</p>}
        rows={open === 'remove' ? rows : undefined}
        onClose={close}
        onDone={choose}
        work={(api, { id }, reason) => api('DELETE core/essay/{id}', { id, reason })}
      />
    </>
  );
}
