import type { StoredUser } from '@mozhan/client/session.ts';
import { ESSAY_STATUS, IDENTITY } from '@mozhan/contract/enums.ts';
import { safeRedirect } from '#web/features/sign-in/redirect.ts';
import { useSignOut } from '#web/features/sign-in/use-sign-out.ts';
import { useCall } from '#web/lib/queries.ts';
import { Link, useRouter } from '#web/router/router.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { Menu, MenuSeparator } from '#web/ui/menu.tsx';
import { UnreadCount } from '#web/ui/unread-count.tsx';
import styles from './account-menu.module.css';

export function AccountMenu({ user }: { user: StoredUser }) {
  const router = useRouter();
  const signOut = useSignOut();
  const unread = useCall('GET core/user/notice/unread').data?.total ?? 0;

  async function leave(): Promise<void> {
    const { search } = router.view();
    const next = search.has('redirect')
      ? safeRedirect(search.get('redirect'), router.basePath)
      : '/login.html';
    await signOut();
    await router.navigate(next);
  }

  const button = (
    <>
      <span className={styles.face}>
        <Avatar name={user.displayName} image={user.headImg} />
        {unread === 0 ? null : (
          // On wide screens the bell in the header shows the count.
          <span className="only-on-phone" role="img" aria-label={`${unread} 条未读通知`}>
            <UnreadCount count={unread} at="face" />
          </span>
        )}
      </span>
      <span className={`not-on-phone ${styles.name}`}>{user.displayName}</span>
    </>
  );
  const label =
    unread === 0 ? `${user.displayName}，账户菜单` : `${user.displayName}，账户菜单，${unread} 条未读通知`;
  return (
    <Menu label={label} button={button}>
      <li>
        <Link to="/account/center.html">
          <Icon name="user" />
          我的主页
        </Link>
      </li>
      <li>
        <Link to="/account/settings.html">
          <Icon name="settings" />
          编辑主页
        </Link>
      </li>
      <li className="only-on-phone">
        <Link to="/account/center.html" search={{ tab: 'notice' }}>
          <Icon name="bell" />
          {unread === 0 ? '通知' : `通知（${unread}）`}
        </Link>
      </li>
      {user.curIdentity === IDENTITY.writer ? (
        <li className="only-on-phone">
          <Link to="/essay/create.html" target="_blank" rel="noopener">
            <Icon name="pen" />
            写文章
          </Link>
        </li>
      ) : null}
      {user.curIdentity === IDENTITY.writer ? (
        <li className="only-on-phone">
          <Link to="/account/center.html" search={{ status: String(ESSAY_STATUS.draft) }}>
            <Icon name="book" />
            草稿
          </Link>
        </li>
      ) : null}
      {user.access === 'admin' ? (
        <li>
          <a href={router.href('/admin/')}>
            <Icon name="shield" />
            管理后台
          </a>
        </li>
      ) : null}
      <MenuSeparator />
      <li>
        <button type="button" onClick={leave}>
          <Icon name="logout" />
          退出登录
        </button>
      </li>
    </Menu>
  );
}
