import type { Output } from '@mozhan/contract/client.ts';
import { ORDER_STATUS } from '@mozhan/contract/enums.ts';
import { formatYuan } from '@mozhan/contract/money.ts';
import type { Order } from '@mozhan/contract/orders.ts';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { formatDateTime } from '#web/lib/format.ts';
import type { Pay } from '#web/lib/orders.ts';
import { call } from '#web/lib/queries.ts';
import { wayNames } from '#web/lib/way-names.ts';
import { useRouter } from '#web/router.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Drawer } from '#web/ui/drawer.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
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

function Detail({ order, pay }: { order: Order; pay: Pay }) {
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
      {status === ORDER_STATUS.waiting ? <OrderActs order={order} pay={pay} /> : null}
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

function Loaded({ id, pay }: { id: string; pay: Pay }) {
  const { data, error, refetch } = useQuery({
    ...call(useApi(), 'GET core/user/order', { id }),
    select: asOrder,
  });
  if (data !== undefined) return <Detail order={data} pay={pay} />;
  if (error !== null) return <LoadFailed level="h3" error={error} onRetry={refetch} />;
  return (
    <>
      <p className="sr" role="status">
        正在载入…
      </p>
      <div className={styles.blank} aria-hidden="true">
        <Skeleton width="30" />
        <Skeleton width="50" height="l" />
        <Skeleton width="82" height="m" />
      </div>
    </>
  );
}

interface OrderDrawerProps {
  /** Undefined: closed. */
  id: string | undefined;
  pay: Pay;
  onClose: () => void;
}

/** All about one order. */
export function OrderDrawer({ id, pay, onClose }: OrderDrawerProps) {
  // Still shown while the drawer leaves.
  const [last, setLast] = useState(id);
  if (id !== undefined && id !== last) setLast(id);
  return (
    <Drawer open={id !== undefined} onOpenChange={(open) => (open ? undefined : onClose())} title="订单详情">
      <div className={styles.drawer}>{last === undefined ? null : <Loaded id={last} pay={pay} />}</div>
    </Drawer>
  );
}
