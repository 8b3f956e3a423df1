import { formatYuan } from '@mozhan/contract/money.ts';
import type { StaffOrder } from '@mozhan/contract/orders.ts';
import { useQuery } from '@tanstack/react-query';
import { Button, Drawer, Skeleton } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { formatDateTime } from '#admin/lib/format.ts';
import { entryKinds } from '#admin/lib/ledger-words.ts';
import { orderKinds, payByNames } from '#admin/lib/money-words.ts';
import { Link } from '#admin/lib/navigation.tsx';
import { call } from '#admin/lib/queries.ts';
import { Can } from '#admin/ui/can.tsx';
import { EntryLines } from '#admin/ui/entry-lines.tsx';
import { Facts } from '#admin/ui/facts.tsx';
import { PersonLink } from '#admin/ui/person-link.tsx';
import { Failed } from '#admin/ui/screen.tsx';
import { useOpenings } from '#admin/ui/use-openings.ts';
import styles from './order.module.css';
import { StatusTag } from './words.tsx';

/** How the order's money went through the books. */
function Entries({ orderId }: { orderId: string }) {
  const { api } = useApp();
  const { data, error, refetch } = useQuery(call(api, 'GET core/sys/ledger/', { orderId, pageSize: 100 }));
  if (data === undefined)
    return error === null ? (
      <Skeleton active title={false} />
    ) : (
      <Failed error={error} onRetry={() => void refetch()} />
    );
  if (data.list.length === 0) return <p className={styles.none}>还没有动过钱</p>;
  return (
    <ol className={styles.entries}>
      {data.list.map((entry) => (
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
  const { basePath } = useApp();
  const { target, invoice, paidAt, refundedAt } = order;
  return (
    <div className={styles.detail}>
      <Facts
        facts={[
          ['状态', <StatusTag key="status" order={order} />],
          ['种类', orderKinds[order.kind]],
          [
            '内容',
            target === null || target.url === '' ? (
              order.title
            ) : (
              <a key="target" href={basePath + target.url} target="_blank" rel="noopener">
                {order.title}
              </a>
            ),
          ],
          ['付款人', <PersonLink key="user" user={order.user} />],
          order.payee === null ? null : ['收款的作者', <PersonLink key="payee" user={order.payee} />],
          ['金额', formatYuan(order.amount)],
          order.commission === 0 ? null : ['平台抽成', formatYuan(order.commission)],
          ['支付方式', payByNames[order.payBy]],
          order.tradeNo === '' ? null : ['交易号', <code key="trade">{order.tradeNo}</code>],
          order.message === '' ? null : ['留言', order.message],
          ['下单时间', formatDateTime(order.createdAt)],
          paidAt === null ? null : ['支付时间', formatDateTime(paidAt)],
          refundedAt === null ? null : ['退款时间', formatDateTime(refundedAt)],
          order.refundReason === '' ? null : ['退款理由', order.refundReason],
          order.refundedBy === null ? null : ['退款人', order.refundedBy.displayName],
        ]}
      />
      <section aria-label="发票">
        <h3>发票</h3>
        {invoice === null ? (
          <p className={styles.none}>没有要发票</p>
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
          <div className={styles.head}>
            <h3>分录</h3>
            <Link to={`/ledger?orderId=${order.id}`}>在账本中看</Link>
          </div>
          <Entries orderId={order.id} />
        </section>
      </Can>
    </div>
  );
}

interface OrderDrawerProps {
  subject: StaffOrder | undefined;
  onClose: () => void;
  /** Undefined: it cannot be refunded, or not by this person. */
  onRefund: (() => void) | undefined;
}

/** An order in full. */
export function OrderDrawer({ subject, onClose, onRefund }: OrderDrawerProps) {
  const { shown } = useOpenings(subject !== undefined, subject);
  return (
    <Drawer
      title={`订单 ${shown?.no}`}
      open={subject !== undefined}
      onClose={onClose}
      size={Math.min(560, innerWidth)}
      closable={{ 'aria-label': '关闭' }}
      destroyOnHidden
      extra={
        onRefund === undefined ? null : (
          <Button danger onClick={onRefund}>
            退款
          </Button>
        )
      }
    >
      {shown === undefined ? null : <Detail order={shown} />}
    </Drawer>
  );
}
