import type { LedgerEntry } from '@mozhan/contract/ledger.ts';
import { formatSignedYuan } from '@mozhan/contract/money.ts';
import { LedgerSummary } from '#admin/features/ledger/summary.tsx';
import { accountNames, entryAmount, entryKinds, nameOfLine } from '#admin/lib/ledger-labels.ts';
import { line, money, tag, text, time } from '#admin/ui/columns.tsx';
import { EntryLines } from '#admin/ui/entry-lines.tsx';
import { dayFilters, idFilter, userFilter } from '#admin/ui/filters.tsx';
import { optionsOf } from '#admin/ui/labels.tsx';
import { paged } from '#admin/ui/lists.ts';
import { ResourceScreen } from '#admin/ui/resource-screen.tsx';

export const Page = () => (
  <ResourceScreen
    name="ledger"
    title="账本"
    intro="每一笔钱的来处与去处，新的在前；只能记，不能改，各行之和永远是零"
    noun="分录"
    list={paged('GET core/sys/ledger/')}
    columns={[
      time('createdAt', '时间', { sort: true }),
      tag('kind', '事由', entryKinds),
      line('title', '说明'),
      money.of('amount', '金额（元）', (row: LedgerEntry) => entryAmount(row)),
      {
        key: 'lines',
        title: '分录',
        text: ({ lines }) =>
          lines.map((each) => `${nameOfLine(each)} ${formatSignedYuan(each.amount)}`).join('；'),
        show: (row) => <EntryLines entry={row} />,
      },
      text('orderId', '订单编号', { hidden: true }),
      text('withdrawalId', '提现编号', { hidden: true }),
      text('id', '分录编号', { hidden: true }),
    ]}
    keyword="搜索订单号、交易号、提现单号"
    keywordMax={64}
    filters={[
      { name: 'kind', label: '事由', options: optionsOf(entryKinds) },
      { name: 'account', label: '账户', options: optionsOf(accountNames) },
      userFilter('userId', '用户'),
      idFilter('orderId', '一张订单'),
      idFilter('withdrawalId', '一次提现'),
      ...dayFilters,
    ]}
    summary={(ledger) => <LedgerSummary ledger={ledger} />}
    bulk
  />
);
