import type { Input } from '@mozhan/contract/client.ts';
import { formatSignedYuan, formatYuan, toYuan } from '@mozhan/contract/money.ts';
import type { WalletEntry } from '@mozhan/contract/wallet.ts';
import { useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { formatDate, formatDateTime } from '#web/lib/format.ts';
import { useCallPages } from '#web/lib/use-call-pages.ts';
import { Link } from '#web/router/router.tsx';
import { EmptyList } from '#web/ui/empty-list.tsx';
import { ExportButton } from '#web/ui/export-button.tsx';
import { SelectField } from '#web/ui/field.tsx';
import { InfiniteList } from '#web/ui/infinite-list.tsx';
import { ListRow, ListRowSkeletons } from '#web/ui/list-row.tsx';
import { formatMonth } from './monthly-figures.tsx';
import styles from './wallet.module.css';

type Filter = Pick<Input<'GET core/user/wallet/entry'>, 'month' | 'pocket'>;

const pocketLabels = { balance: '余额', earnings: '收益' } as const;
const isPocket = (text: string): text is keyof typeof pocketLabels => text in pocketLabels;

function EntryRow({ entry }: { entry: WalletEntry }) {
  const { title, pocket, amount, balanceAfter, orderId, createdAt } = entry;
  return (
    <ListRow>
      <h3 className="regular">
        {/* Earnings come from orders of other users, which the author may not see. */}
        {orderId === null || pocket === 'earnings' ? (
          title
        ) : (
          <Link className="brand-hover" to="/account/center.html" search={{ tab: 'order', id: orderId }}>
            {title}
          </Link>
        )}
      </h3>
      <p className={styles.change} data-in={amount > 0 || undefined}>
        {formatSignedYuan(amount)}
      </p>
      <p className={`row wraps ink-3 text-s numbers ${styles.facts}`}>
        <span>{pocketLabels[pocket]}</span>
        <time dateTime={createdAt}>{formatDateTime(createdAt).slice(0, 16)}</time>
      </p>
      <p className={`ink-3 text-s numbers ${styles.after}`}>余 {formatYuan(balanceAfter)}</p>
    </ListRow>
  );
}

const toCells = ({ createdAt, title, pocket, amount, balanceAfter }: WalletEntry): string[] => [
  formatDateTime(createdAt),
  title,
  pocketLabels[pocket],
  toYuan(amount),
  toYuan(balanceAfter),
];

interface StatementProps {
  /** The months that can be selected, newest first. */
  months: readonly string[];
  hasEarnings: boolean;
}

export function Statement({ months, hasEarnings }: StatementProps) {
  const api = useApi();
  const [filter, setFilter] = useState<Filter>({});
  const { month = '', pocket = '' } = filter;
  const query = useCallPages('GET core/user/wallet/entry', filter);
  return (
    <>
      <div className={`row wraps ${styles.filter}`}>
        <SelectField
          name="month"
          label="月份"
          options={[
            { value: '', label: '全部' },
            ...months.map((value) => ({ value, label: formatMonth(value) })),
          ]}
          value={month}
          onChange={({ currentTarget: { value } }) =>
            setFilter({ ...filter, month: value === '' ? undefined : value })
          }
        />
        {hasEarnings ? (
          <SelectField
            name="pocket"
            label="账户"
            options={[
              { value: '', label: '全部' },
              { value: 'balance', label: '余额' },
              { value: 'earnings', label: '收益' },
            ]}
            value={pocket}
            onChange={({ currentTarget: { value } }) =>
              setFilter({ ...filter, pocket: isPocket(value) ? value : undefined })
            }
          />
        ) : null}
        {query.data === undefined || query.data.pages[0]?.total === 0 ? null : (
          <ExportButton
            fileName={`账单-${month === '' ? `至${formatDate(new Date())}` : month}.csv`}
            head={['时间', '事由', '账户', '金额（元）', '此后余额（元）']}
            toCells={toCells}
            readPage={(position) => api('GET core/user/wallet/entry', { ...filter, ...position })}
          />
        )}
      </div>
      <InfiniteList
        label="账单"
        query={query}
        renderItem={(entry) => <EntryRow entry={entry} />}
        skeleton={<ListRowSkeletons />}
        empty={
          <EmptyList
            level="h3"
            title={month === '' && pocket === '' ? '还没有账单' : '没有这样的账单'}
            text="充值、付款、收益与提现，每一笔进出都会记在这里。"
          />
        }
      />
    </>
  );
}
