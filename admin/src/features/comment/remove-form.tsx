import { COMMENT_STATUS } from '@mozhan/contract/enums.ts';
import { reasonField } from '#admin/ui/reason-field.tsx';
import type { Row } from '#admin/ui/row-actions.tsx';
import { rowForm } from '#admin/ui/row-form.tsx';

/** Hides comments from everyone and notifies their writers of the reason. */
export const removeCommentForm = <T extends Row>(idOf: (row: T) => string) =>
  rowForm({
    title: (_: T, { length }) => (length > 1 ? `移除这 ${length} 条评论` : '移除评论'),
    intro: (_, { length }) => <p>读者不再看到{length > 1 ? '这些' : '这条'}评论，以后可以再公开。</p>,
    action: '移除',
    danger: (_, { length }) => length > 1,
    values: { reason: '' },
    fields: [
      reasonField({
        label: '移除理由',
        help: '写评论的人会收到这段话；导入的访客没有账号，收不到',
        dict: 'report-reason',
        max: 200,
      }),
    ],
    run: (api, row, { reason }) =>
      api('PUT core/sys/comment/', { id: idOf(row), status: COMMENT_STATUS.removed, reason }),
    done: () => '已移除这条评论',
    codes: { REASON_REQUIRED: 'reason' },
  });
