import { APPLICATION_STATUS } from '@mozhan/contract/enums.ts';
import type { ApplicationStatus } from '@mozhan/contract/experts.ts';
import { Tag } from 'antd';

const statuses: Record<ApplicationStatus, { label: string; color: string }> = {
  [APPLICATION_STATUS.waiting]: { label: '待处理', color: 'warning' },
  [APPLICATION_STATUS.approved]: { label: '已通过', color: 'success' },
  [APPLICATION_STATUS.refused]: { label: '未通过', color: 'error' },
};

export const statusText = (status: ApplicationStatus): string => statuses[status].label;
export const statusOptions = Object.entries(statuses).map(([value, { label }]) => ({ value, label }));

export function StatusTag({ status }: { status: ApplicationStatus }) {
  return (
    <Tag variant="filled" color={statuses[status].color}>
      {statuses[status].label}
    </Tag>
  );
}
