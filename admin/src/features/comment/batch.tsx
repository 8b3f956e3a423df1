import type { StaffComment } from '@mozhan/contract/comments.ts';
import { COMMENT_STATUS } from '@mozhan/contract/enums.ts';
import { Button } from 'antd';
import { useState } from 'react';
import { useBatch } from '#admin/lib/batch.tsx';
import { BatchReasonForm } from '#admin/ui/batch-reason-form.tsx';
import { useConfirm } from '#admin/ui/confirm.ts';

/** What can be told from others in a list of them. */
export const nameOf = ({ content }: StaffComment): string => [...content].slice(0, 20).join('');

interface CommentBatchProps {
  rows: StaffComment[];
  choose: (left?: StaffComment[]) => void;
}

/** Several comments are shown to everyone, or taken out of sight. */
export function CommentBatch({ rows, choose }: CommentBatchProps) {
  const confirm = useConfirm();
  const batch = useBatch();
  const [isRemoving, setRemoving] = useState(false);
  const unseen = rows.filter((row) => row.status !== COMMENT_STATUS.shown);
  const there = rows.filter((row) => row.status !== COMMENT_STATUS.removed);

  async function release(): Promise<void> {
    const title = `公开这 ${unseen.length} 条评论？`;
    if (!(await confirm({ title, text: '所有人马上就能看到。', action: '公开' }))) return;
    choose(
      await batch({
        verb: '公开',
        rows: unseen,
        nameOf,
        work: (api, { id }) => api('PUT core/sys/comment/', { id, status: COMMENT_STATUS.shown }),
      }),
    );
  }

  return (
    <>
      {unseen.length === 0 ? null : (
        <Button size="small" onClick={() => void release()}>
          公开 {unseen.length} 条
        </Button>
      )}
      {there.length === 0 ? null : (
        <Button size="small" danger onClick={() => setRemoving(true)}>
          移除 {there.length} 条
        </Button>
      )}
      <BatchReasonForm<StaffComment>
        verb="移除"
        unit="条评论"
        rows={isRemoving ? there : undefined}
        onClose={() => setRemoving(false)}
        onDone={choose}
        nameOf={nameOf}
        work={(api, { id }, reason) =>
          api('PUT core/sys/comment/', { id, status: COMMENT_STATUS.removed, reason })
        }
        intro={<p>读者不再看到这些评论，以后可以再公开。</p>}
        help="写评论的人会收到这段话"
        dict="report-reason"
        max={200}
      />
    </>
  );
}
