import { MenuFoldOutlined, MenuUnfoldOutlined, MoonOutlined, SunOutlined } from '@ant-design/icons';
import { readItem, writeItem } from '@mozhan/client/storage.ts';
import { Breadcrumb, Button, Drawer, Layout } from 'antd';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { trailTo } from '#admin/lib/menu-tree.ts';
import { usePlace } from '#admin/lib/navigation.tsx';
import { toggleScheme, useScheme } from '#admin/lib/theme.ts';
import { useWide } from '#admin/lib/use-wide.ts';
import { useViewer } from '#admin/lib/viewer.ts';
import { IconButton } from '#admin/ui/icon-button.tsx';
import { AccountMenu } from './account-menu.tsx';
import { Brand } from './brand.tsx';
import styles from './frame.module.css';
import { SideMenu } from './side-menu.tsx';

const NARROW = 'admin.narrow';

/** As it was left; at first narrow where there is little room. */
const startsNarrow = (): boolean => (readItem(NARROW) ?? (innerWidth < 992 ? 'yes' : 'no')) === 'yes';

function SchemeButton() {
  const isDark = useScheme() === 'dark';
  const label = isDark ? '切换到浅色' : '切换到深色';
  return (
    <IconButton label={label} icon={isDark ? <SunOutlined /> : <MoonOutlined />} onClick={toggleScheme} />
  );
}

function Trail() {
  const { menus } = useViewer();
  const { path } = usePlace();
  const items = trailTo(menus, path).map(({ id, name }) => ({ key: id, title: name }));
  return (
    <div className={styles.trail}>
      <Breadcrumb items={items} />
    </div>
  );
}

/** Menu at the side, or behind a button on phones; header; and the screen. */
export function Frame({ children }: { children: ReactNode }) {
  const isWide = useWide();
  const [isNarrow, setNarrow] = useState(startsNarrow);
  const [isOpen, setOpen] = useState(false);
  const { path } = usePlace();
  const main = useRef<HTMLElement>(null);
  const lastPath = useRef(path);

  // The focus goes to a new screen, for screen readers; not when the first one appears.
  useEffect(() => {
    if (lastPath.current !== path) main.current?.focus({ preventScroll: true });
    lastPath.current = path;
  }, [path]);

  const toggle = () => {
    if (!isWide) return setOpen(true);
    setNarrow(!isNarrow);
    writeItem(NARROW, isNarrow ? 'no' : 'yes');
  };

  return (
    <Layout className={styles.layout} hasSider={isWide}>
      <a className={styles.skip} href="#main">
        跳到内容
      </a>
      {isWide ? (
        <Layout.Sider
          className={styles.sider}
          theme="light"
          width={216}
          collapsedWidth={64}
          collapsed={isNarrow}
        >
          <Brand isNarrow={isNarrow} />
          <SideMenu isNarrow={isNarrow} />
        </Layout.Sider>
      ) : (
        <Drawer
          open={isOpen}
          onClose={() => setOpen(false)}
          placement="left"
          size={264}
          title="菜单"
          closable={{ 'aria-label': '关闭' }}
          styles={{ body: { padding: 8 } }}
        >
          <SideMenu isNarrow={false} onPick={() => setOpen(false)} />
        </Drawer>
      )}
      <Layout className={styles.right}>
        <Layout.Header className={styles.header}>
          <Button
            type="text"
            icon={isWide && !isNarrow ? <MenuFoldOutlined /> : <MenuUnfoldOutlined />}
            aria-label={isWide ? (isNarrow ? '展开菜单' : '收起菜单') : '打开菜单'}
            onClick={toggle}
          />
          <Trail />
          <div className={styles.corner}>
            <SchemeButton />
            <AccountMenu />
          </div>
        </Layout.Header>
        <main id="main" ref={main} tabIndex={-1} className={styles.main}>
          {children}
        </main>
      </Layout>
    </Layout>
  );
}
