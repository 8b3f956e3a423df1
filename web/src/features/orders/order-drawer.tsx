import type { Output } from '@mozhan/contract/client.ts';
import { ORDER_STATUS } from '@mozhan/contract/enums.ts';
import { formatYuan } from '@mozhan/contract/money.ts';
import type { Order } from '@mozhan/contract/orders.ts';
import { type ReactNode, useState } from 'react';
import { payMethodLabels } from '#web/features/paying/pay-method-labels.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { useCall } from '#web/lib/queries.ts';
import { useRouter } from '#web/router/router.tsx';
import { Alert } from '#web/ui/alert.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Drawer } from '#web/ui/drawer.tsx';
import { LoadingSkeleton } from '#web/ui/loading-skeleton.tsx';
import { QueryContent } from '#web/ui/query-content.tsx';
import { InvoiceSection } from './invoice-section.tsx';
import { OrderActions } from './order-actions.tsx';
import { orderKindLabels, orderStatusLabels } from './order-labels.ts';
import styles from './orders.module.css';

/** The same route also lists orders, but not when it gets an id. */
const asOrder = (data: Output<'GET core/user/order'>): Order | undefined => ('no' in data ? data : undefined);

function detailRowsOf(order: Order): [string, ReactNode][] {
  const { no, kind, payBy, message, createdAt, paidAt, refundedAt } = order;
  return [
    ['订单号', no],
    ['类型', orderKindLabels[kind]],
    ['支付方式', payMethodLabels[payBy]],
    ...(message === '' ? [] : [['留言', message] satisfies [string, string]]),
    ['下单时间', formatDateTime(createdAt)],
    ...(paidAt === null ? [] : [['支付时间', formatDateTime(paidAt)] satisfies [string, string]]),
    ...(refundedAt === null ? [] : [['退款时间', formatDateTime(refundedAt)] satisfies [string, string]]),
  ];
}

function OrderDetail({ order }: { order: Order }) {
  const { href } = useRouter();
  const { title, target, amount, status, refundReason } = order;
  const { name, tone } = orderStatusLabels[status];
  return (
    <>
      <header className={styles.sum}>
        <Badge tone={tone}>{name}</Badge>
        <strong className="amount">{formatYuan(amount)}</strong>
        <p>
          {target?.url ? (
            <a className="link" href={href(target.url)}>
              {title}
            </a>
          ) : (
            title
          )}
        </p>
      </header>
      {status === ORDER_STATUS.waiting ? <OrderActions order={order} /> : null}
      {refundReason === '' ? null : <Alert>退款理由：{refundReason}</Alert>}
      <dl className={`stack gap-2 text-m ${styles.detail}`}>
        {detailRowsOf(order).map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {status === ORDER_STATUS.paid ? <InvoiceSection order={order} /> : null}
    </>
  );
}

function LoadedOrder({ id }: { id: string }) {
  const query = useCall('GET core/user/order', { id }, { select: asOrder });
  const waiting = <LoadingSkeleton className={styles.blank} lines={['30', '50 l', '82 m']} />;
  return (
    <QueryContent query={query} level="h3" loading={waiting}>
      {(order) => <OrderDetail order={order} />}
    </QueryContent>
  );
}

interface OrderDrawerProps {
  /** Undefined when closed. */
  id: string | undefined;
  onClose: () => void;
}

export function OrderDrawer({ id, onClose }: OrderDrawerProps) {
  // The last order stays visible while the drawer closes.
  const [displayedId, setDisplayedId] = useState(id);
  if (id !== undefined && id !== displayedId) setDisplayedId(id);
  return (
    <Drawer open={id !== undefined} onOpenChange={(open) => (open ? undefined : onClose())} title="订单详情">
      <div className={styles.drawer}>
        {displayedId === undefined ? null : <LoadedOrder id={displayedId} />}
      </div>
    </Drawer>
  );
}
