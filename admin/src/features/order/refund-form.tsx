import { formatYuan } from '@mozhan/contract/money.ts';
import type { StaffOrder } from '@mozhan/contract/orders.ts';
import { orderKinds } from '#admin/lib/money-labels.ts';
import { rowForm } from '#admin/ui/row-form.tsx';
import { effectsOf } from './labels.ts';
import styles from './order.module.css';

/** Lists the effects of a refund and asks for the reason. */
export const refundForm = rowForm({
  title: ({ no }: StaffOrder) => `退款：订单 ${no}`,
  intro: (order) => (
    <>
      <p>
        {orderKinds[order.kind]}「{order.title}」，退款以后：
      </p>
      <ul className={styles.effects} aria-label="退款会做什么">
        {effectsOf(order).map((effect) => (
          <li key={effect}>{effect}</li>
        ))}
      </ul>
    </>
  ),
  action: ({ amount }) => `退款 ${formatYuan(amount)}`,
  danger: true,
  values: { reason: '' },
  fields: [
    {
      name: 'reason',
      kind: 'lines',
      label: '退款理由',
      maxLength: 200,
      help: '付款人会收到这段话',
      rules: [{ required: true, whitespace: true, message: '请写明理由' }],
    },
  ],
  run: (api, { id }, { reason }) => api('PUT core/sys/order/refund', { id, reason }),
  done: ({ amount }) => `已退款 ${formatYuan(amount)}`,
});
