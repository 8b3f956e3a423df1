import { WITHDRAWAL_STATUS } from '@mozhan/contract/enums.ts';
import type { StaffWithdrawal } from '@mozhan/contract/wallet.ts';
import { Tag } from 'antd';

type Status = StaffWithdrawal['status'];

const statuses: Record<Status, { label: string; color: string }> = {
  [WITHDRAWAL_STATUS.waiting]: { label: '待审批', color: 'warning' },
  [WITHDRAWAL_STATUS.approved]: { label: '已批准，待打款', color: 'processing' },
  [WITHDRAWAL_STATUS.refused]: { label: '已拒绝', color: 'error' },
  [WITHDRAWAL_STATUS.paid]: { label: '已打款', color: 'success' },
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
