import { OperationDetail } from '#admin/features/log/operation-detail.tsx';
import { callOptions, nameOfCall, nameOfTarget } from '#admin/lib/operation-labels.ts';
import { code, time } from '#admin/ui/columns.tsx';
import { dayFilters, idFilter, userFilter } from '#admin/ui/filters.tsx';
import { paged } from '#admin/ui/lists.ts';
import { Person } from '#admin/ui/person.tsx';
import { ResourceScreen } from '#admin/ui/resource-screen.tsx';

export const Page = () => (
  <ResourceScreen
    name="log"
    title="操作日志"
    intro="谁在何时何地做了什么，前后如何"
    list={paged('GET core/sys/log/')}
    columns={[
      time('createdAt', '时间', { sort: true }),
      {
        key: 'user',
        title: '操作人',
        text: (row) => row.user?.displayName ?? '系统',
        show: ({ user }) =>
          user === null ? '系统' : <Person name={user.displayName} headImg={user.headImg} />,
      },
      { key: 'summary', title: '操作', text: (row) => nameOfCall(row.call, row.summary) },
      { key: 'target', title: '对象', text: nameOfTarget },
      { key: 'address', title: '来自', text: (row) => row.address },
      code('call', '接口', { hidden: true }),
      { key: 'requestId', title: '请求编号', text: (row) => row.requestId, hidden: true },
    ]}
    keyword="请求编号，或地址、对象编号的开头"
    filters={[
      userFilter('userId', '操作人'),
      { name: 'call', label: '操作', options: callOptions },
      idFilter('target', '一个对象'),
      ...dayFilters,
    ]}
    expanded={(row) => <OperationDetail operation={row} />}
    bulk
  />
);
