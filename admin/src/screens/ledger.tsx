import type { LedgerEntry } from '@mozhan/contract/ledger.ts';
import { formatChange, formatYuan, toYuan } from '@mozhan/contract/money.ts';
import { Tag } from 'antd';
import { LedgerSummary } from '#admin/features/ledger/summary.tsx';
import { formatDateTime, orDash } from '#admin/lib/format.ts';
import { accountNames, entryKinds, movedBy, nameOfLine } from '#admin/lib/ledger-words.ts';
import { optionsOf } from '#admin/lib/money-words.ts';
import { DataTable, type Filter } from '#admin/ui/data-table.tsx';
import { dayFilters } from '#admin/ui/day-filters.tsx';
import { EntryLines } from '#admin/ui/entry-lines.tsx';
import { IdFilter } from '#admin/ui/id-filter.tsx';
import { Line } from '#admin/ui/line.tsx';
import { Screen } from '#admin/ui/screen.tsx';
import type { Column } from '#admin/ui/use-columns.ts';
import { UserFilter } from '#admin/ui/user-filter.tsx';

const filters: Filter[] = [
  { name: 'kind', label: '事由', options: optionsOf(entryKinds) },
  { name: 'account', label: '账户', options: optionsOf(accountNames) },
  { name: 'userId', label: '用户', render: (control) => <UserFilter label="用户" {...control} /> },
  { name: 'orderId', label: '订单', render: (control) => <IdFilter label="一张订单" {...control} /> },
  { name: 'withdrawalId', label: '提现', render: (control) => <IdFilter label="一次提现" {...control} /> },
  ...dayFilters,
];

const columns: Column<LedgerEntry>[] = [
  { key: 'createdAt', title: '时间', text: (row) => formatDateTime(row.createdAt), sort: 'createdAt' },
  {
    key: 'kind',
    title: '事由',
    text: (row) => entryKinds[row.kind],
    show: (row) => <Tag variant="filled">{entryKinds[row.kind]}</Tag>,
  },
  { key: 'title', title: '说明', text: (row) => row.title, show: (row) => <Line text={row.title} /> },
  {
    key: 'amount',
    title: '金额（元）',
    align: 'end',
    text: (row) => toYuan(movedBy(row)),
    show: (row) => formatYuan(movedBy(row)),
  },
  {
    key: 'lines',
    title: '分录',
    text: ({ lines }) => lines.map((line) => `${nameOfLine(line)} ${formatChange(line.amount)}`).join('；'),
    show: (row) => <EntryLines entry={row} />,
  },
  { key: 'orderId', title: '订单编号', text: (row) => orDash(row.orderId), hidden: true },
  { key: 'withdrawalId', title: '提现编号', text: (row) => orDash(row.withdrawalId), hidden: true },
  { key: 'id', title: '分录编号', text: (row) => row.id, hidden: true },
];

export function Page() {
  return (
    <Screen title="账本" intro="每一笔钱的来处与去处，新的在前；只能记，不能改，各行之和永远是零">
      <DataTable
        name="ledger"
        title="分录"
        route="GET core/sys/ledger/"
        columns={columns}
        keyword="搜索订单号、交易号、提现单号"
        keywordMax={64}
        filters={filters}
        batch={() => null}
        summary={(ledger) => <LedgerSummary ledger={ledger} />}
      />
    </Screen>
  );
}
