import type { StoredUser } from '@mozhan/client/session.ts';
import { useState } from 'react';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import styles from './panel.module.css';
import { useSignOut } from './use-sign-out.ts';

interface AlreadySignedInProps {
  user: StoredUser;
  onContinue: () => void;
}

/** Displayed on the login page to users who are already signed in. */
export function AlreadySignedIn({ user, onContinue }: AlreadySignedInProps) {
  const signOut = useSignOut();
  const [busy, setBusy] = useState(false);

  async function switchAccount(): Promise<void> {
    setBusy(true);
    await signOut();
  }

  return (
    <div className={styles.panel}>
      <Avatar name={user.displayName} image={user.headImg} size="large" />
      <h1>你已登录为 {user.displayName}</h1>
      <div className={styles.actions}>
        <Button variant="primary" size="large" block onClick={onContinue}>
          继续
        </Button>
        <Button size="large" block busy={busy} onClick={switchAccount}>
          退出并换个账号
        </Button>
      </div>
    </div>
  );
}
