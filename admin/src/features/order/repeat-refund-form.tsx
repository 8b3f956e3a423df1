import { formatYuan } from '@mozhan/contract/money.ts';
import type { StaffOrder } from '@mozhan/contract/orders.ts';
import { rowForm } from '#admin/ui/row-form.tsx';
import { problemText } from './labels.ts';

const hints: Record<NonNullable<StaffOrder['refundProblem']>, string> = {
  closed: '多半是商户账户的余额不够。充值以后再退，会用新的退款单号，不会重复退。',
  abnormal:
    '可以先在微信支付的商户平台处理这笔退款，再点「再退一次」核对结果；也可以请微信把钱退到本站的结算账户，由你们另行转给付款人。',
  refused: '请看系统日志里支付方给出的原因，处理以后再退，不会重复退。',
};

/** Asks the provider again for a refund that it has not paid. */
export const repeatRefundForm = rowForm({
  title: ({ no }: StaffOrder) => `订单 ${no} 再退一次`,
  intro: (order: StaffOrder) => (
    <p>
      {problemText(order)}，{formatYuan(order.amount)} 还没有退到付款人。
      {order.refundProblem === null ? '' : hints[order.refundProblem]}
    </p>
  ),
  action: '再退一次',
  values: { to: 'payer' },
  fields: [
    {
      name: 'to',
      kind: 'choice',
      label: '退到哪里',
      options: [
        { value: 'payer', label: '退给付款人' },
        { value: 'shop', label: '退到本站的结算账户（只限退款异常）' },
      ],
    },
  ],
  run: (api, { id }, { to }) =>
    api('PUT core/sys/order/refund/repeat', { id, ...(to === 'shop' && { toShop: true }) }),
  done: ({ no }) => `已请支付方再退一次：订单 ${no}`,
});
