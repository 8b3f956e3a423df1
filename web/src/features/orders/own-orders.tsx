import { ORDER_STATUS } from '@mozhan/contract/enums.ts';
import { formatYuan } from '@mozhan/contract/money.ts';
import type { Order, OrderKind, OrderStatus } from '@mozhan/contract/orders.ts';
import { payMethodLabels } from '#web/features/paying/pay-method-labels.ts';
import { useCallPages } from '#web/lib/use-call-pages.ts';
import { pathTo, useRouter } from '#web/router/router.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { EmptyList } from '#web/ui/empty-list.tsx';
import { SelectField } from '#web/ui/field.tsx';
import { InfiniteList } from '#web/ui/infinite-list.tsx';
import { LinkTabs } from '#web/ui/link-tabs.tsx';
import { ListRow, ListRowSkeletons } from '#web/ui/list-row.tsx';
import { RelativeTime } from '#web/ui/time.tsx';
import { OrderActions } from './order-actions.tsx';
import { OrderDrawer } from './order-drawer.tsx';
import { orderKindLabels, orderStatusLabels } from './order-labels.ts';
import styles from './orders.module.css';

interface Filter {
  kind?: OrderKind;
  status?: OrderStatus;
}

const ID = /^[0-9a-f]{32}$/;

const isOrderKind = (text: string): text is OrderKind => Object.hasOwn(orderKindLabels, text);

function readFilter(search: URLSearchParams): Filter {
  const kind = search.get('kind') ?? '';
  const status = Object.values(ORDER_STATUS).find((each) => String(each) === search.get('status'));
  return {
    ...(isOrderKind(kind) && { kind }),
    ...(status !== undefined && { status }),
  };
}

const ordersPath = ({ kind, status }: Filter, id?: string): string =>
  pathTo({
    to: '/account/center.html',
    search: { tab: 'order', kind, status: status === undefined ? undefined : String(status), id },
  });

interface OrderRowProps {
  order: Order;
  detailPath: string;
}

function OrderRow({ order, detailPath }: OrderRowProps) {
  const { href, navigate } = useRouter();
  const { kind, title, target, amount, status, payBy, refundReason, createdAt } = order;
  const { name, tone } = orderStatusLabels[status];
  return (
    <ListRow roomy>
      <h3>
        {target?.url ? (
          <a className="brand-hover" href={href(target.url)}>
            {title}
          </a>
        ) : (
          title
        )}
      </h3>
      <p className={styles.amount}>{formatYuan(amount)}</p>
      <div className={`row wraps ink-3 text-s ${styles.facts}`}>
        <Badge tone={tone}>{name}</Badge>
        <span>{orderKindLabels[kind]}</span>
        <span>{payMethodLabels[payBy]}</span>
        <RelativeTime at={createdAt} />
        {order.invoice === null ? null : <span>已填发票</span>}
        <a
          className="link"
          href={href(detailPath)}
          aria-label={`「${title}」的订单详情`}
          onClick={(event) => {
            // Opens over the list, which keeps its position.
            event.preventDefault();
            void navigate(detailPath, { keepScroll: true });
          }}
        >
          详情
        </a>
      </div>
      {refundReason === '' ? null : <p className={styles.reason}>退款理由：{refundReason}</p>}
      {status === ORDER_STATUS.waiting ? <OrderActions order={order} isListed /> : null}
    </ListRow>
  );
}

const noOrders = (
  <EmptyList
    level="h3"
    title="还没有订单"
    withHomeLink
    text="买下的文章和专栏、打赏、会员与充值，每一笔都会记在这里。"
  />
);

const noMatches = <EmptyList level="h3" title="没有这样的订单" text="换一个类型或状态看看。" />;

const kindOptions = [
  { value: '', label: '全部' },
  ...Object.entries(orderKindLabels).map(([value, label]) => ({ value, label })),
];

export function OwnOrders({ search }: { search: URLSearchParams }) {
  const { href, navigate } = useRouter();
  const filter = readFilter(search);
  const { kind, status } = filter;
  const query = useCallPages('GET core/user/order', filter);
  const stayOptions = { replace: true, keep: true };
  return (
    <section aria-labelledby="orders">
      <header className={`row apart gap-4 ${styles.head}`}>
        <h2 id="orders">订单</h2>
        <SelectField
          name="kind"
          label="类型"
          options={kindOptions}
          value={kind ?? ''}
          onChange={({ currentTarget: { value } }) =>
            void navigate(ordersPath({ status, ...(isOrderKind(value) && { kind: value }) }), stayOptions)
          }
        />
      </header>
      <LinkTabs
        label="按状态筛选"
        selected={String(status ?? '')}
        tabs={[
          { key: '', label: '全部', href: href(ordersPath({ kind })) },
          ...Object.entries(orderStatusLabels).map(([key, { name }]) => ({
            key,
            label: name,
            href: href(ordersPath({ kind, status: Number(key) as OrderStatus })),
          })),
        ]}
      />
      <InfiniteList
        label="我的订单"
        query={query}
        renderItem={(order) => <OrderRow order={order} detailPath={ordersPath(filter, order.id)} />}
        skeleton={<ListRowSkeletons roomy />}
        empty={kind === undefined && status === undefined ? noOrders : noMatches}
      />
      <OrderDrawer
        id={ID.exec(search.get('id') ?? '')?.[0]}
        onClose={() => void navigate(ordersPath(filter), stayOptions)}
      />
    </section>
  );
}
