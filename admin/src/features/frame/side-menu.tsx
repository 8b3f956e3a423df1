import { DownOutlined } from '@ant-design/icons';
import type { Menu } from '@mozhan/contract/access.ts';
import { Dropdown, type MenuProps, Tooltip } from 'antd';
import { useEffect, useRef } from 'react';
import { menuPathTo } from '#admin/lib/menu-tree.ts';
import { Link, useLocation } from '#admin/lib/navigation.tsx';
import { useViewer } from '#admin/lib/viewer.ts';
import { menuIcons, NamedIcon } from '#admin/ui/icons.tsx';
import styles from './side-menu.module.css';

const MenuIcon = ({ name }: { name: string }) => <NamedIcon icons={menuIcons} name={name} />;

/** Without actions and groups that have no screens. */
function listEntries(menus: readonly Menu[]): Menu[] {
  return menus.filter(
    ({ kind, children }) => kind === 'screen' || (kind === 'group' && listEntries(children).length > 0),
  );
}

interface EntriesProps {
  menus: readonly Menu[];
  /** Menus from the top level down to the current screen. */
  current: readonly Menu[];
  onSelect?: (() => void) | undefined;
}

function Screen({ menu, current, onSelect }: { menu: Menu } & Omit<EntriesProps, 'menus'>) {
  return (
    <Link
      className={styles.entry}
      to={menu.path}
      aria-current={menu === current.at(-1) ? 'page' : undefined}
      onClick={onSelect}
    >
      <MenuIcon name={menu.icon} />
      {menu.name}
    </Link>
  );
}

/** Plain elements: antd's menu took a fifth of the time to open a screen. */
function Tree({ menus, ...rest }: EntriesProps) {
  return (
    <ul className={styles.list}>
      {listEntries(menus).map((menu) => (
        <li key={menu.id}>
          {menu.kind === 'screen' ? (
            <Screen menu={menu} {...rest} />
          ) : (
            <details open>
              <summary className={styles.entry} data-current={rest.current.includes(menu) || undefined}>
                <MenuIcon name={menu.icon} />
                {menu.name}
                <DownOutlined className={styles.arrow} aria-hidden />
              </summary>
              <Tree menus={menu.children} {...rest} />
            </details>
          )}
        </li>
      ))}
    </ul>
  );
}

function toDropdownItem(menu: Menu): NonNullable<MenuProps['items']>[number] {
  if (menu.kind === 'group')
    return { key: menu.id, label: menu.name, children: listEntries(menu.children).map(toDropdownItem) };
  const link = (
    <Link className={styles.option} to={menu.path}>
      <MenuIcon name={menu.icon} />
      {menu.name}
    </Link>
  );
  return { key: menu.id, label: link };
}

/** Icons only; a group opens its entries beside it. */
function Rail({ menus, current }: EntriesProps) {
  const isCurrent = (menu: Menu) => current.includes(menu) || undefined;
  return (
    <ul className={styles.list} data-narrow>
      {listEntries(menus).map((menu) => (
        <li key={menu.id}>
          {menu.kind === 'screen' ? (
            <Tooltip title={menu.name} placement="right">
              <Link
                className={styles.entry}
                to={menu.path}
                aria-label={menu.name}
                aria-current={isCurrent(menu) && 'page'}
              >
                <MenuIcon name={menu.icon} />
              </Link>
            </Tooltip>
          ) : (
            <Dropdown
              trigger={['click']}
              placement="bottomLeft"
              align={{ points: ['tl', 'tr'], offset: [8, 0] }}
              menu={{
                items: listEntries(menu.children).map(toDropdownItem),
                selectedKeys: current.map(({ id }) => id),
              }}
            >
              <button
                type="button"
                className={styles.entry}
                aria-label={menu.name}
                title={menu.name}
                aria-haspopup="menu"
                data-current={isCurrent(menu)}
              >
                <MenuIcon name={menu.icon} />
              </button>
            </Dropdown>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Opens the groups around the current screen and scrolls to it, because the menu may be taller than the window. */
function showCurrent(nav: HTMLElement): void {
  const link = nav.querySelector('[aria-current]');
  for (let group = link?.closest('details'); group; group = group.parentElement?.closest('details'))
    group.open = true;
  link?.scrollIntoView({ block: 'nearest' });
}

/** The menu that the viewer's roles allow. */
export function SideMenu({ isNarrow, onSelect }: { isNarrow: boolean; onSelect?: () => void }) {
  const { menus } = useViewer();
  const { path } = useLocation();
  const current = menuPathTo(menus, path);
  const currentId = current.at(-1)?.id;
  const nav = useRef<HTMLElement>(null);

  useEffect(() => {
    if (currentId !== undefined && nav.current !== null) showCurrent(nav.current);
  }, [currentId]);

  return (
    <nav aria-label="后台菜单" ref={nav}>
      {isNarrow ? (
        <Rail menus={menus} current={current} />
      ) : (
        <Tree menus={menus} current={current} onSelect={onSelect} />
      )}
    </nav>
  );
}
