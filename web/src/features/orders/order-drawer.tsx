import type { Output } from '@mozhan/contract/client.ts';
import { ORDER_STATUS } from '@mozhan/contract/enums.ts';
import { formatYuan } from '@mozhan/contract/money.ts';
import type { Order } from '@mozhan/contract/orders.ts';
import { type ReactNode, useState } from 'react';
import { wayNames } from '#web/features/paying/way-names.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { useCall } from '#web/lib/queries.ts';
import { useRouter } from '#web/router/router.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Drawer } from '#web/ui/drawer.tsx';
import { Loaded } from '#web/ui/loaded.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Waiting } from '#web/ui/waiting.tsx';
import { InvoiceSection } from './invoice-section.tsx';
import { OrderActs } from './order-acts.tsx';
import styles from './orders.module.css';
import { kindNames, states } from './words.ts';

/** The same call also lists orders; asked for one it never does. */
const asOrder = (data: Output<'GET core/user/order'>): Order | undefined => ('no' in data ? data : undefined);

function factsOf(order: Order): [string, ReactNode][] {
  const { no, kind, payBy, message, createdAt, paidAt, refundedAt } = order;
  return [
    ['订单号', no],
    ['种类', kindNames[kind]],
    ['支付方式', wayNames[payBy]],
    ...(message === '' ? [] : [['留言', message] satisfies [string, string]]),
    ['下单时间', formatDateTime(createdAt)],
    ...(paidAt === null ? [] : [['支付时间', formatDateTime(paidAt)] satisfies [string, string]]),
    ...(refundedAt === null ? [] : [['退款时间', formatDateTime(refundedAt)] satisfies [string, string]]),
  ];
}

function Detail({ order }: { order: Order }) {
  const { href } = useRouter();
  const { title, target, amount, status, refundReason } = order;
  const { name, tone } = states[status];
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
      {status === ORDER_STATUS.waiting ? <OrderActs order={order} /> : null}
      {refundReason === '' ? null : <Notice>退款理由：{refundReason}</Notice>}
      <dl className={`stack gap-2 text-m ${styles.detail}`}>
        {factsOf(order).map(([label, value]) => (
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
  const waiting = <Waiting className={styles.blank} lines={['30', '50 l', '82 m']} />;
  return (
    <Loaded query={query} level="h3" waiting={waiting}>
      {(order) => <Detail order={order} />}
    </Loaded>
  );
}

interface OrderDrawerProps {
  /** Undefined: closed. */
  id: string | undefined;
  onClose: () => void;
}

/** All about one order. */
export function OrderDrawer({ id, onClose }: OrderDrawerProps) {
  // Still shown while the drawer leaves.
  const [last, setLast] = useState(id);
  if (id !== undefined && id !== last) setLast(id);
  return (
    <Drawer open={id !== undefined} onOpenChange={(open) => (open ? undefined : onClose())} title="订单详情">
      <div className={styles.drawer}>{last === undefined ? null : <LoadedOrder id={last} />}</div>
    </Drawer>
  );
}
