import { WITHDRAWAL_STATUS } from '@mozhan/contract/enums.ts';
import { formatYuan } from '@mozhan/contract/money.ts';
import type { StaffWithdrawal } from '@mozhan/contract/wallet.ts';
import { App } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { FormModal } from '#admin/ui/form-modal.tsx';
import { textField } from '#admin/ui/text-field.tsx';

interface WithdrawalFormProps {
  subject: StaffWithdrawal | undefined;
  onClose: () => void;
}

/** To whom the money goes, by name where it is known. */
export const payeeOf = ({ realName, account }: StaffWithdrawal): string =>
  realName === '' ? account : `${realName}（${account}）`;

const namesOf = (subject: StaffWithdrawal | undefined) => ({
  who: `「${subject?.user?.displayName ?? subject?.realName}」`,
  amount: formatYuan(subject?.amount ?? 0),
});

/** The money goes back to the writer's earnings, with the reason. */
export function RefuseForm({ subject, onClose }: WithdrawalFormProps) {
  const { api } = useApp();
  const { message } = App.useApp();
  const { who, amount } = namesOf(subject);
  return (
    <FormModal<{ reason: string }>
      title={`拒绝${who}提现 ${amount}`}
      open={subject !== undefined}
      onClose={onClose}
      action="拒绝"
      danger
      intro={<p>{amount} 退回作者的收益，可以再次申请。</p>}
      values={{ reason: '' }}
      fields={[
        textField({
          name: 'reason',
          label: '理由',
          help: '作者会收到这段话',
          max: 200,
          missing: '请写明理由',
        }),
      ]}
      submit={async ({ reason }) => {
        if (subject === undefined) return;
        await api('PUT core/sys/withdraw/', { id: subject.id, status: WITHDRAWAL_STATUS.refused, reason });
        message.success(`已拒绝${who}的提现`);
      }}
      codes={{ REASON_REQUIRED: 'reason' }}
    />
  );
}

/** For after the transfer at the bank: this one only writes it into the books. */
export function PaidForm({ subject, onClose }: WithdrawalFormProps) {
  const { api } = useApp();
  const { message } = App.useApp();
  const { who, amount } = namesOf(subject);
  return (
    <FormModal<{ tradeNo: string }>
      title={`记为已打款 ${amount}`}
      open={subject !== undefined}
      onClose={onClose}
      action="记为已打款"
      intro={<p>请先转账给 {subject && payeeOf(subject)}，再把流水号记在这里。记下后不能撤销。</p>}
      values={{ tradeNo: '' }}
      fields={[
        {
          name: 'tradeNo',
          kind: 'text',
          label: '打款流水号',
          required: true,
          maxLength: 64,
          help: '银行或支付宝转账的流水号，作者也能看到',
        },
      ]}
      submit={async ({ tradeNo }) => {
        if (subject === undefined) return;
        await api('PUT core/sys/withdraw/', { id: subject.id, status: WITHDRAWAL_STATUS.paid, tradeNo });
        message.success(`已记下给${who}打款 ${amount}`);
      }}
    />
  );
}
