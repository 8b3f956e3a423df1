import type { Menu } from '@mozhan/contract/access.ts';
import type { Flag } from '@mozhan/contract/enums.ts';
import { useQuery } from '@tanstack/react-query';
import { App } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { flatten } from '#admin/lib/menu-tree.ts';
import { call } from '#admin/lib/queries.ts';
import type { FieldList, Option } from '#admin/ui/fields.tsx';
import { FormDrawer } from '#admin/ui/form-drawer.tsx';
import { IconPicker } from '#admin/ui/icon-picker.tsx';
import { menuIcons } from '#admin/ui/icons.tsx';
import { type Labels, optionsOf } from '#admin/ui/labels.tsx';

interface Values {
  kind: Menu['kind'];
  /** Undefined for the top level. */
  parentId: string | undefined;
  name: string;
  path: string;
  icon: string;
  permission: string;
  sort: number;
  enabled: Flag;
}

/** An existing menu, or the parent of a new one. */
type MenuSubject = { id: string } | { parentId: string | null };

export const menuKindLabels: Labels<Menu['kind']> = {
  group: { label: '分组', color: 'default' },
  screen: { label: '页面', color: 'processing' },
  act: { label: '操作', color: 'warning' },
};

/** Default kind of a new menu below `parent`. */
const kindBelow = (parent: Menu | undefined): Menu['kind'] => {
  if (parent === undefined) return 'group';
  return parent.kind === 'group' ? 'screen' : 'act';
};

/** Possible parents: screens for actions, groups for the others; never the menu itself. */
function parentsFor(
  menus: readonly Menu[],
  kind: Menu['kind'],
  self: string | undefined,
  depth = 0,
): Option[] {
  return menus
    .filter((menu) => menu.kind !== 'act' && menu.id !== self)
    .flatMap((menu) => [
      {
        value: menu.id,
        label: '\u3000'.repeat(depth) + menu.name,
        disabled: menu.kind !== (kind === 'act' ? 'screen' : 'group'),
      },
      ...parentsFor(menu.children, kind, self, depth + 1),
    ]);
}

interface MenuFormProps {
  subject: MenuSubject | undefined;
  onClose: () => void;
}

export function MenuForm({ subject, onClose }: MenuFormProps) {
  const { api } = useApp();
  const { message } = App.useApp();
  const { data } = useQuery(call(api, 'GET core/sys/menu/'));
  const menus = Array.isArray(data) ? data : [];
  const find = (id: string | null) => flatten(menus).find((menu) => menu.id === id);
  const row = subject && 'id' in subject ? find(subject.id) : undefined;
  const parent = subject && 'parentId' in subject ? find(subject.parentId) : undefined;
  const siblings = parent?.children ?? menus;

  const fieldsFor = ({ kind }: Values): FieldList<Values> => [
    {
      name: 'kind',
      kind: 'choice',
      label: '类型',
      required: true,
      options: optionsOf(menuKindLabels),
      help: '分组收纳页面；页面显示在侧边菜单；操作是页面里的按钮',
    },
    {
      name: 'parentId',
      kind: 'select',
      label: '上级菜单',
      required: kind === 'act',
      placeholder: kind === 'act' ? '选择一个页面' : '最上层',
      options: parentsFor(menus, kind, row?.id),
    },
    { name: 'name', kind: 'text', label: '菜单名', required: true, maxLength: 30 },
    kind === 'screen' && {
      name: 'path',
      kind: 'text',
      label: '路径',
      required: true,
      maxLength: 100,
      placeholder: '/user',
      help: '后台里的地址，以 / 开头',
    },
    kind !== 'act' && {
      name: 'icon',
      kind: 'own',
      label: '图标',
      control: <IconPicker icons={menuIcons} />,
    },
    {
      name: 'permission',
      kind: 'text',
      label: '权限',
      required: kind === 'act',
      placeholder: 'user:list',
      help: '名词:动词；拥有这个菜单的角色就有这个权限',
    },
    { name: 'sort', kind: 'number', label: '排序', min: 0, max: 9999, help: '小的在前' },
    { name: 'enabled', kind: 'flag', label: '启用', help: '停用只是不再显示，权限不变' },
  ];

  return (
    <FormDrawer<Values>
      title={row === undefined ? '新建菜单' : `编辑菜单「${row.name}」`}
      open={subject !== undefined}
      onClose={onClose}
      values={{
        kind: row?.kind ?? kindBelow(parent),
        parentId: (row === undefined ? parent?.id : row.parentId) ?? undefined,
        name: row?.name ?? '',
        path: row?.path ?? '',
        icon: row?.icon ?? '',
        permission: row?.permission ?? '',
        sort: row?.sort ?? Math.min(9999, Math.max(-1, ...siblings.map(({ sort }) => sort)) + 1),
        enabled: row?.enabled ?? 1,
      }}
      fields={fieldsFor}
      submit={async ({ permission, parentId = null, ...values }) => {
        const menuInput = { ...values, parentId, permission: permission === '' ? null : permission };
        if (row === undefined) await api('POST core/sys/menu/', menuInput);
        else await api('PUT core/sys/menu/', { id: row.id, ...menuInput });
        message.success(row === undefined ? `已新建菜单「${values.name}」` : '已保存');
      }}
      codes={{ PERMISSION_TAKEN: 'permission', GRANT_TOO_MUCH: 'permission', MENU_MISPLACED: 'parentId' }}
    />
  );
}
