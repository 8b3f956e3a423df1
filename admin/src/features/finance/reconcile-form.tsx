import { App } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { DayInput } from '#admin/ui/day-input.tsx';
import { FormModal } from '#admin/ui/form-modal.tsx';

interface ReconcileFormProps {
  /** Initial day; undefined while closed. */
  day: string | undefined;
  onClose: () => void;
}

export function ReconcileForm({ day, onClose }: ReconcileFormProps) {
  const { api } = useApp();
  const { message } = App.useApp();
  return (
    <FormModal<{ day: string | undefined }>
      title="重新对账"
      open={day !== undefined}
      onClose={onClose}
      action="对账"
      intro={<p>再比一次那天的账本、订单与支付方的对账单，结果代替原来的。不会动任何钱。</p>}
      values={{ day }}
      fields={[
        {
          name: 'day',
          kind: 'own',
          label: '哪一天',
          help: '昨天或更早；支付宝和微信支付的对账单在次日上午才有',
          rules: [{ required: true, message: '请选择日期' }],
          control: <DayInput label="哪一天" />,
        },
      ]}
      submit={async ({ day }) => {
        if (day === undefined) return;
        const reports = await api('POST core/sys/finance/reconciliation', { day });
        const wrong = reports.filter(({ agrees }) => !agrees).length;
        if (wrong === 0) message.success(`${day} 对账完成，全部一致`);
        else message.warning(`${day} 对账完成，${wrong} 种支付方式没有对上`);
      }}
    />
  );
}
