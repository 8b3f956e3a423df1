import { FLAG } from '@mozhan/contract/enums.ts';
import { statuses, statusText } from '#admin/features/order/labels.ts';
import { OrderDrawer } from '#admin/features/order/order-drawer.tsx';
import { refundForm } from '#admin/features/order/refund-form.tsx';
import { repeatRefundForm } from '#admin/features/order/repeat-refund-form.tsx';
import { orDash } from '#admin/lib/format.ts';
import { orderKinds, payByNames } from '#admin/lib/money-labels.ts';
import { ago, code, money, person, personName, tag, text, time } from '#admin/ui/columns.tsx';
import { amountFilter, dayFilters, rangeEnd, userFilter } from '#admin/ui/filters.tsx';
import { LabelTag, optionsOf } from '#admin/ui/labels.tsx';
import { paged } from '#admin/ui/lists.ts';
import { ResourceScreen } from '#admin/ui/resource-screen.tsx';
import { TruncatedLink } from '#admin/ui/truncated-text.tsx';

export const Page = () => (
  <ResourceScreen
    name="order"
    title="订单"
    intro="全部订单，新的在前；退款全额、原路退回"
    list={paged('GET core/sys/order/')}
    // Hidden columns are still exported to CSV, for example invoice data.
    columns={[
      code('no', '订单号'),
      tag('kind', '类型', orderKinds),
      {
        key: 'title',
        title: '内容',
        text: (row) => row.title,
        show: ({ title, target }) => <TruncatedLink text={title} to={target?.url || undefined} />,
      },
      person('user', '付款人'),
      money('amount', '金额（元）', { sort: true }),
      { key: 'payBy', title: '支付方式', text: (row) => payByNames[row.payBy] },
      {
        key: 'status',
        title: '状态',
        text: statusText,
        show: (row) => <LabelTag of={statuses} value={row.status} text={statusText(row)} />,
      },
      ago('createdAt', '下单时间', { sort: true }),
      person('payee', '收款的作者', { hidden: true }),
      money('commission', '平台服务费（元）', { hidden: true }),
      text('tradeNo', '交易号', { hidden: true }),
      time('paidAt', '支付时间', { hidden: true }),
      time('refundedAt', '退款时间', { hidden: true }),
      text('refundReason', '退款理由', { hidden: true }),
      text('refundNo', '退款单号', { hidden: true }),
      personName('refundedBy', '退款人', { hidden: true }),
      { key: 'invoiceTitle', title: '发票抬头', text: (row) => orDash(row.invoice?.title), hidden: true },
      { key: 'invoiceTaxNo', title: '发票税号', text: (row) => orDash(row.invoice?.taxNo), hidden: true },
      { key: 'invoiceEmail', title: '收票邮箱', text: (row) => orDash(row.invoice?.email), hidden: true },
    ]}
    keyword="单号，或付款人昵称、账号的开头"
    keywordMax={64}
    filters={[
      { name: 'kind', label: '类型', options: optionsOf(orderKinds) },
      { name: 'status', label: '状态', options: optionsOf(statuses) },
      { name: 'payBy', label: '支付方式', options: optionsOf(payByNames) },
      { name: 'invoice', label: '发票', options: [{ value: String(FLAG.on), label: '要发票的' }] },
      userFilter('userId', '付款人'),
      amountFilter('least', '最少'),
      rangeEnd(amountFilter('most', '最多')),
      ...dayFilters,
    ]}
    rowActions={[
      { label: '详情', panel: (props) => <OrderDrawer {...props} /> },
      {
        label: '退款',
        permission: 'order:refund',
        when: ({ refundable }) => refundable,
        danger: true,
        panel: refundForm,
      },
      {
        label: '再退一次',
        permission: 'order:refund',
        when: ({ refundProblem }) => refundProblem !== null,
        panel: repeatRefundForm,
      },
    ]}
    bulk
  />
);
