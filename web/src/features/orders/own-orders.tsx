import { ORDER_STATUS } from '@mozhan/contract/enums.ts';
import { formatYuan } from '@mozhan/contract/money.ts';
import type { Order, OrderKind, OrderStatus } from '@mozhan/contract/orders.ts';
import { wayNames } from '#web/features/paying/way-names.ts';
import { useCallPages } from '#web/lib/use-call-pages.ts';
import { pathTo, useRouter } from '#web/router/router.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { SelectField } from '#web/ui/field.tsx';
import { InfiniteList } from '#web/ui/infinite-list.tsx';
import { LinkTabs } from '#web/ui/link-tabs.tsx';
import { ListRow, ListRowSkeletons } from '#web/ui/list-row.tsx';
import { NothingYet } from '#web/ui/nothing-yet.tsx';
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
}

function Item({ order, detailPath }: ItemProps) {
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
      {status === ORDER_STATUS.waiting ? <OrderActs order={order} isListed /> : null}
    </ListRow>
  );
}

const none = (
  <NothingYet
    level="h3"
    title="还没有订单"
    leadsHome
    text="买下的文章和专栏、打赏、会员与充值，每一笔都会记在这里。"
  />
);

const noneSuch = <NothingYet level="h3" title="没有这样的订单" text="换一个种类或状态看看。" />;

const kindOptions = [
  { value: '', label: '全部' },
  ...Object.entries(kindNames).map(([value, label]) => ({ value, label })),
];

/** What one has paid or is about to pay for, by kind and state. Loaded on demand. */
export function OwnOrders({ search }: { search: URLSearchParams }) {
  const { href, navigate } = useRouter();
  const filter = filterOf(search);
  const { kind, status } = filter;
  const query = useCallPages('GET core/user/order', filter);
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
        item={(order) => <Item order={order} detailPath={pathOf(filter, order.id)} />}
        skeleton={<ListRowSkeletons roomy />}
        empty={kind === undefined && status === undefined ? none : noneSuch}
      />
      <OrderDrawer
        id={ID.exec(search.get('id') ?? '')?.[0]}
        onClose={() => void navigate(pathOf(filter), stay)}
      />
    </section>
  );
}
