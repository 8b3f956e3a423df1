import { lazy, Suspense } from 'react';
import type { CurrentUser } from '#contract/users.ts';
import { useApp } from '#web/lib/app-context.ts';
import { useSite } from '#web/lib/queries.ts';
import { pathTo } from '#web/router.tsx';
import { CopyField } from './copy-field.tsx';
import styles from './invite-panel.module.css';
import frame from './qr-panel.module.css';

const QrCode = lazy(() => import('./qr-code.tsx').then((module) => ({ default: module.QrCode })));

/** Where the site has no address of its own set, the one it is read at. */
function useInviteUrl(inviteCode: string): string {
  const { siteUrl, basePath } = useApp();
  const path = pathTo({ to: '/login.html', search: { mode: 'register', invite: inviteCode } });
  return (siteUrl === '' ? location.origin + basePath : siteUrl) + path;
}

/** Only in the browser of a signed-in reader. */
export function InvitePanel({ me }: { me: CurrentUser }) {
  const { title } = useSite().settings;
  const url = useInviteUrl(me.inviteCode);
  return (
    <section className={styles.invite} aria-labelledby="invite">
      <div className={styles.words}>
        <h2 id="invite">邀请朋友来{title}</h2>
        <p>把链接发给朋友，或者让对方扫一扫。打开就是注册页，邀请码已经填好，注册后会记下是你邀请的。</p>
        <CopyField label="邀请链接" value={url} />
        <CopyField label="邀请码" value={me.inviteCode} />
      </div>
      <div className={frame.frame}>
        <Suspense>
          <QrCode text={url} label="邀请二维码" />
        </Suspense>
      </div>
    </section>
  );
}
