import type { LedgerEntry } from '@mozhan/contract/ledger.ts';
import { formatYuan } from '@mozhan/contract/money.ts';
import type { StaffOrder } from '@mozhan/contract/orders.ts';
import { Flex } from 'antd';
import { formatDateTime } from '#admin/lib/format.ts';
import { entryKinds } from '#admin/lib/ledger-labels.ts';
import { orderKinds, payByNames } from '#admin/lib/money-labels.ts';
import { Link } from '#admin/lib/navigation.tsx';
import { Can } from '#admin/ui/can.tsx';
import { DetailDrawer } from '#admin/ui/detail-drawer.tsx';
import { EntryLines } from '#admin/ui/entry-lines.tsx';
import { Facts } from '#admin/ui/facts.tsx';
import { LabelTag } from '#admin/ui/labels.tsx';
import { Loaded } from '#admin/ui/loaded.tsx';
import { PersonLink } from '#admin/ui/person-link.tsx';
import type { PanelProps } from '#admin/ui/row-actions.tsx';
import { SecondaryText } from '#admin/ui/secondary-text.tsx';
import { SiteLink } from '#admin/ui/site-link.tsx';
import { problemText, statuses, statusText } from './labels.ts';
import styles from './order.module.css';

function Entries({ entries }: { entries: readonly LedgerEntry[] }) {
  if (entries.length === 0) return <SecondaryText>还没有账目</SecondaryText>;
  return (
    <ol className={styles.entries}>
      {entries.map((entry) => (
        <li key={entry.id}>
          <p>
            <strong>{entryKinds[entry.kind]}</strong>
            <time dateTime={entry.createdAt}>{formatDateTime(entry.createdAt)}</time>
          </p>
          <EntryLines entry={entry} />
        </li>
      ))}
    </ol>
  );
}

function Detail({ order }: { order: StaffOrder }) {
  const { target, invoice, paidAt, refundedAt } = order;
  return (
    <div className={styles.detail}>
      <Facts
        facts={[
          ['状态', <LabelTag key="status" of={statuses} value={order.status} text={statusText(order)} />],
          ['类型', orderKinds[order.kind]],
          [
            '内容',
            target === null || target.url === '' ? (
              order.title
            ) : (
              <SiteLink key="target" to={target.url} target="_blank" rel="noopener">
                {order.title}
              </SiteLink>
            ),
          ],
          ['付款人', <PersonLink key="user" user={order.user} />],
          order.payee === null ? null : ['收款的作者', <PersonLink key="payee" user={order.payee} />],
          ['金额', formatYuan(order.amount)],
          order.commission === 0 ? null : ['平台服务费', formatYuan(order.commission)],
          ['支付方式', payByNames[order.payBy]],
          order.tradeNo === '' ? null : ['交易号', <code key="trade">{order.tradeNo}</code>],
          order.message === '' ? null : ['留言', order.message],
          ['下单时间', formatDateTime(order.createdAt)],
          paidAt === null ? null : ['支付时间', formatDateTime(paidAt)],
          refundedAt === null ? null : ['退款时间', formatDateTime(refundedAt)],
          order.refundReason === '' ? null : ['退款理由', order.refundReason],
          order.refundNo === '' ? null : ['退款单号', <code key="refundNo">{order.refundNo}</code>],
          order.refundProblem === null ? null : ['退款未成功', problemText(order)],
          order.refundedBy === null ? null : ['退款人', order.refundedBy.displayName],
        ]}
      />
      <section aria-label="发票">
        <h3>发票</h3>
        {invoice === null ? (
          <SecondaryText>没有填写发票信息</SecondaryText>
        ) : (
          <Facts
            facts={[
              ['抬头', invoice.title],
              ['税号', invoice.taxNo === '' ? '个人，没有税号' : <code key="tax">{invoice.taxNo}</code>],
              ['收票邮箱', invoice.email === '' ? '没有填写' : invoice.email],
            ]}
          />
        )}
      </section>
      <Can permission="ledger:list">
        <section aria-label="分录">
          <Flex justify="space-between" align="baseline">
            <h3>分录</h3>
            <Link to={`/ledger?orderId=${order.id}`}>在账本中看</Link>
          </Flex>
          <Loaded
            route="GET core/sys/ledger/"
            input={{ orderId: order.id, pageSize: 100 }}
            skeleton={{ title: false }}
          >
            {({ list }) => <Entries entries={list} />}
          </Loaded>
        </section>
      </Can>
    </div>
  );
}

export const OrderDrawer = ({ others, onClose, ...props }: PanelProps<StaffOrder>) => (
  <DetailDrawer
    {...props}
    onClose={onClose}
    title={({ no }) => `订单 ${no}`}
    width={560}
    actions={others.map((action) => ({
      ...action,
      onClick: () => {
        onClose();
        action.onClick();
      },
    }))}
  >
    {(order) => <Detail order={order} />}
  </DetailDrawer>
);
