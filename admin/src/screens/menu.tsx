import { PlusOutlined } from '@ant-design/icons';
import type { Menu } from '@mozhan/contract/access.ts';
import { Button, Space } from 'antd';
import { useState } from 'react';
import { MenuForm, menuKindLabels } from '#admin/features/menu/menu-form.tsx';
import { flatten } from '#admin/lib/filter-and-sort.ts';
import { Can } from '#admin/ui/can.tsx';
import { code, tag } from '#admin/ui/columns.tsx';
import { enabledFilter } from '#admin/ui/filters.tsx';
import { menuIcons, NamedIcon } from '#admin/ui/icons.tsx';
import { optionsOf } from '#admin/ui/labels.tsx';
import { unpagedFrom } from '#admin/ui/lists.ts';
import { ResourceScreen } from '#admin/ui/resource-screen.tsx';

/** antd displays an expand button for any `children`, even an empty array. */
type Row = Omit<Menu, 'children'> & { children?: Row[] };

const toRow = ({ children, ...menu }: Menu): Row =>
  children.length === 0 ? menu : { ...menu, children: children.map(toRow) };

function CreateTop() {
  const [isOpen, setOpen] = useState(false);
  return (
    <Can permission="menu:create">
      <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => setOpen(true)}>
        新建菜单
      </Button>
      <MenuForm subject={isOpen ? { parentId: null } : undefined} onClose={() => setOpen(false)} />
    </Can>
  );
}

export const Page = () => (
  <ResourceScreen
    name="menu"
    title="菜单"
    intro="后台的菜单；页面和操作带着权限，由角色拥有"
    actions={<CreateTop />}
    list={unpagedFrom('GET core/sys/menu/', (answer) => (Array.isArray(answer) ? answer.map(toRow) : []))}
    tree={{ isOpenAtFirst: ({ kind }) => kind === 'group' }}
    siblingsOf={({ parentId }, rows) => flatten(rows).filter((row) => row.parentId === parentId)}
    columns={[
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
      tag('kind', '类型', menuKindLabels),
      code('path', '路径'),
      code('permission', '权限'),
      'order',
      'enabled',
    ]}
    keyword="搜索菜单名、路径或权限"
    filters={[{ name: 'kind', label: '类型', options: optionsOf(menuKindLabels) }, enabledFilter]}
    update={{ permission: 'menu:update', run: (api, change) => api('PUT core/sys/menu/', change) }}
    rowActions={[
      {
        label: '新建下级',
        permission: 'menu:create',
        when: ({ kind }) => kind !== 'act',
        panel: ({ subject, onClose }) => (
          <MenuForm subject={subject && { parentId: subject.id }} onClose={onClose} />
        ),
      },
      {
        label: '编辑',
        permission: 'menu:update',
        panel: ({ subject, onClose }) => (
          <MenuForm subject={subject && { id: subject.id }} onClose={onClose} />
        ),
      },
      {
        label: '删除',
        permission: 'menu:remove',
        when: ({ children }) => children === undefined,
        danger: true,
        ask: ({ name }) => ({ title: `删除菜单「${name}」？`, text: '拥有它的角色会失去它的权限。' }),
        run: (api, { id }) => api('DELETE core/sys/menu/', { id }),
        done: ({ name }) => `已删除菜单「${name}」`,
      },
    ]}
  />
);
