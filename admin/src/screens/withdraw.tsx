import { WITHDRAWAL_STATUS } from '@mozhan/contract/enums.ts';
import { formatYuan, toYuan } from '@mozhan/contract/money.ts';
import type { StaffWithdrawal } from '@mozhan/contract/wallet.ts';
import { Alert, Button } from 'antd';
import { useState } from 'react';
import { PaidForm, payeeOf, RefuseForm } from '#admin/features/withdraw/forms.tsx';
import { StatusTag, statusOptions, statusText } from '#admin/features/withdraw/status.tsx';
import styles from '#admin/features/withdraw/withdraw.module.css';
import { useApp } from '#admin/lib/app-context.ts';
import { useBatch } from '#admin/lib/batch.tsx';
import { formatDateTime, orDash } from '#admin/lib/format.ts';
import { useAct } from '#admin/lib/queries.ts';
import { useCan } from '#admin/lib/viewer.ts';
import { useConfirm } from '#admin/ui/confirm.ts';
import { DataTable, type Filter } from '#admin/ui/data-table.tsx';
import { dayFilters } from '#admin/ui/day-filters.tsx';
import { Line } from '#admin/ui/line.tsx';
import { PersonLink } from '#admin/ui/person-link.tsx';
import { RowActions } from '#admin/ui/row-actions.tsx';
import { Screen } from '#admin/ui/screen.tsx';
import { TimeAgo } from '#admin/ui/time.tsx';
import type { Column } from '#admin/ui/use-columns.ts';
import { UserFilter } from '#admin/ui/user-filter.tsx';

const filters: Filter[] = [
  {
    name: 'status',
    label: '状态',
    initial: String(WITHDRAWAL_STATUS.waiting),
    options: [...statusOptions, { value: '', label: '全部' }],
  },
  { name: 'userId', label: '作者', render: (control) => <UserFilter label="作者" {...control} /> },
  ...dayFilters,
];

const columns: Column<StaffWithdrawal>[] = [
  { key: 'no', title: '单号', text: (row) => row.no, show: (row) => <code>{row.no}</code> },
  {
    key: 'user',
    title: '作者',
    text: (row) => orDash(row.user?.displayName),
    show: (row) => <PersonLink user={row.user} />,
  },
  {
    key: 'amount',
    title: '金额（元）',
    align: 'end',
    text: (row) => toYuan(row.amount),
    show: (row) => formatYuan(row.amount),
    sort: 'amount',
  },
  { key: 'realName', title: '收款人', text: (row) => orDash(row.realName) },
  {
    key: 'account',
    title: '收款账户',
    text: (row) => row.account,
    show: (row) => <Line text={row.account} />,
  },
  {
    key: 'earnings',
    title: '剩余收益（元）',
    align: 'end',
    text: (row) => toYuan(row.earnings),
    show: (row) => formatYuan(row.earnings),
  },
  {
    key: 'status',
    title: '状态',
    text: (row) => statusText(row.status),
    show: (row) => <StatusTag status={row.status} />,
  },
  {
    key: 'createdAt',
    title: '申请时间',
    text: (row) => formatDateTime(row.createdAt),
    show: (row) => <TimeAgo at={row.createdAt} />,
    sort: 'createdAt',
  },
  { key: 'reason', title: '拒绝的理由', text: (row) => orDash(row.reason), hidden: true },
  { key: 'tradeNo', title: '打款流水号', text: (row) => orDash(row.tradeNo), hidden: true },
  { key: 'decidedBy', title: '处理人', text: (row) => orDash(row.decidedBy?.displayName), hidden: true },
  {
    key: 'decidedAt',
    title: '处理时间',
    text: (row) => (row.decidedAt === null ? '-' : formatDateTime(row.decidedAt)),
    hidden: true,
  },
  {
    key: 'paidAt',
    title: '打款时间',
    text: (row) => (row.paidAt === null ? '-' : formatDateTime(row.paidAt)),
    hidden: true,
  },
];

