import type { Column } from '@mozhan/contract/columns.ts';
import { FLAG } from '@mozhan/contract/enums.ts';
import { formatYuan, toYuan } from '@mozhan/contract/money.ts';
import { useState } from 'react';
import { ColumnForm } from '#admin/features/column/column-form.tsx';
import { useApp } from '#admin/lib/app-context.ts';
import { formatDateTime, orDash } from '#admin/lib/format.ts';
import { useCan } from '#admin/lib/viewer.ts';
import { BatchButtons } from '#admin/ui/batch-buttons.tsx';
import { useConfirmRemove } from '#admin/ui/confirm.ts';
import { DataTable, type Filter } from '#admin/ui/data-table.tsx';
import { Person } from '#admin/ui/person.tsx';
import { RowActions } from '#admin/ui/row-actions.tsx';
import { Screen } from '#admin/ui/screen.tsx';
import type { Column as TableColumn } from '#admin/ui/use-columns.ts';
import { UserFilter } from '#admin/ui/user-filter.tsx';

const filters: Filter[] = [
  { name: 'authorId', label: '作者', render: (control) => <UserFilter label="作者" {...control} /> },
  {
    name: 'priced',
    label: '出售',
    options: [
      { value: String(FLAG.on), label: '单独出售' },
      { value: String(FLAG.off), label: '不单独出售' },
    ],
  },
];

const KEPT = '其中的文章都会留下，只是不再属于这个专栏。删除后不能恢复。';

export function Page() {
  const { basePath, router } = useApp();
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
    {
      key: 'essayCount',
      title: '已上架的文章',
      text: (row) => String(row.essayCount),
      align: 'end',
      sort: 'essayCount',
    },
    {
      key: 'price',
      title: '价格（元）',
      text: (row) => (row.price === 0 ? '-' : toYuan(row.price)),
      show: (row) => (row.price === 0 ? '不单独出售' : formatYuan(row.price)),
    },
    { key: 'createdAt', title: '创建时间', text: (row) => formatDateTime(row.createdAt), sort: 'createdAt' },
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
        keywordMax={40}
        filters={filters}
        actions={(row) => (
          <RowActions
            name={row.name}
            actions={[
              can('column:update') && { label: '编辑', onClick: () => setSubject(row) },
              can('essay:list') && {
                label: '文章',
                onClick: () => void router.navigate(`/essay?columnId=${row.id}`),
              },
              can('column:remove') && {
                label: '删除',
                danger: true,
                onClick: () =>
                  void confirmRemove({
                    kind: '专栏',
                    name: row.name,
                    text: KEPT,
                    work: (api) => api('DELETE core/sys/column/', { id: row.id }),
                  }),
              },
            ]}
          />
        )}
        batch={(rows, choose) => (
          <BatchButtons
            kind="专栏"
            rows={rows}
            choose={choose}
            nameOf={(row) => row.name}
            remove={
              can('column:remove') ? (api, { id }) => api('DELETE core/sys/column/', { id }) : undefined
            }
            removeText={KEPT}
          />
        )}
      />
      <ColumnForm subject={subject} onClose={() => setSubject(undefined)} />
    </Screen>
  );
}
