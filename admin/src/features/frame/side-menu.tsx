import type { Menu as MenuRow } from '@mozhan/contract/access.ts';
import { Menu, type MenuProps } from 'antd';
import { useEffect, useRef } from 'react';
import { menuPathTo } from '#admin/lib/menu-tree.ts';
import { Link, useLocation } from '#admin/lib/navigation.tsx';
import { useViewer } from '#admin/lib/viewer.ts';
import { menuIcons, NamedIcon } from '#admin/ui/icons.tsx';

type Item = NonNullable<MenuProps['items']>[number];

const icon = (name: string) => <NamedIcon icons={menuIcons} name={name} />;

/** Omits groups without screens. */
function toItem(menu: MenuRow): Item[] {
  if (menu.kind === 'act') return [];
  if (menu.kind === 'screen') {
    return [{ key: menu.id, icon: icon(menu.icon), label: <Link to={menu.path}>{menu.name}</Link> }];
  }
  const children = menu.children.flatMap(toItem);
  return children.length === 0 ? [] : [{ key: menu.id, icon: icon(menu.icon), label: menu.name, children }];
}

/** The menu that the viewer's roles allow. */
export function SideMenu({ isNarrow, onSelect }: { isNarrow: boolean; onSelect?: () => void }) {
  const { menus } = useViewer();
  const { path } = useLocation();
  const menuPath = menuPathTo(menus, path);
  const groups = menus.filter((menu) => menu.kind === 'group').map((menu) => menu.id);
  const nav = useRef<HTMLElement>(null);
  const current = menuPath.at(-1)?.id;

  // The menu may be taller than the window.
  useEffect(() => {
    if (current !== undefined)
      nav.current?.querySelector('.ant-menu-item-selected')?.scrollIntoView({ block: 'nearest' });
  }, [current]);

  return (
    <nav aria-label="后台菜单" ref={nav}>
      <Menu
        style={{ borderInlineEnd: 0 }}
        mode="inline"
        inlineCollapsed={isNarrow}
        items={menus.flatMap(toItem)}
        selectedKeys={menuPath.slice(-1).map((menu) => menu.id)}
        defaultOpenKeys={isNarrow ? [] : groups}
        onClick={onSelect}
      />
    </nav>
  );
}
