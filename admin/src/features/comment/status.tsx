import type { CommentStatus } from '@mozhan/contract/comments.ts';
import { COMMENT_STATUS } from '@mozhan/contract/enums.ts';
import { Tag } from 'antd';

const statuses: Record<CommentStatus, { label: string; color: string }> = {
  [COMMENT_STATUS.shown]: { label: '公开', color: 'success' },
  [COMMENT_STATUS.held]: { label: '待审核', color: 'warning' },
  [COMMENT_STATUS.removed]: { label: '已移除', color: 'error' },
};

export const statusText = (status: CommentStatus): string => statuses[status].label;
export const statusOptions = Object.entries(statuses).map(([value, { label }]) => ({ value, label }));

export function StatusTag({ status }: { status: CommentStatus }) {
  return (
    <Tag variant="filled" color={statuses[status].color}>
      {statuses[status].label}
    </Tag>
  );
}
