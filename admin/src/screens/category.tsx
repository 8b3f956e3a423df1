import { PlusOutlined } from '@ant-design/icons';
import type { Category } from '@mozhan/contract/categories.ts';
import { FLAG, type Flag } from '@mozhan/contract/enums.ts';
import { useQuery } from '@tanstack/react-query';
import { Button, Space } from 'antd';
import { useState } from 'react';
import { CategoryForm } from '#admin/features/category/category-form.tsx';
import { useApp } from '#admin/lib/app-context.ts';
import { moved } from '#admin/lib/order.ts';
import { call, useAct } from '#admin/lib/queries.ts';
import { useCan } from '#admin/lib/viewer.ts';
import { BatchButtons } from '#admin/ui/batch-buttons.tsx';
import { Can } from '#admin/ui/can.tsx';
import { useConfirmRemove } from '#admin/ui/confirm.ts';
import { enabledText } from '#admin/ui/enabled-tag.tsx';
import { categoryIcons, NamedIcon } from '#admin/ui/icons.tsx';
import { RowActions } from '#admin/ui/row-actions.tsx';
import { enabledColumn, sortColumn } from '#admin/ui/row-columns.tsx';
import { Screen } from '#admin/ui/screen.tsx';
import type { Column } from '#admin/ui/use-columns.ts';
import { enabledFilter, WholeTable } from '#admin/ui/whole-table.tsx';

const filters = [enabledFilter<Category>()];

export function Page() {
  const { api, basePath } = useApp();
  const can = useCan();
  const act = useAct();
  const confirmRemove = useConfirmRemove();
  const [subject, setSubject] = useState<Category | 'new'>();
  const { data, error, isFetching, refetch } = useQuery(call(api, 'GET core/sys/category/'));
  const rows = Array.isArray(data) ? data : undefined;
  const mayUpdate = can('category:update');

  const setEnabled = (row: Category, enabled: Flag) =>
    act(
      (api) => api('PUT core/sys/category/', { id: row.id, enabled }),
      `已${enabledText(enabled)}「${row.name}」`,
    );

  const move = (row: Category, by: -1 | 1) =>
    act(async (api) => {
      for (const change of moved(rows ?? [], row.id, by)) await api('PUT core/sys/category/', change);
    }, '已调整顺序');

  const columns: Column<Category>[] = [
    {
      key: 'name',
      title: '名称',
      text: (row) => row.name,
      show: (row) => (
        <Space size={8}>
          <NamedIcon icons={categoryIcons} name={row.icon} />
          {row.name}
        </Space>
      ),
    },
    {
      key: 'slug',
      title: '地址',
      text: (row) => `/essay/${row.slug}.html`,
      show: (row) =>
        row.enabled === FLAG.on ? (
          <a href={`${basePath}/essay/${row.slug}.html`}>
            <code>/essay/{row.slug}.html</code>
          </a>
        ) : (
          <code>/essay/{row.slug}.html</code>
        ),
    },
    sortColumn({ nameOf: (row) => row.name, mayUpdate, siblingsOf: () => rows, move }),
    enabledColumn({ nameOf: (row) => row.name, mayUpdate, setEnabled }),
  ];

  return (
    <Screen
      title="分类"
      intro="文章的分类，按这里的顺序出现在网站的导航里"
      actions={
        <Can permission="category:create">
          <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => setSubject('new')}>
            新建分类
          </Button>
        </Can>
      }
    >
      <WholeTable<Category>
        name="category"
        title="分类"
        keyword="搜索名称或地址"
        filters={filters}
        columns={columns}
        rows={rows}
        busy={isFetching}
        error={error}
        onRefresh={() => void refetch()}
        batch={(rows, choose) => (
          <BatchButtons
            kind="分类"
            rows={rows}
            choose={choose}
            nameOf={(row) => row.name}
            setEnabled={
              mayUpdate ? (api, { id }, enabled) => api('PUT core/sys/category/', { id, enabled }) : undefined
            }
            remove={
              can('category:remove') ? (api, { id }) => api('DELETE core/sys/category/', { id }) : undefined
            }
          />
        )}
        actions={(row) => (
          <RowActions
            name={row.name}
            actions={[
              mayUpdate && { label: '编辑', onClick: () => setSubject(row) },
              can('category:remove') && {
                label: '删除',
                danger: true,
                onClick: () =>
                  void confirmRemove({
                    kind: '分类',
                    name: row.name,
                    work: (api) => api('DELETE core/sys/category/', { id: row.id }),
                  }),
              },
            ]}
          />
        )}
      />
      <CategoryForm subject={subject} onClose={() => setSubject(undefined)} />
    </Screen>
  );
}
