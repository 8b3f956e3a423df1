import type { CurrentUser } from '@mozhan/contract/users.ts';
import { Suspense } from 'react';
import { PersonRow, PersonRowsSkeleton } from '#web/features/people/person-row.tsx';
import { useAbsoluteUrl } from '#web/lib/absolute-url.ts';
import { useCall, useSite } from '#web/lib/queries.ts';
import { useCallPages } from '#web/lib/use-call-pages.ts';
import { pathTo } from '#web/router/router.tsx';
import { Alert } from '#web/ui/alert.tsx';
import { CopyField } from '#web/ui/copy-field.tsx';
import { EmptyList } from '#web/ui/empty-list.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { InfiniteList } from '#web/ui/infinite-list.tsx';
import { QrCode } from '#web/ui/lazy-qr-code.ts';
import { QrFrame } from '#web/ui/qr-frame.tsx';
import { RelativeTime } from '#web/ui/time.tsx';
import styles from './invite-panel.module.css';

function Invitees() {
  const query = useCallPages('GET core/user/invitee');
  const total = query.data?.pages[0]?.total ?? 0;
  return (
    <section className={styles.invitees} aria-labelledby="invitees">
      <h2 id="invitees">
        我邀请的人
        {total === 0 ? null : <small>{total}</small>}
      </h2>
      <InfiniteList
        label="我邀请的人"
        query={query}
        renderItem={(person) => (
          <PersonRow
            person={person}
            description={
              <>
                <RelativeTime at={person.joinedAt} /> 加入
              </>
            }
          />
        )}
        skeleton={<PersonRowsSkeleton />}
        empty={
          <EmptyList level="h3" title="还没有人通过邀请加入" text="朋友用你的链接注册以后，会出现在这里。" />
        }
      />
    </section>
  );
}

/** Rendered only in the browser. */
export function InvitePanel({ me }: { me: CurrentUser }) {
  const { settings, switches } = useSite();
  const { title } = settings;
  const url = useAbsoluteUrl()(
    pathTo({ to: '/login.html', search: { mode: 'register', invite: me.inviteCode } }),
  );
  const { inviteDays = 0 } = useCall('GET core/fina/price/').data ?? {};
  if (switches.registration === 'closed')
    return (
      <>
        <Alert>本站现在不开放注册，邀请链接暂时不能用。</Alert>
        <Invitees />
      </>
    );
  return (
    <>
      <section className={styles.invite} aria-labelledby="invite">
        <div className={styles.words}>
          <h2 id="invite">邀请朋友来{title}</h2>
          <p>把链接发给朋友，或者让对方扫一扫。打开就是注册页，邀请码已经填好，注册后会记下是你邀请的。</p>
          {inviteDays === 0 ? null : (
            <p className={styles.bonus}>
              <Icon name="gem" small />
              朋友第一次付款（充值不算）以后，你们各得 {inviteDays} 天会员。
            </p>
          )}
          <CopyField label="邀请链接" value={url} />
          <CopyField label="邀请码" value={me.inviteCode} />
        </div>
        <QrFrame large>
          <Suspense>
            <QrCode text={url} label="邀请二维码" />
          </Suspense>
        </QrFrame>
      </section>
      <Invitees />
    </>
  );
}
