import { useState } from 'react';
import { ColumnForm } from '#admin/features/column/column-form.tsx';
import { useApp } from '#admin/lib/app-context.ts';
import { formatDateTime, orDash } from '#admin/lib/format.ts';
import { useCan } from '#admin/lib/viewer.ts';
import { useConfirmRemove } from '#admin/ui/confirm.ts';
import { DataTable } from '#admin/ui/data-table.tsx';
import { Person } from '#admin/ui/person.tsx';
import { RowActions } from '#admin/ui/row-actions.tsx';
import { Screen } from '#admin/ui/screen.tsx';
import type { Column as TableColumn } from '#admin/ui/use-columns.ts';
import { formatYuan } from '#contract/browser/money.ts';
import type { Column } from '#contract/columns.ts';

export function Page() {
  const { basePath } = useApp();
  const can = useCan();
  const confirmRemove = useConfirmRemove();
  const [subject, setSubject] = useState<Column>();

  const columns: TableColumn<Column>[] = [
    { key: 'name', title: '名称', text: (row) => row.name },
    {
      key: 'author',
      title: '作者',
      text: (row) => row.author.displayName,
      show: ({ author }) => (
        <a href={`${basePath}/user/home/${author.id}.html`}>
          <Person name={author.displayName} headImg={author.headImg} />
        </a>
      ),
    },
    { key: 'essayCount', title: '已上架的文章', text: (row) => String(row.essayCount), align: 'end' },
    { key: 'price', title: '价格', text: (row) => (row.price === 0 ? '不单独出售' : formatYuan(row.price)) },
    { key: 'createdAt', title: '创建时间', text: (row) => formatDateTime(row.createdAt) },
    { key: 'summary', title: '简介', text: (row) => orDash(row.summary), hidden: true },
  ];

  return (
    <Screen title="专栏" intro="作者把文章编成的系列，新的在前">
      <DataTable
        name="column"
        title="专栏"
        route="GET core/sys/column/"
        columns={columns}
        keyword="搜索专栏名称"
        actions={(row) => (
          <RowActions
            name={row.name}
            actions={[
              can('column:update') && { label: '编辑', onClick: () => setSubject(row) },
              can('column:remove') && {
                label: '删除',
                danger: true,
                onClick: () =>
                  void confirmRemove({
                    kind: '专栏',
                    name: row.name,
                    text: '其中的文章都会留下，只是不再属于这个专栏。删除后不能恢复。',
                    work: (api) => api('DELETE core/sys/column/', { id: row.id }),
                  }),
              },
            ]}
          />
        )}
      />
      <ColumnForm subject={subject} onClose={() => setSubject(undefined)} />
    </Screen>
  );
}
