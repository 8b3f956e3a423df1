import { WITHDRAWAL_STATUS } from '@mozhan/contract/enums.ts';
import { formatYuan } from '@mozhan/contract/money.ts';
import type { StaffWithdrawal } from '@mozhan/contract/wallet.ts';
import { Alert } from 'antd';
import { ago, code, line, money, person, personName, tag, text, time } from '#admin/ui/columns.tsx';
import { dayFilters, pendingFilter, userFilter } from '#admin/ui/filters.tsx';
import type { Labels } from '#admin/ui/labels.tsx';
import { paged } from '#admin/ui/lists.ts';
import { ResourceScreen } from '#admin/ui/resource-screen.tsx';
import { rowForm } from '#admin/ui/row-form.tsx';

const statuses: Labels<StaffWithdrawal['status']> = {
  [WITHDRAWAL_STATUS.waiting]: { label: '待审批', color: 'warning' },
  [WITHDRAWAL_STATUS.approved]: { label: '已批准，待打款', color: 'processing' },
  [WITHDRAWAL_STATUS.refused]: { label: '已拒绝', color: 'error' },
  [WITHDRAWAL_STATUS.paid]: { label: '已打款', color: 'success' },
};

const nameOf = ({ user, realName }: StaffWithdrawal): string => user?.displayName ?? realName;

/** Name (if known) and account of the payee. */
const payeeOf = ({ realName, account }: StaffWithdrawal): string =>
  realName === '' ? account : `${realName}（${account}）`;

const isWaiting = ({ status }: StaffWithdrawal): boolean => status === WITHDRAWAL_STATUS.waiting;
const isApproved = ({ status }: StaffWithdrawal): boolean => status === WITHDRAWAL_STATUS.approved;

/** Sandbox payments are not real money, but purchases with it still count as earnings. */
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

export const Page = () => (
  <ResourceScreen
    name="withdraw"
    title="提现"
    intro="作者提取收益的申请；批准后线下转账，再记下流水号"
    list={paged('GET core/sys/withdraw/')}
    nameOf={nameOf}
    columns={[
      code('no', '单号'),
      person('user', '作者'),
      money('amount', '金额（元）', { sort: true }),
      text('realName', '收款人'),
      line('account', '收款账户'),
      money('earnings', '剩余收益（元）'),
      tag('status', '状态', statuses),
      ago('createdAt', '申请时间', { sort: true }),
      text('reason', '拒绝的理由', { hidden: true }),
      text('tradeNo', '打款流水号', { hidden: true }),
      personName('decidedBy', '处理人', { hidden: true }),
      time('decidedAt', '处理时间', { hidden: true }),
      time('paidAt', '打款时间', { hidden: true }),
    ]}
    keyword="完整的单号，或昵称、账号的开头"
    filters={[
      pendingFilter(statuses, WITHDRAWAL_STATUS.waiting),
      userFilter('userId', '作者'),
      ...dayFilters,
    ]}
    summary={(page) => {
      const warning = warningOf(page);
      return warning && <Alert type="warning" showIcon {...warning} />;
    }}
    rowActions={[
      {
        label: '批准',
        permission: 'withdraw:update',
        when: isWaiting,
        ask: (row) => ({
          title: `批准「${nameOf(row)}」提现 ${formatYuan(row.amount)}？`,
          text: `批准后转账给 ${payeeOf(row)}，再记下流水号。`,
        }),
        run: (api, { id }) => api('PUT core/sys/withdraw/', { id, status: WITHDRAWAL_STATUS.approved }),
        done: (row) => `已批准「${nameOf(row)}」的提现`,
        bulk: {
          ask: (rows) => ({
            title: `批准这 ${rows.length} 笔提现，共 ${formatYuan(rows.reduce((sum, { amount }) => sum + amount, 0))}？`,
            text: '批准后逐笔转账，再记下流水号。自己的提现不能由自己批准。',
          }),
          nameOf: (row) => `${nameOf(row)} ${formatYuan(row.amount)}`,
        },
      },
      {
        // Only records a transfer that was already made at the bank.
        label: '记为已打款',
        permission: 'withdraw:update',
        when: (row, { payable }) => payable && isApproved(row),
        panel: rowForm({
          title: ({ amount }) => `记为已打款 ${formatYuan(amount)}`,
          intro: (row) => <p>请先转账给 {payeeOf(row)}，再把流水号记在这里。记下后不能撤销。</p>,
          values: { tradeNo: '' },
          fields: [
            {
              name: 'tradeNo',
              kind: 'text',
              label: '打款流水号',
              required: true,
              maxLength: 64,
              help: '银行或支付宝转账的流水号，作者也能看到',
            },
          ],
          run: (api, { id }, { tradeNo }) =>
            api('PUT core/sys/withdraw/', { id, status: WITHDRAWAL_STATUS.paid, tradeNo }),
          done: (row) => `已记下给「${nameOf(row)}」打款 ${formatYuan(row.amount)}`,
        }),
      },
      {
        label: '拒绝',
        permission: 'withdraw:update',
        when: (row) => isWaiting(row) || isApproved(row),
        danger: true,
        panel: rowForm({
          title: (row) => `拒绝「${nameOf(row)}」提现 ${formatYuan(row.amount)}`,
          intro: ({ amount }) => <p>{formatYuan(amount)} 退回作者的收益，可以再次申请。</p>,
          danger: true,
          values: { reason: '' },
          fields: [
            {
              name: 'reason',
              kind: 'lines',
              label: '理由',
              required: true,
              maxLength: 200,
              help: '作者会收到这段话',
            },
          ],
          run: (api, { id }, { reason }) =>
            api('PUT core/sys/withdraw/', { id, status: WITHDRAWAL_STATUS.refused, reason }),
          done: (row) => `已拒绝「${nameOf(row)}」的提现`,
          codes: { REASON_REQUIRED: 'reason' },
        }),
      },
      { label: '分录', permission: 'ledger:list', to: ({ id }) => `/ledger?withdrawalId=${id}` },
    ]}
  />
);
