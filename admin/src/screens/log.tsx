import { type Operation, OperationDetail } from '#admin/features/log/operation-detail.tsx';
import { formatDateTime } from '#admin/lib/format.ts';
import { callOptions, nameOfCall, nameOfTarget } from '#admin/lib/operation-words.ts';
import { DataTable, type Filter } from '#admin/ui/data-table.tsx';
import { dayFilters } from '#admin/ui/day-filters.tsx';
import { IdFilter } from '#admin/ui/id-filter.tsx';
import { Person } from '#admin/ui/person.tsx';
import { Screen } from '#admin/ui/screen.tsx';
import type { Column } from '#admin/ui/use-columns.ts';
import { UserFilter } from '#admin/ui/user-filter.tsx';

const columns: Column<Operation>[] = [
  { key: 'createdAt', title: '时间', text: (row) => formatDateTime(row.createdAt), sort: 'createdAt' },
  {
    key: 'user',
    title: '操作人',
    text: (row) => row.user?.displayName ?? '系统',
    show: ({ user }) => (user === null ? '系统' : <Person name={user.displayName} headImg={user.headImg} />),
  },
  { key: 'summary', title: '操作', text: (row) => nameOfCall(row.call, row.summary) },
  { key: 'target', title: '对象', text: nameOfTarget },
  { key: 'address', title: '来自', text: (row) => row.address },
  {
    key: 'call',
    title: '接口',
    text: (row) => row.call,
    show: (row) => <code>{row.call}</code>,
    hidden: true,
  },
  { key: 'requestId', title: '请求编号', text: (row) => row.requestId, hidden: true },
];

const filters: Filter[] = [
  { name: 'userId', label: '操作人', render: (control) => <UserFilter label="操作人" {...control} /> },
  { name: 'call', label: '操作', options: callOptions },
  { name: 'target', label: '对象', render: (control) => <IdFilter label="一个对象" {...control} /> },
  ...dayFilters,
];

export function Page() {
  return (
    <Screen title="操作日志" intro="谁在何时何地做了什么，前后如何">
      <DataTable
        name="log"
        title="操作日志"
        route="GET core/sys/log/"
        columns={columns}
        keyword="请求编号，或地址、对象编号的开头"
        filters={filters}
        batch={() => null}
        expanded={(row) => <OperationDetail operation={row} />}
      />
    </Screen>
  );
}
