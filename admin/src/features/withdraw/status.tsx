import { Tag } from 'antd';
import type { StaffWithdrawal } from '#contract/wallet.ts';

type Status = StaffWithdrawal['status'];

const statuses: Record<Status, { label: string; color: string }> = {
  0: { label: '待审批', color: 'warning' },
  1: { label: '已批准，待打款', color: 'processing' },
  2: { label: '已拒绝', color: 'error' },
  3: { label: '已打款', color: 'success' },
};

export const statusText = (status: Status): string => statuses[status].label;
export const statusOptions = Object.entries(statuses).map(([value, { label }]) => ({ value, label }));

export function StatusTag({ status }: { status: Status }) {
  return (
    <Tag variant="filled" color={statuses[status].color}>
      {statuses[status].label}
    </Tag>
  );
}
