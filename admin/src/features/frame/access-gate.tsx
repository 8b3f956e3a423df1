import { LockOutlined } from '@ant-design/icons';
import { readUser, storeUser, subscribeToUser } from '@mozhan/client/session.ts';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { call } from '#admin/lib/queries.ts';
import { redirectToPasswordChange, redirectToSignIn } from '#admin/lib/session.ts';
import { ViewerContext } from '#admin/lib/viewer.ts';
import { LoadError, PlaceholderScreen } from '#admin/ui/screen.tsx';
import { useSignOut } from './account-menu.tsx';
import styles from './frame.module.css';

function NoAccess({ name }: { name: string }) {
  const { basePath } = useApp();
  const signOut = useSignOut();
  return (
    <main className={styles.gate}>
      <PlaceholderScreen
        icon={<LockOutlined />}
        title="没有后台权限"
        text={`你已登录为「${name}」，这个账号没有进入后台的角色。需要的话，请联系管理员。`}
      >
        <Button type="primary" href={`${basePath}/home`}>
          回到网站
        </Button>
        <Button onClick={() => void signOut()}>换个账号登录</Button>
      </PlaceholderScreen>
    </main>
  );
}

/** Renders its children for staff only; visitors are redirected to sign in, other users see an error. */
export function AccessGate({ children }: { children: ReactNode }) {
  const { api, basePath } = useApp();
  const stored = useSyncExternalStore(subscribeToUser, readUser);
  const isSignedIn = stored !== null;
  const me = useQuery({ ...call(api, 'GET core/user/'), enabled: isSignedIn });
  const user = me.data !== undefined && 'account' in me.data ? me.data : undefined;
  const isStaff = user?.access === 'admin' && !user.mustChangePassword;
  const mine = useQuery({ ...call(api, 'GET core/sys/menu/mine'), enabled: isStaff });

  useEffect(() => {
    // Signed out here or in another tab, or never signed in.
    if (!isSignedIn) redirectToSignIn(basePath);
  }, [isSignedIn, basePath]);
  const storedId = stored?.id;
  useEffect(() => {
    if (user === undefined || storedId === undefined) return;
    // Another user signed in in another tab: reload to drop the previous user's data.
    if (storedId !== user.id) location.reload();
    else if (user.mustChangePassword) redirectToPasswordChange(basePath);
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
      <LoadError error={error} onRetry={() => void (me.error ? me.refetch() : mine.refetch())} />
    </main>
  );
}
