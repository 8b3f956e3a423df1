import { formatYuan, toYuan } from '@mozhan/contract/money.ts';
import type { StaffOrder } from '@mozhan/contract/orders.ts';
import { Tag } from 'antd';
import { formatDateTime, orDash } from '#admin/lib/format.ts';
import { orderKinds, payByNames } from '#admin/lib/money-words.ts';
import { Line } from '#admin/ui/line.tsx';
import { PersonLink } from '#admin/ui/person-link.tsx';
import { TimeAgo } from '#admin/ui/time.tsx';
import type { Column } from '#admin/ui/use-columns.ts';
import { StatusTag, statusText } from './words.tsx';

const at = (time: string | null): string => (time === null ? '-' : formatDateTime(time));

/** In a file amounts are plain numbers, to be added up; those hidden here are there too, invoices among them. */
export const orderColumns = (basePath: string): Column<StaffOrder>[] => [
  { key: 'no', title: '订单号', text: (row) => row.no, show: (row) => <code>{row.no}</code> },
  {
    key: 'kind',
    title: '种类',
    text: (row) => orderKinds[row.kind],
    show: (row) => <Tag variant="filled">{orderKinds[row.kind]}</Tag>,
  },
  {
    key: 'title',
    title: '内容',
    text: (row) => row.title,
    show: ({ title, target }) => (
      <Line text={title} href={target === null || target.url === '' ? undefined : basePath + target.url} />
    ),
  },
  {
    key: 'user',
    title: '付款人',
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
  { key: 'payBy', title: '支付方式', text: (row) => payByNames[row.payBy] },
  { key: 'status', title: '状态', text: statusText, show: (row) => <StatusTag order={row} /> },
  {
    key: 'createdAt',
    title: '下单时间',
    text: (row) => formatDateTime(row.createdAt),
    show: (row) => <TimeAgo at={row.createdAt} />,
    sort: 'createdAt',
  },
  {
    key: 'payee',
    title: '收款的作者',
    text: (row) => orDash(row.payee?.displayName),
    show: (row) => <PersonLink user={row.payee} />,
    hidden: true,
  },
  {
    key: 'commission',
    title: '平台抽成（元）',
    align: 'end',
    text: (row) => toYuan(row.commission),
    show: (row) => formatYuan(row.commission),
    hidden: true,
  },
  { key: 'tradeNo', title: '交易号', text: (row) => orDash(row.tradeNo), hidden: true },
  { key: 'paidAt', title: '支付时间', text: (row) => at(row.paidAt), hidden: true },
  { key: 'refundedAt', title: '退款时间', text: (row) => at(row.refundedAt), hidden: true },
  { key: 'refundReason', title: '退款理由', text: (row) => orDash(row.refundReason), hidden: true },
  { key: 'refundedBy', title: '退款人', text: (row) => orDash(row.refundedBy?.displayName), hidden: true },
  { key: 'invoiceTitle', title: '发票抬头', text: (row) => orDash(row.invoice?.title), hidden: true },
  { key: 'invoiceTaxNo', title: '发票税号', text: (row) => orDash(row.invoice?.taxNo), hidden: true },
  { key: 'invoiceEmail', title: '收票邮箱', text: (row) => orDash(row.invoice?.email), hidden: true },
];
