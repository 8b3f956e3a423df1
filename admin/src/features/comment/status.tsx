import { Tag } from 'antd';
import type { CommentStatus } from '#contract/comments.ts';

const statuses: Record<CommentStatus, { label: string; color: string }> = {
  0: { label: '公开', color: 'success' },
  1: { label: '待审核', color: 'warning' },
  2: { label: '已移除', color: 'error' },
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
