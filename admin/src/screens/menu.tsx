import { PlusOutlined } from '@ant-design/icons';
import type { Menu } from '@mozhan/contract/access.ts';
import type { Flag } from '@mozhan/contract/enums.ts';
import { useQuery } from '@tanstack/react-query';
import { Button, Space, Tag } from 'antd';
import { memo, useState } from 'react';
import { kindNames, MenuForm, type MenuSubject } from '#admin/features/menu/menu-form.tsx';
import { useApp } from '#admin/lib/app-context.ts';
import { flatten } from '#admin/lib/menu-tree.ts';
import { moved } from '#admin/lib/order.ts';
import { call, useAct } from '#admin/lib/queries.ts';
import { useCan } from '#admin/lib/viewer.ts';
import { BatchButtons } from '#admin/ui/batch-buttons.tsx';
import { Can } from '#admin/ui/can.tsx';
import { useConfirmRemove } from '#admin/ui/confirm.ts';
import { enabledFilter } from '#admin/ui/enabled-filter.ts';
import { enabledText } from '#admin/ui/enabled-tag.tsx';
import { menuIcons, NamedIcon } from '#admin/ui/icons.tsx';
import { RowActions } from '#admin/ui/row-actions.tsx';
import { enabledColumn, sortColumn } from '#admin/ui/row-columns.tsx';
import { Screen } from '#admin/ui/screen.tsx';
import type { Column } from '#admin/ui/use-columns.ts';
import { type WholeFilter, WholeTable } from '#admin/ui/whole-table.tsx';

const kindColours: Record<Menu['kind'], string> = { group: 'default', screen: 'processing', act: 'warning' };

/** A table takes any list below a row for rows to unfold, even an empty one. */
type Row = Omit<Menu, 'children'> & { children?: Row[] };

const toRow = ({ children, ...menu }: Menu): Row =>
  children.length === 0 ? menu : { ...menu, children: children.map(toRow) };

const filters: WholeFilter<Row>[] = [
  {
    name: 'kind',
    label: '类型',
    options: Object.entries(kindNames).map(([value, label]) => ({ value, label })),
    test: (row, value) => row.kind === value,
  },
  enabledFilter,
];

/** Renders hundreds of rows, so not again when the form opens or closes. */
const MenuTable = memo(function MenuTable({ onEdit }: { onEdit: (subject: MenuSubject) => void }) {
  const can = useCan();
  const act = useAct();
  const confirmRemove = useConfirmRemove();
  const { api } = useApp();
  const { data, error, isFetching, refetch } = useQuery(call(api, 'GET core/sys/menu/'));
  const menus = Array.isArray(data) ? data : undefined;
  const all = flatten(menus ?? []);
  const menuOf = ({ id }: Row) => all.find((menu) => menu.id === id) as Menu;
  const siblingsOf = ({ parentId }: Row) => all.filter((menu) => menu.parentId === parentId);
  const mayUpdate = can('menu:update');

  const setEnabled = (row: Row, enabled: Flag) =>
    act(
      (api) => api('PUT core/sys/menu/', { id: row.id, enabled }),
      `已${enabledText(enabled)}「${row.name}」`,
    );

  const move = (row: Row, by: -1 | 1) =>
    act(async (api) => {
      for (const change of moved(siblingsOf(row), row.id, by)) await api('PUT core/sys/menu/', change);
    }, '已调整顺序');

  const columns: Column<Row>[] = [
    {
      key: 'name',
      title: '菜单名',
      text: (row) => row.name,
      show: (row) => (
        <Space size={8}>
          {row.kind === 'act' ? null : <NamedIcon icons={menuIcons} name={row.icon} />}
          {row.name}
        </Space>
      ),
    },
    {
      key: 'kind',
      title: '类型',
      text: (row) => kindNames[row.kind],
      show: (row) => (
        <Tag variant="filled" color={kindColours[row.kind]}>
          {kindNames[row.kind]}
        </Tag>
      ),
    },
    {
      key: 'path',
      title: '路径',
      text: (row) => row.path || '-',
      show: (row) => <code>{row.path || '-'}</code>,
    },
    {
      key: 'permission',
      title: '权限',
      text: (row) => row.permission ?? '-',
      show: (row) => <code>{row.permission ?? '-'}</code>,
    },
    sortColumn({ nameOf: (row) => row.name, mayUpdate, siblingsOf, move }),
    enabledColumn({ nameOf: (row) => row.name, mayUpdate, setEnabled }),
  ];

  return (
    <WholeTable<Row>
      name="menu"
      title="菜单"
      columns={columns}
      rows={menus?.map(toRow)}
      busy={isFetching}
      error={error}
      onRefresh={() => void refetch()}
      keyword="搜索菜单名、路径或权限"
      filters={filters}
      expandable={{ defaultExpandAllRows: true, indentSize: 20 }}
      batch={(rows, choose) => (
        <BatchButtons
          kind="菜单"
          rows={rows}
          choose={choose}
          nameOf={(row) => row.name}
          setEnabled={
            mayUpdate ? (api, { id }, enabled) => api('PUT core/sys/menu/', { id, enabled }) : undefined
          }
        />
      )}
      actions={(row) => (
        <RowActions
          name={row.name}
          actions={[
            can('menu:create') &&
              row.kind !== 'act' && {
                label: '新建下级',
                onClick: () => onEdit({ parent: menuOf(row) }),
              },
            mayUpdate && { label: '编辑', onClick: () => onEdit({ menu: menuOf(row) }) },
            can('menu:remove') &&
              row.children === undefined && {
                label: '删除',
                danger: true,
                onClick: () =>
                  void confirmRemove({
                    kind: '菜单',
                    name: row.name,
                    text: '拥有它的角色会失去它的权限。',
                    work: (api) => api('DELETE core/sys/menu/', { id: row.id }),
                  }),
              },
          ]}
        />
      )}
    />
  );
});

export function Page() {
  const [subject, setSubject] = useState<MenuSubject>();
  const { api } = useApp();
  const { data } = useQuery(call(api, 'GET core/sys/menu/'));
  const menus = Array.isArray(data) ? data : [];

  return (
    <Screen
      title="菜单"
      intro="后台的菜单；页面和操作带着权限，由角色拥有"
      actions={
        <Can permission="menu:create">
          <Button
            type="primary"
            icon={<PlusOutlined aria-hidden />}
            onClick={() => setSubject({ parent: null })}
          >
            新建菜单
          </Button>
        </Can>
      }
    >
      <MenuTable onEdit={setSubject} />
      <MenuForm subject={subject} menus={menus} onClose={() => setSubject(undefined)} />
    </Screen>
  );
}
