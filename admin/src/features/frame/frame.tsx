import { MenuFoldOutlined, MenuUnfoldOutlined, MoonOutlined, SunOutlined } from '@ant-design/icons';
import { readItem, writeItem } from '@mozhan/client/storage.ts';
import { Alert, Breadcrumb, Button, Drawer, Layout } from 'antd';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { menuPathTo } from '#admin/lib/menu-tree.ts';
import { Link, useLocation } from '#admin/lib/navigation.tsx';
import { toggleScheme, useScheme } from '#admin/lib/theme.ts';
import { useIsWide } from '#admin/lib/use-wide.ts';
import { useViewer } from '#admin/lib/viewer.ts';
import { Can } from '#admin/ui/can.tsx';
import { IconButton } from '#admin/ui/icon-button.tsx';
import { AccountMenu } from './account-menu.tsx';
import { Brand } from './brand.tsx';
import styles from './frame.module.css';
import { SideMenu } from './side-menu.tsx';

const NARROW_KEY = 'admin.narrow';

/** The stored choice, or narrow on small screens. */
const startsNarrow = (): boolean => (readItem(NARROW_KEY) ?? (innerWidth < 992 ? 'yes' : 'no')) === 'yes';

function SchemeButton() {
  const isDark = useScheme() === 'dark';
  const label = isDark ? '切换到浅色' : '切换到深色';
  return (
    <IconButton label={label} icon={isDark ? <SunOutlined /> : <MoonOutlined />} onClick={toggleScheme} />
  );
}

function Breadcrumbs() {
  const { menus } = useViewer();
  const { path } = useLocation();
  const items = menuPathTo(menus, path).map(({ id, name }) => ({ key: id, title: name }));
  return (
    <div className={styles.trail}>
      <Breadcrumb items={items} />
    </div>
  );
}

/** Layout of all screens: side menu (a drawer on phones), header, content. */
export function Frame({ children }: { children: ReactNode }) {
  const { isInMaintenance } = useApp();
  const isWide = useIsWide();
  const [isNarrow, setNarrow] = useState(startsNarrow);
  const [isOpen, setOpen] = useState(false);
  const { path } = useLocation();
  const main = useRef<HTMLElement>(null);
  const lastPath = useRef(path);

  // Move the focus to a new screen for screen readers, except on the first render.
  useEffect(() => {
    if (lastPath.current !== path) main.current?.focus({ preventScroll: true });
    lastPath.current = path;
  }, [path]);

  const toggle = () => {
    if (!isWide) return setOpen(true);
    setNarrow(!isNarrow);
    writeItem(NARROW_KEY, isNarrow ? 'no' : 'yes');
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
          <SideMenu isNarrow={false} onSelect={() => setOpen(false)} />
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
          <Breadcrumbs />
          <div className={styles.corner}>
            <SchemeButton />
            <AccountMenu />
          </div>
        </Layout.Header>
        {isInMaintenance ? (
          <Alert
            banner
            type="error"
            title={
              <>
                网站正在维护，读者看不到页面。
                {path === '/switch' ? null : (
                  <Can permission="switch:list">
                    <Link to="/switch">查看开关</Link>
                  </Can>
                )}
              </>
            }
          />
        ) : null}
        <main id="main" ref={main} tabIndex={-1} className={styles.main}>
          {children}
        </main>
      </Layout>
    </Layout>
  );
}
