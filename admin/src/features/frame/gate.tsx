import { LockOutlined } from '@ant-design/icons';
import { readUser, storeUser, subscribe } from '@mozhan/client/session.ts';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { call } from '#admin/lib/queries.ts';
import { leaveForNewPassword, leaveForSignIn } from '#admin/lib/session.ts';
import { ViewerContext } from '#admin/lib/viewer.ts';
import { Failed, StateScreen } from '#admin/ui/screen.tsx';
import { useSignOut } from './account-menu.tsx';
import styles from './frame.module.css';

function NoAccess({ name }: { name: string }) {
  const { basePath } = useApp();
  const signOut = useSignOut();
  return (
    <main className={styles.gate}>
      <StateScreen
        icon={<LockOutlined />}
        title="没有后台权限"
        text={`你已登录为「${name}」，这个账号没有进入后台的角色。需要的话，请联系管理员。`}
      >
        <Button type="primary" href={`${basePath}/home`}>
          回到网站
        </Button>
        <Button onClick={() => void signOut()}>换个账号登录</Button>
      </StateScreen>
    </main>
  );
}

/** Lets staff in; everyone else is told, or sent to sign in. */
export function Gate({ children }: { children: ReactNode }) {
  const { api, basePath } = useApp();
  const stored = useSyncExternalStore(subscribe, readUser);
  const isSignedIn = stored !== null;
  const me = useQuery({ ...call(api, 'GET core/user/'), enabled: isSignedIn });
  const user = me.data !== undefined && 'account' in me.data ? me.data : undefined;
  const isStaff = user?.access === 'admin' && !user.mustChangePassword;
  const mine = useQuery({ ...call(api, 'GET core/sys/menu/mine'), enabled: isStaff });

  useEffect(() => {
    // Signed out here or in another tab, or never signed in.
    if (!isSignedIn) leaveForSignIn(basePath);
  }, [isSignedIn, basePath]);
  const storedId = stored?.id;
  useEffect(() => {
    if (user === undefined || storedId === undefined) return;
    // Somebody else has signed in, in another tab: nothing of the one before may stay.
    if (storedId !== user.id) location.reload();
    else if (user.mustChangePassword) leaveForNewPassword(basePath);
    else storeUser(user);
  }, [user, storedId, basePath]);

  if (user !== undefined && user.access !== 'admin') return <NoAccess name={user.displayName} />;
  if (user !== undefined && isStaff && mine.data !== undefined) {
    return <ViewerContext value={{ user, menus: mine.data }}>{children}</ViewerContext>;
  }
  const error = me.error ?? mine.error;
  if (error === null || !isSignedIn) return null;
  return (
    <main className={styles.gate}>
      <Failed error={error} onRetry={() => void (me.error ? me.refetch() : mine.refetch())} />
    </main>
  );
}
