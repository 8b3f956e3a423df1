import { HomeOutlined, KeyOutlined, LogoutOutlined } from '@ant-design/icons';
import { clearSession } from '@mozhan/client/session.ts';
import { Button, Dropdown } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { useViewer } from '#admin/lib/viewer.ts';
import { PersonAvatar } from '#admin/ui/person.tsx';
import { VisuallyHidden } from '#admin/ui/visually-hidden.tsx';
import styles from './frame.module.css';

/** Clears the session even when the request fails; AccessGate then redirects to the sign-in page. */
export function useSignOut(): () => Promise<void> {
  const { api } = useApp();
  return async () => {
    await api('DELETE core/account/login').catch(() => {});
    clearSession();
  };
}

export function AccountMenu() {
  const { basePath } = useApp();
  const { displayName, headImg } = useViewer().user;
  const signOut = useSignOut();
  const items = [
    { key: 'home', icon: <HomeOutlined aria-hidden />, label: <a href={`${basePath}/home`}>回到网站</a> },
    {
      key: 'password',
      icon: <KeyOutlined aria-hidden />,
      label: <a href={`${basePath}/account/settings.html?tab=security`}>修改密码</a>,
    },
    { type: 'divider' as const },
    { key: 'leave', icon: <LogoutOutlined aria-hidden />, label: '退出登录', onClick: () => void signOut() },
  ];
  return (
    <Dropdown trigger={['click']} placement="bottomRight" menu={{ items }}>
      <Button type="text" className={styles.account}>
        <PersonAvatar name={displayName} headImg={headImg} size={28} />
        <span className={styles.name}>{displayName}</span>
        <VisuallyHidden>，账户菜单</VisuallyHidden>
      </Button>
    </Dropdown>
  );
}
