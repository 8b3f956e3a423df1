import { useQuery } from '@tanstack/react-query';
import { useApi } from '#web/lib/app-context.ts';
import { call } from '#web/lib/queries.ts';
import type { StoredUser } from '#web/lib/session.ts';
import { useRouter } from '#web/router.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Menu, MenuLine } from '#web/ui/menu.tsx';
import styles from './account-menu.module.css';
import { useSignOut } from './use-sign-out.ts';

/** Loaded only for those who are signed in. */
export function AccountMenu({ user }: { user: StoredUser }) {
  const router = useRouter();
  const signOut = useSignOut();
  const unread = useQuery(call(useApi(), 'GET core/user/notice/unread')).data?.total ?? 0;

  async function leave(): Promise<void> {
    const staysHere = router.view().search.has('redirect');
    await signOut();
    if (!staysHere) await router.navigate('/login.html');
  }

  const button = (
    <>
      <span className={styles.face}>
        <Avatar name={user.displayName} image={user.headImg} />
        {unread === 0 ? null : (
          <span className={styles.count} role="img" aria-label={`${unread} 条未读通知`}>
            {unread > 99 ? '99+' : unread}
          </span>
        )}
      </span>
      <span className={styles.name}>{user.displayName}</span>
    </>
  );
  const label =
    unread === 0 ? `${user.displayName}，账户菜单` : `${user.displayName}，账户菜单，${unread} 条未读通知`;
  return (
    <Menu label={label} button={button}>
      <li className={styles.who}>{user.displayName}</li>
      <MenuLine />
      <li>
        <button type="button" onClick={leave}>
          <Icon name="logout" />
          退出登录
        </button>
      </li>
    </Menu>
  );
}