/** What the demo cashier took in is no money; what was bought with it is earned all the same. */
function warningOf({ payable, unreal }: { payable: boolean; unreal: number }) {
  if (!payable)
    return {
      title: '演示收银台开着，不能打款',
      description:
        '演示收银台里的钱不是真的，所以现在只能批准或拒绝。关掉它（PAY_SANDBOX=off）以后才能打款。',
    };
  if (unreal <= 0) return null;
  return {
    title: `账本里有 ${formatYuan(unreal)} 不是真钱`,
    description: '演示收银台开着时充入或付出的钱，可能已成为作者的收益。打款前请核对收益从哪里来。',
  };
}

/** What is open beside the table, and of which withdrawal. */
interface Opened {
  panel: 'refuse' | 'paid';
  withdrawal: StaffWithdrawal;
}

export function Page() {
  const { router } = useApp();
  const can = useCan();
  const mayUpdate = can('withdraw:update');
  const act = useAct();
  const confirm = useConfirm();
  const batch = useBatch();
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  const subjectOf = (panel: Opened['panel']) => (opened?.panel === panel ? opened.withdrawal : undefined);

  async function approve(withdrawal: StaffWithdrawal): Promise<void> {
    const { id, user, realName, amount } = withdrawal;
    const who = `「${user?.displayName ?? realName}」`;
    const title = `批准${who}提现 ${formatYuan(amount)}？`;
    const text = `批准后转账给 ${payeeOf(withdrawal)}，再记下流水号。`;
    if (!(await confirm({ title, text, action: '批准' }))) return;
    await act(
      (api) => api('PUT core/sys/withdraw/', { id, status: WITHDRAWAL_STATUS.approved }),
      `已批准${who}的提现`,
    );
  }

  async function approveAll(rows: StaffWithdrawal[], choose: (left?: StaffWithdrawal[]) => void) {
    const sum = rows.reduce((total, row) => total + row.amount, 0);
    const title = `批准这 ${rows.length} 笔提现，共 ${formatYuan(sum)}？`;
    const text = '批准后逐笔转账，再记下流水号。自己的提现不能由自己批准。';
    if (!(await confirm({ title, text, action: '批准' }))) return;
    choose(
      await batch({
        verb: '批准',
        rows,
        nameOf: (row) => `${row.user?.displayName ?? row.realName} ${formatYuan(row.amount)}`,
        work: (api, { id }) => api('PUT core/sys/withdraw/', { id, status: WITHDRAWAL_STATUS.approved }),
      }),
    );
  }

  return (
    <Screen title="提现" intro="作者提取收益的申请；批准后线下转账，再记下流水号">
      <DataTable
        name="withdraw"
        title="提现"
        route="GET core/sys/withdraw/"
        columns={columns}
        keyword="完整的单号，或昵称、账号的开头"
        filters={filters}
        batch={(rows, choose) => {
          const waiting = rows.filter((row) => row.status === WITHDRAWAL_STATUS.waiting);
          return mayUpdate && waiting.length > 0 ? (
            <Button size="small" onClick={() => void approveAll(waiting, choose)}>
              批准
            </Button>
          ) : null;
        }}
        summary={(page) => {
          const warning = warningOf(page);
          return warning && <Alert className={styles.notice} type="warning" showIcon {...warning} />;
        }}
        actions={(row, { payable }) => (
          <RowActions
            name={row.user?.displayName ?? row.realName}
            actions={[
              mayUpdate &&
                row.status === WITHDRAWAL_STATUS.waiting && {
                  label: '批准',
                  onClick: () => void approve(row),
                },
              mayUpdate &&
                payable &&
                row.status === WITHDRAWAL_STATUS.approved && {
                  label: '记为已打款',
                  onClick: () => setOpened({ panel: 'paid', withdrawal: row }),
                },
              mayUpdate &&
                (row.status === WITHDRAWAL_STATUS.waiting || row.status === WITHDRAWAL_STATUS.approved) && {
                  label: '拒绝',
                  danger: true,
                  onClick: () => setOpened({ panel: 'refuse', withdrawal: row }),
                },
              can('ledger:list') && {
                label: '分录',
                onClick: () => void router.navigate(`/ledger?withdrawalId=${row.id}`),
              },
            ]}
          />
        )}
      />
      <RefuseForm subject={subjectOf('refuse')} onClose={close} />
      <PaidForm subject={subjectOf('paid')} onClose={close} />
    </Screen>
  );
}
