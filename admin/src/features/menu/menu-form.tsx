import { App, TreeSelect } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import type { Field } from '#admin/ui/fields.tsx';
import { FormDrawer } from '#admin/ui/form-drawer.tsx';
import { IconPicker } from '#admin/ui/icon-picker.tsx';
import { menuIcons } from '#admin/ui/icons.tsx';
import type { Menu } from '#contract/access.ts';

interface Values {
  kind: Menu['kind'];
  parentId: string | null;
  name: string;
  path: string;
  icon: string;
  permission: string;
  sort: number;
  enabled: 0 | 1;
}

/** A menu to edit, or a new one below `parent`. */
export type MenuSubject = { menu: Menu } | { parent: Menu | null };

export const kindNames: Record<Menu['kind'], string> = { group: '分组', screen: '页面', act: '操作' };

/** What a new menu most likely is, by where it is made. */
const kindBelow = (parent: Menu | null): Menu['kind'] => {
  if (parent === null) return 'group';
  return parent.kind === 'group' ? 'screen' : 'act';
};

/** Where a menu of this kind may be: acts below screens, the others below groups or at the top. */
function toChoices(menus: readonly Menu[], kind: Menu['kind'], self: string | undefined): object[] {
  return menus
    .filter((menu) => menu.kind !== 'act' && menu.id !== self)
    .map((menu) => ({
      value: menu.id,
      title: menu.name,
      disabled: menu.kind !== (kind === 'act' ? 'screen' : 'group'),
      children: toChoices(menu.children, kind, self),
    }));
}

interface ParentPickerProps {
  menus: readonly Menu[];
  kind: Menu['kind'];
  self: string | undefined;
  id?: string;
  value?: string | null;
  onChange?: (value: string | null) => void;
}

function ParentPicker({ menus, kind, self, id, value, onChange }: ParentPickerProps) {
  return (
    <TreeSelect
      id={id}
      value={value ?? undefined}
      onChange={(parent: string | undefined) => onChange?.(parent ?? null)}
      treeData={toChoices(menus, kind, self) as never}
      treeDefaultExpandAll
      allowClear={kind !== 'act'}
      placeholder={kind === 'act' ? '选择一个页面' : '最上层'}
    />
  );
}

interface MenuFormProps {
  subject: MenuSubject | undefined;
  menus: readonly Menu[];
  onClose: () => void;
}

export function MenuForm({ subject, menus, onClose }: MenuFormProps) {
  const { api } = useApp();
  const { message } = App.useApp();
  const row = subject !== undefined && 'menu' in subject ? subject.menu : undefined;
  const parent = subject !== undefined && 'parent' in subject ? subject.parent : null;
  const siblings = parent?.children ?? menus;

  const fieldsFor = ({ kind }: Values): Field<Values>[] => [
    {
      name: 'kind',
      kind: 'choice',
      label: '类型',
      required: true,
      options: Object.entries(kindNames).map(([value, label]) => ({ value, label })),
      help: '分组收纳页面；页面显示在侧边菜单；操作是页面里的按钮',
    },
    {
      name: 'parentId',
      kind: 'own',
      label: '上级菜单',
      required: kind === 'act',
      control: <ParentPicker menus={menus} kind={kind} self={row?.id} />,
    },
    { name: 'name', kind: 'text', label: '菜单名', required: true, maxLength: 30 },
    ...(kind === 'screen'
      ? [
          {
            name: 'path' as const,
            kind: 'text' as const,
            label: '路径',
            required: true,
            maxLength: 100,
            placeholder: '/user',
            help: '后台里的地址，以 / 开头',
          },
        ]
      : []),
    ...(kind === 'act'
      ? []
      : [
          {
            name: 'icon' as const,
            kind: 'own' as const,
            label: '图标',
            control: <IconPicker icons={menuIcons} />,
          },
        ]),
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
        parentId: row === undefined ? (parent?.id ?? null) : row.parentId,
        name: row?.name ?? '',
        path: row?.path ?? '',
        icon: row?.icon ?? '',
        permission: row?.permission ?? '',
        sort: row?.sort ?? Math.min(9999, Math.max(-1, ...siblings.map(({ sort }) => sort)) + 1),
        enabled: row?.enabled ?? 1,
      }}
      fields={fieldsFor}
      submit={async ({ permission, ...values }) => {
        const given = { ...values, permission: permission === '' ? null : permission };
        if (row === undefined) await api('POST core/sys/menu/', given);
        else await api('PUT core/sys/menu/', { id: row.id, ...given });
        message.success(row === undefined ? `已新建菜单「${values.name}」` : '已保存');
      }}
      codes={{ PERMISSION_TAKEN: 'permission', GRANT_TOO_MUCH: 'permission', MENU_MISPLACED: 'parentId' }}
    />
  );
}
