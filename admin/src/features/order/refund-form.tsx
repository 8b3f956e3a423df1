import { formatYuan } from '@mozhan/contract/money.ts';
import type { StaffOrder } from '@mozhan/contract/orders.ts';
import { App } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { orderKinds } from '#admin/lib/money-words.ts';
import { FormModal } from '#admin/ui/form-modal.tsx';
import { textField } from '#admin/ui/text-field.tsx';
import styles from './order.module.css';
import { effectsOf } from './words.tsx';

interface RefundFormProps {
  subject: StaffOrder | undefined;
  onClose: () => void;
}

/** Says what a refund will do, and asks why. */
export function RefundForm({ subject, onClose }: RefundFormProps) {
  const { api } = useApp();
  const { message } = App.useApp();
  const amount = formatYuan(subject?.amount ?? 0);
  return (
    <FormModal<{ reason: string }>
      title={`退款：订单 ${subject?.no}`}
      open={subject !== undefined}
      onClose={onClose}
      action={`退款 ${amount}`}
      danger
      intro={
        subject === undefined ? null : (
          <>
            <p>
              {orderKinds[subject.kind]}「{subject.title}」，退款以后：
            </p>
            <ul className={styles.effects} aria-label="退款会做什么">
              {effectsOf(subject).map((effect) => (
                <li key={effect}>{effect}</li>
              ))}
            </ul>
          </>
        )
      }
      values={{ reason: '' }}
      fields={[
        textField({
          name: 'reason',
          label: '退款理由',
          help: '付款人会收到这段话',
          max: 200,
          missing: '请写明理由',
        }),
      ]}
      submit={async ({ reason }) => {
        if (subject === undefined) return;
        await api('PUT core/sys/order/refund', { id: subject.id, reason });
        message.success(`已退款 ${amount}`);
      }}
    />
  );
}
