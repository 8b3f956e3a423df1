import { REPORT_STATUS } from '@mozhan/contract/enums.ts';
import type { ReportKind, ReportStatus } from '@mozhan/contract/reports.ts';
import { Tag } from 'antd';

export const kindNames: Record<ReportKind, string> = {
  essay: '文章',
  comment: '评论',
  user: '用户',
  chat: '消息',
};
export const kindOptions = Object.entries(kindNames).map(([value, label]) => ({ value, label }));

const statuses: Record<ReportStatus, { label: string; color: string }> = {
  [REPORT_STATUS.waiting]: { label: '待处理', color: 'warning' },
  [REPORT_STATUS.upheld]: { label: '属实', color: 'success' },
  [REPORT_STATUS.dismissed]: { label: '不属实', color: 'default' },
};

export const statusText = (status: ReportStatus): string => statuses[status].label;
export const statusOptions = Object.entries(statuses).map(([value, { label }]) => ({ value, label }));

export function StatusTag({ status }: { status: ReportStatus }) {
  return (
    <Tag variant="filled" color={statuses[status].color}>
      {statuses[status].label}
    </Tag>
  );
}
