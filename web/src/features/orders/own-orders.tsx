import { ORDER_STATUS } from '@mozhan/contract/enums.ts';
import { formatYuan } from '@mozhan/contract/money.ts';
import type { Order, OrderKind, OrderStatus } from '@mozhan/contract/orders.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useApi } from '#web/lib/app-context.ts';
import type { Pay } from '#web/lib/orders.ts';
import { callPages } from '#web/lib/queries.ts';
import { wayNames } from '#web/lib/way-names.ts';
import { Link, pathTo, useRouter } from '#web/router.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Empty } from '#web/ui/empty.tsx';
import { SelectField } from '#web/ui/field.tsx';
import { InfiniteList } from '#web/ui/infinite-list.tsx';
import { Layers } from '#web/ui/layers.tsx';
import { LinkTabs } from '#web/ui/link-tabs.tsx';
import { ListRow, ListRowSkeleton } from '#web/ui/list-row.tsx';
import { Time } from '#web/ui/time.tsx';
import { OrderActs } from './order-acts.tsx';
import { OrderDrawer } from './order-drawer.tsx';
import styles from './orders.module.css';
import { kindNames, states } from './words.ts';

interface Filter {
  kind?: OrderKind;
  status?: OrderStatus;
}

const ID = /^[0-9a-f]{32}$/;

const isKind = (text: string): text is OrderKind => Object.hasOwn(kindNames, text);

function filterOf(search: URLSearchParams): Filter {
  const kind = search.get('kind') ?? '';
  const status = Object.values(ORDER_STATUS).find((each) => String(each) === search.get('status'));
  return {
    ...(isKind(kind) && { kind }),
    ...(status !== undefined && { status }),
  };
}

const pathOf = ({ kind, status }: Filter, id?: string): string =>
  pathTo({
    to: '/account/center.html',
    search: { tab: 'order', kind, status: status === undefined ? undefined : String(status), id },
  });

interface ItemProps {
  order: Order;
  detailPath: string;
  pay: Pay;
}

function Item({ order, detailPath, pay }: ItemProps) {
  const { href, navigate } = useRouter();
  const { kind, title, target, amount, status, payBy, refundReason, createdAt } = order;
  const { name, tone } = states[status];
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
        <span>{kindNames[kind]}</span>
        <span>{wayNames[payBy]}</span>
        <Time at={createdAt} />
        {order.invoice === null ? null : <span>已填发票</span>}
        <a
          className="link"
          href={href(detailPath)}
          aria-label={`「${title}」的订单详情`}
          onClick={(event) => {
            // Opens over the list, which stays where it is.
            event.preventDefault();
            void navigate(detailPath, { keep: true });
          }}
        >
          详情
        </a>
      </div>
      {refundReason === '' ? null : <p className={styles.reason}>退款理由：{refundReason}</p>}
      {status === ORDER_STATUS.waiting ? <OrderActs order={order} pay={pay} isListed /> : null}
    </ListRow>
  );
}

const blank = (['50', '70', '30'] as const).map((width) => (
  <ListRowSkeleton key={width} width={width} roomy />
));

const none = (
  <Empty
    small
    level="h3"
    picture={<Layers />}
    title="还没有订单"
    actions={
      <Link to="/home" className={buttonClass()}>
        去首页看看
      </Link>
    }
  >
    <p>买下的文章和专栏、打赏、会员与充值，每一笔都会记在这里。</p>
  </Empty>
);

const noneSuch = (
  <Empty small level="h3" picture={<Layers />} title="没有这样的订单">
    <p>换一个种类或状态看看。</p>
  </Empty>
);

const kindOptions = [
  { value: '', label: '全部' },
  ...Object.entries(kindNames).map(([value, label]) => ({ value, label })),
];

interface OwnOrdersProps {
  search: URLSearchParams;
  pay: Pay;
}

/** What one has paid or is about to pay for, by kind and state. Loaded on demand. */
export function OwnOrders({ search, pay }: OwnOrdersProps) {
  const { href, navigate } = useRouter();
  const filter = filterOf(search);
  const { kind, status } = filter;
  const query = useInfiniteQuery(callPages(useApi(), 'GET core/user/order', filter));
  const stay = { replace: true, keep: true };
  return (
    <section aria-labelledby="orders">
      <header className={`row apart gap-4 ${styles.head}`}>
        <h2 id="orders">订单</h2>
        <SelectField
          name="kind"
          label="种类"
          options={kindOptions}
          value={kind ?? ''}
          onChange={({ currentTarget: { value } }) =>
            void navigate(pathOf({ status, ...(isKind(value) && { kind: value }) }), stay)
          }
        />
      </header>
      <LinkTabs
        label="按状态看"
        selected={String(status ?? '')}
        tabs={[
          { key: '', label: '全部', href: href(pathOf({ kind })) },
          ...Object.entries(states).map(([key, { name }]) => ({
            key,
            label: name,
            href: href(pathOf({ kind, status: Number(key) as OrderStatus })),
          })),
        ]}
      />
      <InfiniteList
        label="我的订单"
        query={query}
        keyOf={({ id }) => id}
        item={(order) => <Item order={order} detailPath={pathOf(filter, order.id)} pay={pay} />}
        skeleton={blank}
        empty={kind === undefined && status === undefined ? none : noneSuch}
      />
      <OrderDrawer
        id={ID.exec(search.get('id') ?? '')?.[0]}
        pay={pay}
        onClose={() => void navigate(pathOf(filter), stay)}
      />
    </section>
  );
}
